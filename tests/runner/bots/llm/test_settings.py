"""What the environment may say of the model, and how it is told where it does not."""

from __future__ import annotations

import sys

import pytest

from runner.bots import configured, settings_of
from runner.bots.configured import SettingsError
from runner.bots.llm.settings import Settings

GOOD = {"PIONEERS_LLM_URL": "http://localhost:11434/v1", "PIONEERS_LLM_MODEL": "llama3.2:3b"}


def test_url_and_model_are_enough_and_other_variables_do_not_matter() -> None:
    settings = Settings.read({**GOOD, "PIONEERS_URL": "ws://x", "HOME": "/"})
    assert settings == Settings("http://localhost:11434/v1", "llama3.2:3b")


@pytest.mark.parametrize(
    "url", ["https://api.example.com/v1/", "http://[::1]:8000", "http://10.0.0.1/a/b"]
)
def test_addresses(url: str) -> None:
    assert Settings.read({**GOOD, "PIONEERS_LLM_URL": url}).url == url.rstrip("/")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("URL", None, "is not set: it must hold an address, such as http://"),
        ("URL", "", "is not set"),
        ("URL", "localhost:11434", "begins with http:// or https://"),
        ("URL", "ftp://host/v1", "begins with http:// or https://"),
        ("URL", "http://a host/v1", "begins with http:// or https://"),
        ("URL", "http:///v1", "begins with http:// or https://"),
        ("URL", "http://host:port/v1", "is no address"),
        ("URL", "http://host:0/v1", "begins with http:// or https://"),
        ("URL", "http://me:pass@host/v1", "no user"),
        ("URL", "http://host/v1?key=pass", "no user, `?` or `#`"),
        ("URL", "http://host/v1/chat/completions", "before /chat/completions, which is added"),
        ("URL", "http://host/\n", "printable"),
        ("URL", "http://" + "h" * 2000, "at most 2000 characters"),
        ("MODEL", None, "is not set"),
        ("MODEL", "gpt\x00", "printable"),
        ("MODEL", " gpt", "space"),
        ("KEY", "pass\nHost: evil", "no spaces"),
        ("KEY", "p\u00e4ss", "letters, digits and signs of ASCII"),
        ("KEY", '"pass"', "quotes"),
        ("API_KEY", "pass", "there are PIONEERS_LLM_URL, PIONEERS_LLM_MODEL and PIONEERS_LLM_KEY"),
    ],
)
def test_what_makes_no_sense_is_named(name: str, value: str | None, told: str) -> None:
    environment = {**GOOD, f"PIONEERS_LLM_{name}": value}
    given = {key: text for key, text in environment.items() if text is not None}
    with pytest.raises(SettingsError) as caught:
        Settings.read(given)
    assert f"PIONEERS_LLM_{name}" in str(caught.value)
    assert told in str(caught.value)
    assert "pass" not in str(caught.value)


def test_the_key_is_not_shown() -> None:
    settings = Settings.read({**GOOD, "PIONEERS_LLM_KEY": "sk-Secret_1/2+3=="})
    assert settings.key == "sk-Secret_1/2+3=="
    assert "Secret" not in f"{settings} {settings!r}"
    assert "Secret" not in repr(vars(configured("llm", {**GOOD, "PIONEERS_LLM_KEY": "Secret"})))


def test_no_other_bot_is_told_of_the_model() -> None:
    environment = {**GOOD, "PIONEERS_LLM_KEY": "sk", "PIONEERS_SEED": "1", "HOME": "/"}
    assert settings_of("llm", environment) == {**GOOD, "PIONEERS_LLM_KEY": "sk"}
    assert settings_of("greedy", environment) == {}


def test_another_model_is_another_build() -> None:
    versions = {
        configured("llm", {**GOOD, "PIONEERS_LLM_MODEL": model}).version
        for model in ("small", "large", "x" * 200)
    }
    assert len(versions) == 3
    assert all(len(version) <= 100 for version in versions)


def test_without_httpx_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "runner.bots.llm.endpoint", raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(SettingsError, match=r"pip install 'pioneers-ladder\[llm\]'"):
        configured("llm", GOOD)


@pytest.mark.parametrize("host", ["999.1.1.1", "xn--"])
def test_an_address_that_only_the_client_refuses(host: str) -> None:
    with pytest.raises(SettingsError, match="PIONEERS_LLM_URL is no address"):
        configured("llm", {**GOOD, "PIONEERS_LLM_URL": f"http://{host}/v1"})
