"""The record of a run: all that senders, receivers and streams saw."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass
class Followed:
    """The events that a client received over all its connections."""

    number: int
    last_id: str = ""
    first_received: str = ""
    last_received: str = ""
    read_up_to: str = ""  # by a reset, after which a client reads again
    received: set[str] = field(default_factory=set)
    connections: int = 0
    resets: int = 0

    def knows(self, message_id: str) -> bool:
        """Return whether the client received the event of a message, or read it after a reset."""
        return message_id in self.received or message_id <= self.read_up_to


@dataclass
class Record:
    """Everything that the checks need."""

    acknowledged: dict[str, str] = field(default_factory=dict)  # message id: text
    roots: list[str] = field(default_factory=list)
    in_order: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # sender: message ids
    delivery_ids: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # by message id
    bodies: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))  # by delivery id
    attempts: int = 0
    walks: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    streams: list[Followed] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    stream_violations: list[str] = field(default_factory=list)

    def acknowledge(self, sender: str, message_id: str, text: str, parent_id: str | None) -> None:
        """Record a message that the server has acknowledged."""
        if message_id in self.acknowledged:
            self.violations.append(f"{message_id} was acknowledged for two messages")
        self.acknowledged[message_id] = text
        self.in_order[sender].append(message_id)
        if parent_id is None:
            self.roots.append(message_id)

    def receive(self, stream: Followed, message_id: str) -> None:
        """Record the event of a message, which must arrive once and in the order of the room."""
        if message_id <= stream.last_received:
            word = "twice" if message_id in stream.received else "out of order"
            self.stream_violations.append(f"stream {stream.number} received {message_id} {word}")
        stream.first_received = stream.first_received or message_id
        stream.last_received = max(stream.last_received, message_id)
        stream.received.add(message_id)

    def deliver(self, message_id: str, delivery_id: str, body: bytes) -> int:
        """Record an attempt of a delivery; return the number of earlier ones."""
        self.attempts += 1
        seen = len(self.bodies)
        self.delivery_ids[message_id].add(delivery_id)
        self.bodies[delivery_id].add(hash(body))
        return seen

    def report(self, starts: int) -> str:
        """Return the figures of the run, and the violations."""
        kills = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kills.items()))
        connections = sum(each.connections for each in self.streams)
        resets = sum(each.resets for each in self.streams)
        return (
            f"kills: {kills} (together {self.kills.total()}); starts of the server: {starts}\n"
            f"messages acknowledged: {len(self.acknowledged)}, replies among them: "
            f"{len(self.acknowledged) - len(self.roots)}; walks: {self.walks}\n"
            f"deliveries: {len(self.bodies)} in {self.attempts} attempts; "
            f"streams: {len(self.streams)} on {connections} connections, {resets} resets\n"
            f"violations: {len(self.violations)}, of streams: {len(self.stream_violations)}"
            + "".join(f"\n- {each}" for each in [*self.violations[:50], *self.stream_violations[:50]])
        )
