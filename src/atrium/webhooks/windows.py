"""How many attempts at one endpoint may be under way: a window as TCP has, which grows while the endpoint answers well
and shrinks when it fails or slows (docs/decisions/0038-webhook-windows.md)."""

from dataclasses import dataclass, field

START, LEAST, MOST = 16, 2, 128  # attempts
SLOW, TOLERANCE = (
    2.0,
    0.025,
)  # an answer is slow if it takes this many times as long as usual, and this many seconds more
DRIFT = 0.002  # by how much of its excess a slower answer raises what is usual


@dataclass
class Window:
    """The attempts that may be under way at an endpoint.

    Each answer lets it grow by one, which doubles it in a round of answers; once it has shrunk, by one in a round. It
    grows only while deliveries wait. A failure halves it and a slow answer takes a quarter of it, at most once a round.
    Slow answers alone never take it below START, since the endpoint may always have been like that.
    """

    size: float = START
    _doubles_until: float = MOST
    _usual: float = field(default=float("inf"))  # seconds
    _spared: int = 0  # answers until it may shrink again: to what was under way when it shrank

    def answered(self, seconds: float, *, waiting: bool) -> None:
        """Record an answer after `seconds`, and whether deliveries wait for a place."""
        self._spared -= self._spared > 0
        self._usual = min(seconds, self._usual + (seconds - self._usual) * DRIFT if self._is_known else seconds)
        if seconds > self._usual * SLOW + TOLERANCE:
            self._shrink(self.size * 3 / 4, START)
        elif waiting:
            self.size = min(MOST, self.size + (1 if self.size < self._doubles_until else 1 / self.size))

    def failed(self) -> None:
        """Record a failed attempt."""
        self._spared -= self._spared > 0
        self._shrink(self.size / 2, LEAST)

    @property
    def _is_known(self) -> bool:
        return self._usual < float("inf")

    def _shrink(self, size: float, least: int) -> None:
        if self._spared == 0 and self.size > least:
            self._spared = int(self.size)
            self.size = self._doubles_until = max(least, size)
