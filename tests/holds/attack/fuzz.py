"""Fuzzing guided by coverage, with atheris.

    python -m tests.holds.attack.fuzz TARGET [-runs=100000] [-seed=1] [FOLDER OF CASES …]

Targets: messages, actions, frames, handshakes, configs. What follows the target is libFuzzer's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris  # type: ignore[import-untyped, unused-ignore]

with atheris.instrument_imports(include=["engine", "runner", "websockets"]):
    from tests.holds.attack.targets import TARGETS


def main() -> None:
    name, *options = sys.argv[1:]
    make, examples = TARGETS[name]
    with TemporaryDirectory() as folder, TemporaryDirectory() as place:
        for n, example in enumerate(examples):
            (Path(folder) / str(n)).write_bytes(example)
        atheris.Setup([sys.argv[0], *options, folder], make(Path(place)))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
