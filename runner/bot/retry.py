"""When to come back after a connection was lost, and when not to. Pure: no socket, no clock."""

from __future__ import annotations

import random
from collections.abc import Callable

from runner import protocol as wire

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 15.0

_HOPELESS_CLOSES = {
    wire.CLOSE_UNKNOWN_TOKEN: "the server does not know this token, or it was revoked",
    wire.CLOSE_NOT_ENTERED: "this bot is not entered in the season",
    wire.CLOSE_REPLACED: "another process connected with the same token and took over",
}
_PASSING_STATUSES = (408, 425, 429)


class Refused(Exception):
    """The bot cannot play on and coming back would not help; the message says why.

    code: the WebSocket close code or HTTP status, None where there was neither.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class Retries:
    """How long to wait before each attempt: exponential backoff with jitter."""

    def __init__(
        self,
        first_s: float = FIRST_DELAY_S,
        longest_s: float = LONGEST_DELAY_S,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """draw: uniform over [0, 1), for the jitter, which keeps bots from coming back in step."""
        self._first_s = first_s
        self._longest_s = longest_s
        self._draw = draw
        self._failures = 0

    def succeeded(self) -> None:
        """The server has welcomed the bot: the next delay is a short one again."""
        self._failures = 0

    def delay_s(self, at_least_s: float = 0.0) -> float:
        """Seconds to wait now; `at_least_s` is what the server asked for."""
        # 2^16 times the first delay is past any sensible cap, and keeps the float finite.
        ceiling = min(self._longest_s, self._first_s * 2.0 ** min(self._failures, 16))
        self._failures += 1
        # Half fixed, half drawn: never a hot loop, never all at once.
        return at_least_s + ceiling * (1 + self._draw()) / 2


def check_close(code: int, reason: str, error: str | None, welcomed: bool) -> None:
    """Return if it makes sense to come back after close code `code`, else raise Refused.

    reason: the close frame's. error: the server's last `error` message, which says more.
    welcomed: whether this connection had got as far as the server's welcome.
    """
    hopeless = _HOPELESS_CLOSES.get(code)
    if code == wire.CLOSE_MALFORMED and not welcomed:
        hopeless = "the server does not take the greeting"  # nor will it the next time
    if hopeless is not None:
        said = error or reason
        raise Refused(f"closed with {code}: {hopeless}" + (f" ({said})" if said else ""), code)


def check_status(status: int) -> None:
    """Return if it makes sense to come back after HTTP `status`, else raise Refused."""
    if status >= 500 or status in _PASSING_STATUSES:
        return
    hint = {
        401: ": the token is unknown or was revoked",
        403: ": this bot is not entered in the season",
        404: f": does the address end in {wire.PATH}?",
    }.get(status, "")
    raise Refused(f"the server refused the connection with HTTP status {status}{hint}", status)
