"""Read the elements of a JSON array one after the other, so that a file of any size takes little memory.

The standard library decodes them, as it keeps lone surrogates, which exports contain; ijson replaces them with question
marks without a word.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

MAX_ELEMENT = 4 << 20  # characters
SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class NotAnArray(Exception):
    """The text is another JSON value."""


def elements(chunks: Iterable[bytes]) -> Iterator[Any]:
    """Yield the elements. Raise ValueError or RecursionError for what is not JSON, NotAnArray."""
    text = _Text(chunks)
    if text.next() != "[":
        text.require_json()
        raise NotAnArray
    text.at += 1
    has_more = text.next() != "]"
    while has_more:
        yield text.element()
        has_more = text.next() == ","
        text.at += has_more
    if text.next() != "]":
        raise ValueError("expected a comma between two elements")
    text.at += 1
    text.end()


class _Text:
    """The text that is read so far, from the element on that is read next."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._decoder: codecs.IncrementalDecoder | None = None
        self._rest, self.at = "", 0

    def next(self) -> str:
        """Move to the next character that is no white space, and return it; nothing at the end."""
        while True:
            self.at = found.end() if (found := SPACE.match(self._rest, self.at)) else self.at
            if self.at < len(self._rest):
                return self._rest[self.at]
            if not self._more(1):
                return ""

    def element(self) -> Any:
        """Read one element, and more of the text until it is complete."""
        self.next()
        while True:
            try:
                found, end = _decode(self._rest, self.at)
            except ValueError:
                if not self._more(len(self._rest) - self.at):
                    raise
                continue
            if end < len(self._rest) or not self._more(1):  # a number may go on
                self.at = end
                return found

    def require_json(self) -> None:
        """Raise ValueError or RecursionError unless the whole text is one JSON value."""
        self.element()
        self.end()

    def end(self) -> None:
        """Read to the end of the text, where nothing else may follow. Raise ValueError."""
        if self.next():
            raise ValueError("more text after its end")

    def _more(self, at_least: int) -> bool:
        """Read on by at least that many characters; return whether there was more."""
        if len(self._rest) - self.at > MAX_ELEMENT:
            raise ValueError(f"an element is longer than {MAX_ELEMENT >> 20} Mi characters")
        pieces, length = [self._rest[self.at :]], 0
        self.at = 0
        while length < at_least and (chunk := next(self._chunks, None)) is not None:
            pieces.append(self._decoded(chunk))
            length += len(pieces[-1])
        if length < at_least:
            self._decoded(b"", is_last=True)
        self._rest = "".join(pieces)
        return length > 0

    def _decoded(self, chunk: bytes, *, is_last: bool = False) -> str:
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder(json.detect_encoding(chunk))("surrogatepass")
        return self._decoder.decode(chunk, is_last)
