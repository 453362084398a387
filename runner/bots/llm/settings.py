"""Where the model is: read from the environment, complained about by name, the key never shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from runner.bots.configured import SettingsError

PREFIX = "PIONEERS_LLM_"
URL, MODEL, KEY = f"{PREFIX}URL", f"{PREFIX}MODEL", f"{PREFIX}KEY"

ROUTE = "/chat/completions"

_MOST_CHARACTERS = 2000
# What a header can carry and JSON leaves as it is: so that it can be found in what comes back.
_KEY = re.compile(r"""[!#-\[\]-~]+""")


@dataclass(frozen=True, slots=True)
class Settings:
    """url: of the endpoint, `ROUTE` to be added. model: as the endpoint calls it. key: or None."""

    url: str
    model: str
    key: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Settings:
        """The settings in `environment`. Raises SettingsError that names the variable."""
        for name in sorted(environment):
            if name.startswith(PREFIX) and name not in (URL, MODEL, KEY):
                raise SettingsError(f"{name} is not known; there are {URL}, {MODEL} and {KEY}")
        return cls(
            url=_url(_needed(environment, URL, "an address, such as http://localhost:11434/v1")),
            model=_model(_needed(environment, MODEL, "the model's name as the endpoint has it")),
            key=_key(environment.get(KEY)),
        )


def _needed(environment: Mapping[str, str], name: str, what: str) -> str:
    value = environment.get(name, "")
    if not value:
        raise SettingsError(f"{name} is not set: it must hold {what}")
    if len(value) > _MOST_CHARACTERS or not value.isprintable():
        raise SettingsError(f"{name} must be printable, at most {_MOST_CHARACTERS} characters")
    return value


def _url(value: str) -> str:
    """The value itself is not repeated in errors: it may have a password in it."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as error:
        raise SettingsError(f"{URL} is no address: {error}") from None
    sound = parts.hostname and port != 0 and " " not in value
    if parts.scheme not in ("http", "https") or not sound:
        raise SettingsError(f"{URL} must be an address that begins with http:// or https://")
    if parts.username is not None or parts.query or parts.fragment:
        raise SettingsError(f"{URL} must hold no user, `?` or `#`: a key goes into {KEY}")
    url = value.rstrip("/")
    if url.endswith(ROUTE):
        raise SettingsError(f"{URL} must end before {ROUTE}, which is added to it")
    return url


def _model(value: str) -> str:
    if value != value.strip():
        raise SettingsError(f"{MODEL} must not begin or end with a space")
    return value


def _key(value: str | None) -> str | None:
    if not value:
        return None
    if len(value) > _MOST_CHARACTERS or not _KEY.fullmatch(value):
        raise SettingsError(
            f"{KEY} must be letters, digits and signs of ASCII, no spaces, quotes or backslashes"
        )
    return value
