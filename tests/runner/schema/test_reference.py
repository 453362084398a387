"""The published reference, held against the structs, real traffic, and AsyncAPI's own schema."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator
from msgspec import Meta, Struct
from msgspec import inspect as shapes
from msgspec.structs import fields
from referencing import Registry, Resource

from engine.catalog import GAMES
from engine.game import Game
from runner.bots import NAMES
from runner.checkup.candidate import Candidate, entry
from runner.checkup.relay import Frame
from runner.schema.asyncapi import VERSION
from runner.schema.components import Schema, components, structs_in
from runner.schema.fields import docs_of
from runner.schema.reference import CLIENT_MESSAGES, SERVER_MESSAGES, documents, write
from runner.tryout.plan import entrants
from tests.runner.cli.commands import pioneers

SPECS = Path(__file__).parents[2] / "bots/js/node_modules/@asyncapi/specs/schemas"
BASE = "https://reference.test/"

# Hears everything, and is struck now and then.
BOT = """
from engine.pioneers.actions import BuildCity
from engine.program.actions import Research
from runner.bot import Bot

class Mine(Bot):
    events = True
    version = "1.0"
    check_actions = False
    turns = 0

    def decide(self, request):
        legal = request.legal()
        if request.kind != "turn":
            return legal[0]
        self.turns += 1
        if self.turns == 9:
            return BuildCity(0) if self.game.id == "pioneers" else Research("c1", 1)
        return legal[self.turns % len(legal)]
"""


@pytest.fixture(scope="module")
def reference() -> dict[str, Schema]:
    return documents(GAMES.values())


@pytest.fixture(scope="module")
def registry(reference: dict[str, Schema]) -> Registry[Any]:
    resources = [
        (BASE + name, Resource.from_contents(document))
        for name, document in reference.items()
        if name.endswith(".schema.json")
    ]
    return Registry().with_resources(resources)


def validator(name: str, registry: Registry[Any]) -> Validator:
    return Draft202012Validator({"$ref": BASE + name}, registry=registry)


def published() -> list[type[Struct]]:
    types: list[Any] = [*CLIENT_MESSAGES, *SERVER_MESSAGES]
    for game in GAMES.values():
        types += [*game.kinds.values(), game.view_type, game.event_type]
    return structs_in(types)


@pytest.mark.parametrize("struct", published(), ids=lambda struct: struct.__name__)
def test_every_field_says_what_it_is_and_every_number_its_unit(struct: type[Struct]) -> None:
    assert re.match(r"[A-Z].*", struct.__doc__ or ""), "a docstring of its own"
    docs = docs_of(struct)
    for field in fields(struct):
        assert field.name in docs, f"{field.name}: no docstring below it"
        assert docs[field.name].text.endswith("."), f"{field.name}: not a sentence"
        if holds_numbers(shapes.type_info(field.type)):
            assert docs[field.name].unit, f"{field.name}: no unit"


def holds_numbers(shape: Any) -> bool:
    """Whether numbers stand in a field itself, not in the fields of its structs."""
    match shape:
        case shapes.IntType() | shapes.FloatType():
            return True
        case shapes.UnionType(types=types) | shapes.TupleType(item_types=types):
            return any(map(holds_numbers, types))
        case shapes.VarTupleType(item_type=inner) | shapes.Metadata(type=inner):
            return holds_numbers(inner)
        case shapes.DictType(value_type=inner):
            return holds_numbers(inner)
    return False


def test_every_document_is_a_schema_and_its_examples_keep_it(
    reference: dict[str, Schema], registry: Registry[Any]
) -> None:
    for name, document in reference.items():
        if not name.endswith(".schema.json"):
            continue
        Draft202012Validator.check_schema(document)
        for example in document.get("examples", ()):
            validator(name, registry).validate(example)
        for called, part in document["$defs"].items():
            for key, field in part["properties"].items():
                assert field["description"], (name, called, key)
                (example,) = field["examples"]
                path = f"{name}#/$defs/{called}/properties/{key}"
                validator(path, registry).validate(example)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
async def test_the_traffic_of_a_season_keeps_the_schemas(
    game: type[Game], tmp_path: Path, registry: Registry[Any]
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT, encoding="utf-8")
    (bot,) = entrants([str(file)], NAMES)
    candidate = Candidate(entry(bot), game, 5000, tmp_path / "data", tmp_path)
    sitting = await candidate.table("season", seconds=180.0).play()

    seen = Counter(frame.type for frame in sitting.frames)
    assert set(seen) == {
        *("hello", "answer"),
        *("welcome", "match_start", "request", "strike", "event", "match_end", "goodbye"),
    }
    kinds: dict[int, str] = {}
    for frame in sitting.frames:
        name = f"messages/{frame.type}.schema.json"
        assert errors_of(frame, name, registry) == []
        message = frame.message
        assert message is not None
        if frame.type == "request":
            kinds[message["id"]] = message["kind"]
        if frame.type == "answer" and "action" in message:
            kind = kinds[message["id"]]
            action = f"{game.id}/action.{kind}.schema.json"
            validator(action, registry).validate(message["action"])


def errors_of(frame: Frame, name: str, registry: Registry[Any]) -> list[str]:
    found = validator(name, registry).iter_errors(frame.message)
    return [f"{error.json_path}: {error.message}" for error in found]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"deadlineMs": "soon"}, "$.deadlineMs"),
        ({"game": "chess"}, "$.game"),
        ({"view": {}}, "$.view"),
    ],
)
def test_a_request_that_is_wrong_does_not_pass(
    change: dict[str, Any], where: str, reference: dict[str, Schema], registry: Registry[Any]
) -> None:
    name = "messages/request.schema.json"
    (example,) = reference[name]["examples"]
    found = validator(name, registry).iter_errors({**example, **change})
    assert {error.json_path for error in found} == {where}


@pytest.mark.skipif(not SPECS.is_dir(), reason="`npm install` in tests/bots/js brings the schema")
def test_the_asyncapi_document_keeps_the_schema_of_asyncapi(reference: dict[str, Schema]) -> None:
    schema = json.loads((SPECS / f"{VERSION}.json").read_text(encoding="utf-8"))
    official = Draft7Validator(schema)
    document = reference["asyncapi.json"]
    assert [error.message for error in official.iter_errors(document)] == []
    broken = copy.deepcopy(document)
    broken["operations"]["send_welcome"]["action"] = "shout"
    assert not official.is_valid(broken)


def test_the_asyncapi_document_refers_only_to_what_it_has(reference: dict[str, Schema]) -> None:
    document = reference["asyncapi.json"]
    references = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))
    assert references
    for reference_ in references:
        place = document
        assert reference_.startswith("#/")
        for part in reference_[2:].split("/"):
            place = place[part]


def test_the_asyncapi_schemas_take_the_examples(reference: dict[str, Schema]) -> None:
    document = reference["asyncapi.json"]
    for name, message in document["components"]["messages"].items():
        schema = {**message["payload"], "components": document["components"]}
        (example,) = message["examples"]
        assert list(Draft7Validator(schema).iter_errors(example["payload"])) == [], name


def test_the_command_writes_what_is_made(tmp_path: Path, reference: dict[str, Schema]) -> None:
    result = pioneers("schema", "--out", str(tmp_path / "a"))
    assert result.exit_code == 0, result.output
    write(reference, tmp_path / "b")
    names = {path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.json")}
    assert {str(name) for name in names} == set(reference)
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = pioneers("schema", "--out", str(tmp_path / "file"))
    assert result.exit_code == 1
    assert "Not a directory" in result.stderr or "File exists" in result.stderr


class Bare(Struct):
    """A struct with a field that nobody has described."""

    number: int


class Garbled(Struct):
    """A struct with an example that is no JSON."""

    number: Annotated[int, Meta(ge=0)]
    """A number. [things] Example: `seven`"""


def test_a_field_without_docs_is_named() -> None:
    with pytest.raises(LookupError, match=r"Bare\.number: no docstring below it"):
        components([Bare], {}, "{name}")


def test_an_example_that_is_no_json_is_named() -> None:
    with pytest.raises(ValueError, match=r"Garbled\.number: the example is no JSON"):
        components([Garbled], {}, "{name}")


def test_the_structs_are_what_is_read_and_written() -> None:
    hello = msgspec.json.encode(CLIENT_MESSAGES[0]())
    assert json.loads(hello) == {"type": "hello"}
