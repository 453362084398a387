"""A bot that cannot play before it has been told something: where its model is, for instance."""

from __future__ import annotations

from collections.abc import Mapping

from runner.bot import Bot


class SettingsError(ValueError):
    """Settings that are missing or make no sense; the message names the variable."""


class ConfiguredBot(Bot):
    """A bot with settings, all of them variables of the environment."""

    @classmethod
    def configured(cls, environment: Mapping[str, str]) -> type[Bot]:
        """The class that plays by the settings in `environment`. Raises SettingsError."""
        raise NotImplementedError
