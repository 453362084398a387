from __future__ import annotations

import pytest

from runner.bot.retry import Refused, Retries, check_close, check_status


def test_delays_double_up_to_the_cap_and_start_over_after_success() -> None:
    retries = Retries(first_s=1.0, longest_s=5.0, draw=lambda: 1.0)
    assert [retries.delay_s() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    retries.succeeded()
    assert retries.delay_s() == 1.0


def test_jitter_takes_off_up_to_half() -> None:
    assert Retries(first_s=1.0, draw=lambda: 0.0).delay_s() == 0.5


def test_delay_never_undercuts_what_the_server_asked_for() -> None:
    assert Retries(first_s=1.0, draw=lambda: 0.0).delay_s(at_least_s=3.0) == 3.5


def test_a_thousand_failures_still_give_the_cap() -> None:
    retries = Retries(first_s=1.0, longest_s=5.0, draw=lambda: 1.0)
    assert {retries.delay_s() for _ in range(1000)} == {1.0, 2.0, 4.0, 5.0}


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1011, 1013, 4408, 4413])
def test_passing_close_codes(code: int) -> None:
    check_close(code, "", None, welcomed=False)


@pytest.mark.parametrize(
    ("code", "words"),
    [(4401, "token"), (4403, "not entered"), (4409, "took over"), (4400, "greeting")],
)
def test_hopeless_close_codes_say_why(code: int, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        check_close(code, "closing", "bad: the server's words", welcomed=False)
    assert refused.value.code == code
    assert "the server's words" in str(refused.value)


def test_malformed_after_the_welcome_is_worth_another_try() -> None:
    check_close(4400, "malformed frame", None, welcomed=True)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_passing_http_statuses(status: int) -> None:
    check_status(status)


def test_a_wrong_path_is_explained() -> None:
    with pytest.raises(Refused, match="/play") as refused:
        check_status(404)
    assert refused.value.code == 404
