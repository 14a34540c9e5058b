"""The recording of the video room, with its transcript."""

from pathlib import Path

from demo.film import make_film
from demo.team import Answer, Team


def record_talk(team: Team, folder: Path) -> None:
    """Make the talk, upload it and put its transcript. Raises CannotRecord."""
    film = team.content.film
    recording, segments = make_film(folder, film.lines)
    uploaded = team.upload(film.by, f"/v2/rooms/{team.rooms[film.room]}/recordings", film.name, recording)
    names = {key: person.name for key, person in team.content.people.items()}
    lines = [{**segment._asdict(), "speaker": names[segment.speaker]} for segment in segments]
    path = f"/v2/recordings/{uploaded['recording_id']}/transcript"
    team.client(film.by).request("PUT", path, Answer, body={"segments": lines, "language": "en", "version": 0})
