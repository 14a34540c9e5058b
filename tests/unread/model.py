"""Two people, their rooms and threads, as one would count them by hand."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID


@dataclass
class Sent:
    """A message; `root` is empty for a top-level one."""

    message_id: str
    room: str
    sender: int
    root: str
    mentions: set[int]
    deleted: bool = False


@dataclass
class Place:
    """One person's progress in a room or a thread."""

    read: str = ""
    marked: bool = False


@dataclass
class Model:
    """Everything that was sent and read; people are numbers."""

    sent: list[Sent] = field(default_factory=list)
    places: dict[tuple[int, str], Place] = field(default_factory=dict)

    def place(self, person: int, key: str) -> Place:
        return self.places.setdefault((person, key), Place())

    def send(self, message: Sent) -> None:
        self.sent.append(message)
        own = self.place(message.sender, message.root or message.room)
        own.read = max(own.read, message.message_id)

    def mark(self, person: int, key: str, message: Sent, *, unread: bool) -> None:
        read = self.before(key, message) if unread else message.message_id
        self.places[person, key] = Place(read, marked=True)

    def before(self, key: str, message: Sent) -> str:
        """Return the message before this one in its room, or an id just before it. Before a thread's root is the root."""
        if key == message.message_id:
            return key
        place = (each.message_id for each in self.sent if key in (each.room, each.root, each.message_id))
        return max((each for each in place if each < message.message_id), default=_id_before(message.message_id))

    def delete(self, message: Sent) -> None:
        message.deleted, message.mentions = True, set()

    def head(self, room: str) -> str:
        """Return the newest message of a room, replies included."""
        return max(each.message_id for each in self.sent if each.room == room)

    def of_room(self, room: str, person: int) -> list[Sent]:
        """Return the unread top-level messages."""
        read = self.place(person, room).read
        return [each for each in self.sent if each.room == room and not each.root and _counts(each, person, read)]

    def of_thread(self, root: str, person: int) -> list[Sent]:
        """Return the unread replies, of a thread that the person takes part in."""
        joined, place = self.first_participation(root, person), self.place(person, root)
        first = "" if place.marked else joined
        replies = (each for each in self.sent if each.root == root)
        return [each for each in replies if joined and each.message_id >= first and _counts(each, person, place.read)]

    def first_participation(self, root: str, person: int) -> str:
        """Return the first message of the thread that the person wrote or is mentioned in, or nothing."""
        of_thread = (each for each in self.sent if root in (each.message_id, each.root))
        taking_part = [each.message_id for each in of_thread if each.sender == person or person in each.mentions]
        return min(taking_part, default="")

    def threads(self, person: int) -> list[str]:
        """Return the roots of the person's threads, those with unread replies first, then by newest reply."""
        newest: dict[str, str] = {}
        for each in self.sent:
            if each.root:
                newest[each.root] = max(newest.get(each.root, ""), each.message_id)
        own = [root for root in newest if self.first_participation(root, person)]
        return sorted(own, key=lambda root: (bool(self.of_thread(root, person)), newest[root]), reverse=True)

    def mentions(self, person: int) -> list[str]:
        named = [each.message_id for each in self.sent if person in each.mentions and each.sender != person]
        return sorted(named, reverse=True)


def _id_before(message_id: str) -> str:
    """Return the first id of the millisecond before."""
    milliseconds = UUID(message_id).int >> 80
    return str(UUID(f"{milliseconds - 1:012x}70008000000000000000"))


def _counts(message: Sent, person: int, read: str) -> bool:
    return message.sender != person and not message.deleted and message.message_id > read


def count_mentions(messages: Iterable[Sent], person: int) -> int:
    """Return how many of the messages mention the person."""
    return sum(person in each.mentions for each in messages)
