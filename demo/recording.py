"""The recording of the video room, with its transcript."""

from pathlib import Path

from demo.talk_video import render_video
from demo.team import JsonObject, Team


def record_talk(team: Team, folder: Path) -> None:
    """Render the talk, and upload it with its transcript. Raise CannotRecord."""
    video = team.content.video
    recording, segments = render_video(folder, video.lines)
    uploaded = team.upload(video.by, f"/v2/rooms/{team.rooms[video.room]}/recordings", video.name, recording)
    names = {key: person.name for key, person in team.content.people.items()}
    lines = [{**segment._asdict(), "speaker": names[segment.speaker]} for segment in segments]
    path = f"/v2/recordings/{uploaded['recording_id']}/transcript"
    team.client(video.by).request("PUT", path, JsonObject, body={"segments": lines, "language": "en", "version": 0})
