"""Watching a season's matches by their journals, which are written before anybody is told."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from engine import transcript as record
from engine.chance import derive_seed
from engine.game import Game, View
from runner.journal import SUFFIX


class Scene(Struct, frozen=True):
    """A match after one more step. view: a spectator's. told: what just happened, in sentences.
    end: how it ended, if it did."""

    header: record.Header
    view: View
    told: tuple[str, ...]
    end: record.End | None = None


class Onlooker:
    """Follows the matches of a season, one after the other, from the first step to the last."""

    def __init__(self, data: Path, game: type[Game], secret: bytes) -> None:
        """data: the season's directory. secret: the season's; whoever has it may see all."""
        self._folders = (data / "playing", data / "transcripts")
        self._game = game
        self._secret = secret
        self._last = ""
        self._file: BinaryIO | None = None
        self._header: record.Header | None = None
        self._play: record.Playthrough | None = None

    def close(self) -> None:
        """Close the journal that is being read, if any."""
        if self._file is not None:
            self._file.close()

    def next(self) -> Scene | None:
        """The next step, or None where it is not written yet. Raises TranscriptError."""
        while True:
            if self._file is None and not self._open_next():
                return None
            line = self._line()
            if line is None:
                return None
            scene = self._see(line)
            if scene is not None:
                return scene

    def _open_next(self) -> bool:
        paths = {path.name: path for folder in self._folders for path in folder.glob(f"*{SUFFIX}")}
        later = sorted(name for name in paths if name > self._last)
        if not later:
            return False
        try:
            self._file = paths[later[0]].open("rb")
        except FileNotFoundError:  # it has just moved from one folder to the other
            return False
        self._last = later[0]
        return True

    def _line(self) -> record.Header | record.Decision | record.End | None:
        """The next whole line of the journal."""
        assert self._file is not None
        start = self._file.tell()
        text = self._file.readline()
        if not text.endswith(b"\n"):
            self._file.seek(start)
            return None
        line: record.Header | record.Decision | record.End = record.decode_line(text)
        return line

    def _see(self, line: record.Header | record.Decision | record.End) -> Scene | None:
        if isinstance(line, record.Header):
            self._header = line
            self._play = record.deal(line, derive_seed(self._secret, line.match), self._game)
            return self._scene(("the match begins",))
        assert self._play is not None
        if isinstance(line, record.End):
            assert self._file is not None
            self._file.close()
            self._file = None
            return self._scene((), line)
        events = record.replay(self._play, line)
        if events is None:
            return None
        return self._scene(tuple(self._game.narrate(event) for event in events))

    def _scene(self, told: tuple[str, ...], end: record.End | None = None) -> Scene:
        assert self._header is not None
        assert self._play is not None
        return Scene(self._header, self._play.game.view(None), told, end)
