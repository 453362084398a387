"""The messages of the play protocol, version 1, as typed structs.

JSON text frames in camelCase. `README.md` beside this file is the protocol for bot authors;
these structs are what is really sent and read.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from engine.transcript import STRIKES_TO_RESIGN as STRIKES_TO_RESIGN

VERSION = 1
SUBPROTOCOL = "pioneers.v1"
PATH = "/play"

MAX_FRAME_BYTES = 64 * 1024
MAX_QUEUED_BYTES = 1024 * 1024
HELLO_SECONDS = 10.0
PING_SECONDS = 20.0
PONG_SECONDS = 20.0
IDLE_MESSAGES = 50
IDLE_WINDOW_SECONDS = 10.0

CLOSE_GOING_AWAY = 1001
CLOSE_FULL = 1013
CLOSE_MALFORMED = 4400
CLOSE_UNKNOWN_TOKEN = 4401
CLOSE_NOT_ENTERED = 4403
CLOSE_TOO_MANY = 4408
CLOSE_REPLACED = 4409
CLOSE_TOO_BIG = 4413

StrikeReason: TypeAlias = Literal["timeout", "illegal", "error"]


class Message(Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):
    """Base of all tagged messages; fields that are not known are ignored."""


class Hello(Message, tag="hello"):
    """The bot's first message. `max_matches`: how many matches it plays at once."""

    protocol: int = VERSION
    token: str | None = None
    client: Annotated[str, Meta(max_length=100)] = ""
    version: Annotated[str, Meta(max_length=100)] = ""
    max_matches: Annotated[int, Meta(ge=1, le=1000)] = 1
    events: bool = False


class Answer(Struct, rename="camel", omit_defaults=True):
    """The answer to request `id`: an action, or the reason why there is none."""

    id: int
    action: Raw | UnsetType = UNSET
    error: str | UnsetType = UNSET
    type: Literal["answer"] = "answer"


class Probe(Struct):
    """What little can be said of a JSON object that is no proper answer."""

    id: Any = None
    type: Any = "answer"


class Welcome(Message, tag="welcome", omit_defaults=False):
    """The bot is in. `commitment`: SHA-256 of the season's secret, hex."""

    protocol: int
    bot: str
    season: str
    commitment: str
    resumed: bool
    open_requests: int


class MatchStart(Message, tag="match_start", omit_defaults=False):
    """The bot has a seat. `commitment`: SHA-256 of the match's seed, hex."""

    match: str
    game: str
    seat: int
    players: tuple[str, ...]
    deadline_ms: int
    commitment: str
    options: dict[str, Any]


class Request(Message, tag="request", omit_defaults=False):
    """A decision to make within `deadline_ms` milliseconds from now."""

    id: int
    match: str
    game: str
    seat: int
    kind: str
    deadline_ms: int
    view: Raw


class Strike(Message, tag="strike", omit_defaults=False):
    """A request ended badly; `applied` is the default that was played instead."""

    match: str
    id: int
    reason: StrikeReason
    code: str
    message: str
    strikes: int
    resigned: bool
    applied: Raw


class MatchEvent(Message, tag="event", omit_defaults=False):
    """Something happened in a match of the bot's; only for bots that asked for events."""

    match: str
    event: Raw


class RatingChange(Struct, rename="camel", frozen=True):
    """A bot's rating, mu - 3 sigma, before and after a match."""

    before: float
    after: float


class MatchEnd(Message, tag="match_end"):
    """A match is over and in the ledger; `seed` is what its chance was drawn from, hex."""

    match: str
    reason: str
    placements: tuple[int, ...]
    scores: tuple[int, ...]
    seed: str
    rating: RatingChange | None = None


class Error(Message, tag="error"):
    """Something is wrong with the bot's last message; never a strike in itself."""

    code: str
    message: str
    id: int | None = None


class Goodbye(Message, tag="goodbye"):
    """The server is about to close the connection."""

    reason: str
    retry_ms: int | None = None


ServerMessage: TypeAlias = (
    Welcome | MatchStart | Request | Strike | MatchEvent | MatchEnd | Error | Goodbye
)

encode = msgspec.json.Encoder().encode
decode_server_message = msgspec.json.Decoder(ServerMessage).decode
decode_hello = msgspec.json.Decoder(Hello).decode
decode_answer = msgspec.json.Decoder(Answer).decode
decode_probe = msgspec.json.Decoder(Probe).decode
