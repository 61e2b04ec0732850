"""Server-sent events as bytes: pure framing, no socket.

The format is the one of the WHATWG HTML standard, section "Server-sent events".
"""

from __future__ import annotations


def sse_event(data: str, *, event: str = "", event_id: str = "") -> bytes:
    r"""Frame one event.

    Args:
        data: any text; each of its lines becomes a `data:` line.
        event: event type; a browser calls it `message` if empty.
        event_id: comes back as `Last-Event-ID` when the browser resumes.

    Returns:
        The event in UTF-8 with its closing blank line.

    Raises:
        ValueError: a line break or NUL in the type or id, which would end the field.

    >>> sse_event('{"chips": 8}', event="state", event_id="a-7")
    b'id: a-7\nevent: state\ndata: {"chips": 8}\n\n'
    >>> sse_event("two\nlines")
    b'data: two\ndata: lines\n\n'
    >>> sse_event("a\r\nb\rc")
    b'data: a\ndata: b\ndata: c\n\n'
    >>> sse_event("")
    b'data: \n\n'
    >>> sse_event("x", event_id="1\n2")
    Traceback (most recent call last):
    ValueError: event_id must be one line without NUL, not '1\n2'
    """
    lines = []
    for name, field, value in (("event_id", "id", event_id), ("event", "event", event)):
        if any(sign in value for sign in "\r\n\0"):
            raise ValueError(f"{name} must be one line without NUL, not {value!r}")
        if value:
            lines.append(f"{field}: {value}")
    lines += [f"data: {line}" for line in _lines(data)]
    return ("\n".join(lines) + "\n\n").encode()


def sse_comment(text: str = "") -> bytes:
    r"""Frame a comment: browsers ignore it, but it keeps the connection alive.

    >>> sse_comment("beat")
    b': beat\n\n'
    >>> sse_comment("a\nb")
    b': a\n: b\n\n'
    """
    return ("\n".join(f": {line}" for line in _lines(text)) + "\n\n").encode()


def sse_retry(wait_ms: int) -> bytes:
    r"""Tell the browser how long to wait before it connects again.

    Raises:
        ValueError: a negative wait.

    >>> sse_retry(1500)
    b'retry: 1500\n\n'
    """
    if wait_ms < 0:
        raise ValueError(f"wait_ms must be 0 or more, not {wait_ms}")
    return f"retry: {wait_ms}\n\n".encode()


def _lines(text: str) -> list[str]:
    # not splitlines(): only CR, LF and CRLF end a line in an event stream
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
