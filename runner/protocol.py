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
    """The bot's first message, within 10 seconds."""

    protocol: int = VERSION
    """The version of the protocol that the bot speaks. [version] Example: `1`"""
    token: str | None = None
    """What the season issued to the bot, where it is not in the header. Example: `"q8Yb…"`"""
    client: Annotated[str, Meta(max_length=100)] = ""
    """The name of the bot's software, for the organiser's logs. Example: `"my-bot"`"""
    version: Annotated[str, Meta(max_length=100)] = ""
    """The build; with another one the rating starts a new line. Example: `"1.2"`"""
    max_matches: Annotated[int, Meta(ge=1, le=1000)] = 1
    """How many matches the bot plays at once. [matches] Example: `4`"""
    events: bool = False
    """Whether the bot wants to be told what happens. Example: `true`"""


class Answer(Struct, rename="camel", omit_defaults=True):
    """The answer to request `id`: an action, or the reason why there is none."""

    id: int
    """The request that is answered. [id] Example: `7`"""
    action: Raw | UnsetType = UNSET
    """What to do: an action of the request's kind."""
    error: str | UnsetType = UNSET
    """Why there is no action: the bot gives up at once. Example: `"out of ideas"`"""
    type: Literal["answer"] = "answer"
    """May be left out. Example: `"answer"`"""


class Probe(Struct):
    """What little can be said of a JSON object that is no proper answer."""

    id: Any = None
    type: Any = "answer"


class Welcome(Message, tag="welcome", omit_defaults=False):
    """The bot is in."""

    protocol: int
    """The version that is spoken from here on. [version] Example: `1`"""
    bot: str
    """The bot's name in the season. Example: `"alice"`"""
    season: str
    """The season's name. Example: `"autumn"`"""
    commitment: str
    """SHA-256 of the season's secret. [hex] Example: `"3b0c"`"""
    resumed: bool
    """Whether the server knows the bot already, from a connection before. Example: `false`"""
    open_requests: int
    """How many requests wait for the bot; they follow at once. [requests] Example: `0`"""


class MatchStart(Message, tag="match_start", omit_defaults=False):
    """The bot has a seat in a match that begins, or goes on."""

    match: str
    """The match's id. Example: `"m000042"`"""
    game: str
    """The game's id."""
    seat: int
    """Where the bot sits. [seat, from 0] Example: `2`"""
    players: tuple[str, ...]
    """The bots' names, by seat. Example: `["bob", "carol", "alice", "dave"]`"""
    deadline_ms: int
    """How long there is for each decision. [ms] Example: `5000`"""
    commitment: str
    """SHA-256 of the match's seed. [hex] Example: `"a1f4"`"""
    options: dict[str, Any]
    """The season's options of the game. Example: `{}`"""


class Request(Message, tag="request", omit_defaults=False):
    """A decision to make within `deadline_ms` milliseconds from now."""

    id: int
    """What the answer refers to; counts up, across matches. [id] Example: `7`"""
    match: str
    """The match's id. Example: `"m000042"`"""
    game: str
    """The game's id."""
    seat: int
    """Who decides: the bot's own seat. [seat, from 0] Example: `2`"""
    kind: str
    """What is to be decided, one of the game's kinds."""
    deadline_ms: int
    """How long there is left, from the writing of this frame. [ms] Example: `5000`"""
    view: Raw
    """What the seat may know, as the game describes it."""


class Strike(Message, tag="strike", omit_defaults=False):
    """A request ended badly; `applied` is the default that was played instead."""

    match: str
    """The match's id. Example: `"m000042"`"""
    id: int
    """The request that ended badly. [id] Example: `7`"""
    reason: StrikeReason
    """What kind of fault it was. Example: `"illegal"`"""
    code: str
    """The rule that was broken, `malformed`, `timeout` or `gave_up`. Example: `"malformed"`"""
    message: str
    """The same in words, with the field or the place. Example: `"an answer has an action"`"""
    strikes: int
    """How many the seat has in this match now. [strikes] Example: `1`"""
    resigned: bool
    """Whether this was one too many, so that nothing more is asked. Example: `false`"""
    applied: Raw
    """The action that was played instead."""


class MatchEvent(Message, tag="event", omit_defaults=False):
    """Something happened in a match of the bot's; only for bots that asked for events."""

    match: str
    """The match's id. Example: `"m000042"`"""
    event: Raw
    """What happened, as the game describes it."""


class RatingChange(Struct, rename="camel", frozen=True):
    """A bot's rating, mu - 3 sigma, before and after a match."""

    before: float
    """Before the match. [rating points] Example: `12.5`"""
    after: float
    """After it. [rating points] Example: `13.75`"""


class MatchEnd(Message, tag="match_end"):
    """A match is over and in the ledger."""

    match: str
    """The match's id. Example: `"m000042"`"""
    reason: str
    """How the match ended, one of the game's reasons; `fault` where the game itself broke, and the
    match does not count."""
    placements: tuple[int, ...]
    """By seat; 1 is first, ties share the better one. [place, from 1] Example: `[2, 1, 4, 3]`"""
    scores: tuple[int, ...]
    """By seat, hidden ones included. [points of the game] Example: `[8, 10, 3, 6]`"""
    seed: str
    """What all chance of the match was drawn from. [hex] Example: `"00ff"`"""
    rating: RatingChange | None = None
    """The bot's own rating. Example: `{"before": 12.5, "after": 13.75}`"""


class Error(Message, tag="error"):
    """Something is wrong with the bot's last message; never a strike in itself."""

    code: str
    """What is wrong, one of the codes of the protocol. Example: `"late_answer"`"""
    message: str
    """The same in words. Example: `"the request was settled without you"`"""
    id: int | None = None
    """The request that the message was about, where it was about one. [id] Example: `7`"""


class Goodbye(Message, tag="goodbye"):
    """The server is about to close the connection."""

    reason: str
    """Why the server closes the connection. Example: `"season over"`"""
    retry_ms: int | None = None
    """How long to stay away; null where the bot need not come back. [ms] Example: `2000`"""


ServerMessage: TypeAlias = (
    Welcome | MatchStart | Request | Strike | MatchEvent | MatchEnd | Error | Goodbye
)

encode = msgspec.json.Encoder().encode
decode_server_message = msgspec.json.Decoder(ServerMessage).decode
decode_hello = msgspec.json.Decoder(Hello).decode
decode_answer = msgspec.json.Decoder(Answer).decode
decode_probe = msgspec.json.Decoder(Probe).decode
