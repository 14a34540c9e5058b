"""The head of a response that the parser does not accept: its status, and where its body ends."""

import re

VERSION = rb"[ \t]*HTTP/\d+(?:\.\d+)?[ \t]+"
# The status line of a final response. Informational responses may precede it.
STATUS_LINE = re.compile(rb"^%b([2-9]\d\d)(?:[ \t][^\r\n]*)?[\r\n]" % VERSION, re.IGNORECASE | re.MULTILINE)
PENDING = re.compile(rb"%b1\d\d[ \t\r\n]|[ \t]*(?:HTTP/[^\r\n]*|H?|HT|HTTP?)\Z" % VERSION, re.IGNORECASE)
END = re.compile(rb"\n\r?\n|\r\r")
CHUNKED = re.compile(rb"^transfer-encoding[ \t]*:[^\r\n]*chunked[ \t]*[\r\n]", re.IGNORECASE | re.MULTILINE)
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,18})?(?!\d)", re.IGNORECASE | re.MULTILINE)


def final_status(head: bytes | bytearray) -> int | None:
    """Return the code of the first complete status line that is not informational, or None."""
    line = STATUS_LINE.search(head)
    return int(line[1]) if line else None


def may_have_status(head: bytes | bytearray) -> bool:
    """Return whether a final status line may follow what has arrived so far."""
    return PENDING.match(head) is not None


def simplified(data: bytes | bytearray) -> bytes | None:
    """Return a response with a final status, but of its headers only one that says where the body ends.

    Chunks override a length, and of several lengths the first counts (RFC 9112, section 6.3). Without any of them, the
    body ends with the connection. Return None until all headers have arrived.
    """
    line = STATUS_LINE.search(data)
    end = END.search(data, line.end() - 1) if line else None
    if line is None or end is None:
        return None
    head = bytes(data[line.end() - 1 : end.end()])
    framing = b""
    if CHUNKED.search(head):
        framing = b"Transfer-Encoding: chunked\r\n"
    elif length := LENGTH.search(head):
        framing = b"Content-Length: %d\r\n" % int(length[1] or 0)
    return b"HTTP/1.1 %b \r\nConnection: close\r\n%b\r\n%b" % (line[1], framing, bytes(data[end.end() :]))
