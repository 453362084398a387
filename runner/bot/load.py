"""Finding the bot in an author's file."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType

from runner.bot.bot import Bot

_MODULE = "bot_of_the_author"


class BotFileError(Exception):
    """A file that gives no bot; the message says why, with the author's traceback if it raised."""


def load_bot(path: Path, class_name: str | None = None) -> type[Bot]:
    """The bot class in the Python file `path`: the only one that it defines, or `class_name`.

    The file's folder is searched for the modules that it imports, as if it had been run.
    Raises BotFileError.
    """
    module = _execute(path)
    bots = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Bot) and value.__module__ == _MODULE
    }
    if class_name is not None:
        if class_name not in bots:
            raise BotFileError(f"{path}: no bot class {class_name!r}; it has {_list(bots)}")
        return bots[class_name]
    # A base class of one's own is no candidate beside the class made from it.
    last = [
        bot
        for bot in bots.values()
        if not any(other is not bot and issubclass(other, bot) for other in bots.values())
    ]
    if len(last) != 1:
        hint = "; say which with --class" if last else ": subclass runner.bot.Bot"
        raise BotFileError(f"{path}: expected one bot class, found {_list(bots)}{hint}")
    return last[0]


def _list(bots: dict[str, type[Bot]]) -> str:
    return ", ".join(bots) or "none"


def _execute(path: Path) -> ModuleType:
    if not path.is_file():
        raise BotFileError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if spec is None or spec.loader is None:
        raise BotFileError(f"{path}: not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BotFileError(f"{path} cannot be loaded:\n{_as_the_author_sees_it(error)}") from error
    return module


def _as_the_author_sees_it(error: Exception) -> str:
    """The traceback without the frames of whoever loads the file."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_globals.get("__name__") != _MODULE:
        frame = frame.tb_next
    return "".join(traceback.format_exception(error.with_traceback(frame))).rstrip()
