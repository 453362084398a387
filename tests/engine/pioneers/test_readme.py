"""What the engine's README says about Pioneers holds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import msgspec

import engine
from engine.pioneers import Pioneers, Position

ENGINE = Path(engine.__file__).parent
README = (ENGINE / "README.md").read_text(encoding="utf-8")


def raised_codes() -> set[str]:
    """The first argument of every IllegalAction that the rules make."""
    codes: set[str] = set()
    for path in (ENGINE / "pioneers").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalAction":
                code = node.args[0]
                assert isinstance(code, ast.Constant)
                codes.add(code.value)
    return codes


def test_the_table_of_codes_is_complete() -> None:
    section = README.split("### Why an action is refused")[1].split("### Positions")[0]
    listed = re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)
    assert len(listed) == len({*listed})
    assert {*listed} == raised_codes()


def test_the_example_position_is_one() -> None:
    example = README.split("### Positions")[1].split("```json")[1].split("```")[0]
    game = Pioneers.from_position(msgspec.json.decode(example, type=Position))
    view = game.view(1)
    assert (view.turn, view.current, view.dice) == (8, 1, (3, 6))
    assert dict(game.pending()) == {1: "turn"}
    assert view.knights == (0, 1, 0)
    fields = msgspec.json.decode(example)
    for name in list(fields)[-7:]:
        del fields[name]
    assert Pioneers.from_position(msgspec.convert(fields, Position)).pending() == game.pending()


def test_kinds_and_actions_are_all_described() -> None:
    section = README.split("### A turn")[1].split("### Points and awards")[0]
    described = {*re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)}
    tags = {type_.__struct_config__.tag for type_ in Pioneers.kinds["turn"].__args__}
    assert described == {*Pioneers.kinds} | tags
