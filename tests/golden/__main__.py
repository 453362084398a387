"""Write the golden files anew: `python -m tests.golden`, from the root of the project.

With names of files, only these; with --check, nothing is written and the files that differ from
what the engine does now are named (exit status 1).
"""

from __future__ import annotations

import argparse
import sys

from tests.golden.matches import FOLDER, files


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FILE", help="all golden files if left out")
    parser.add_argument("--check", action="store_true", help="write nothing, name differences")
    asked = parser.parse_args()
    made = files()
    unknown = set(asked.names) - set(made)
    if unknown:
        parser.error(f"no golden files: {', '.join(sorted(unknown))}; there are {', '.join(made)}")
    different = 0
    for name in asked.names or made:
        path = FOLDER / name
        text = made[name]()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            print(f"{name}: the same")
            continue
        different += 1
        if not asked.check:
            path.write_text(text, encoding="utf-8")
        print(f"{name}: {'differs' if asked.check else 'written'}")
    return 1 if asked.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
