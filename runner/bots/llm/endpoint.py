"""A model behind HTTP: one POST to a chat completions endpoint, with everything bounded."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import httpx
import msgspec
from msgspec import Struct

from engine.plain import printable
from runner.bots.configured import SettingsError
from runner.bots.llm.adviser import Message, ModelError
from runner.bots.llm.settings import KEY, ROUTE, URL, Settings

MOST_BYTES = 256 * 1024
_MOST_TOLD = 200
_OK = 200

# A line in the log for each request is too much.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class _Answer(Struct):
    content: str


class _Choice(Struct):
    message: _Answer


class _Completion(Struct):
    """What is read of OpenAI's chat completion object."""

    choices: list[_Choice]


class _Body(Struct):
    """What is sent: nothing that some endpoint or model might not take."""

    model: str
    messages: Sequence[Message]


class Endpoint:
    """The model that `Settings` name."""

    def __init__(self, settings: Settings) -> None:
        """Raises SettingsError for an address that cannot be asked."""
        try:
            self._url = httpx.URL(settings.url + ROUTE)
            self._url.host  # noqa: B018 - which is decoded here, not before
        except (httpx.InvalidURL, UnicodeError) as error:
            raise SettingsError(f"{URL} is no address: {error}") from None
        self._model = settings.model
        self._key = settings.key
        # Read once: it takes longer than many requests.
        self._tls = httpx.create_ssl_context()

    async def complete(self, messages: Sequence[Message]) -> str:
        """What the model says to `messages`. Raises ModelError; how long it takes is not bounded.

        A connection is made for each answer, which takes far longer anyway: so none is kept that
        the other side might have closed by the next decision.
        """
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        body = msgspec.json.encode(_Body(self._model, messages))
        try:
            # Neither proxies nor passwords from the environment, and no redirects: the key goes
            # where it was meant for.
            async with (
                httpx.AsyncClient(
                    verify=self._tls,
                    trust_env=False,
                    follow_redirects=False,
                    timeout=None,  # noqa: S113 - the caller bounds the whole exchange
                ) as client,
                client.stream("POST", self._url, content=body, headers=headers) as response,
            ):
                received = await _bounded(response)
        except httpx.ConnectError as error:
            raise ModelError("cannot be reached", self._shown(str(error))) from error
        except httpx.HTTPError as error:
            told = f"{type(error).__name__}: {error}"
            raise ModelError("the exchange broke off", self._shown(told)) from error
        if response.status_code != _OK:
            raise ModelError(f"status {response.status_code}", self._complaint(response, received))
        return self._text(received)

    def _text(self, received: bytes) -> str:
        try:
            completion = msgspec.json.decode(received, type=_Completion)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise ModelError("no chat completion", self._shown(str(error))) from None
        if not completion.choices:
            raise ModelError("no chat completion", "`choices` is empty")
        return completion.choices[0].message.content

    def _complaint(self, response: httpx.Response, received: bytes) -> str:
        if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            # Some endpoints repeat the key that they refuse, or most of it.
            return f"the key in {KEY} is refused" if self._key else f"a key is needed in {KEY}"
        if response.is_redirect:
            return "redirects are not followed, lest the key goes elsewhere"
        return self._shown(received.decode(errors="replace")) or "no text"

    def _shown(self, told: str) -> str:
        """What may be logged of something that came from outside."""
        if self._key is not None:
            told = told.replace(self._key, "[key]")
        return printable(told, limit=_MOST_TOLD)


async def _bounded(response: httpx.Response) -> bytes:
    """The body as it came: compressed against our wish, it will not be JSON."""
    received = bytearray()
    async for chunk in response.aiter_raw():
        received += chunk
        if len(received) > MOST_BYTES:
            raise ModelError("too long", f"more than {MOST_BYTES} bytes")
    return bytes(received)
