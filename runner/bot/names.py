"""Methods of an author's class that nothing calls, though their names nearly say otherwise."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType

from engine.game import Game
from runner.bot.bot import Bot

# Of 1: two letters changed places in a word of four.
_CLOSE = 0.75


def misspelt(bot: type[Bot], game: type[Game], games: Iterable[type[Game]]) -> Mapping[str, str]:
    """What looks like a slip of the pen in `bot` for `game`: method -> the name that was meant.

    Only public methods that could be called as the kit would, that the author's file never
    mentions, and whose name is none of `Bot`'s and no kind of decision in any of `games`; only
    for names that the class does not define as well.
    """
    own = _methods(bot)
    known = {kind for other in games for kind in other.kinds} | set(dir(Bot))
    missing = [name for name in _called_by_the_kit(bot, game) if name not in own]
    mentioned = {name for code in _code_around(own.values()) for name in _used(code)}
    mentioned |= {name for method in own.values() for name in _quoted(method.__code__)}
    found = {}
    for name, method in own.items():
        if name.startswith("_") or name in known or name in mentioned:
            continue
        near = difflib.get_close_matches(name.lower(), missing, n=1, cutoff=_CLOSE)
        if near and _takes(method, _arguments(near[0])):
            found[name] = near[0]
    return found


def _methods(bot: type[Bot]) -> dict[str, FunctionType]:
    """The plain methods of a class and its bases, up to the kit's; a property is none."""
    found: dict[str, FunctionType] = {}
    for base in bot.__mro__:
        if not base.__module__.startswith("runner.bot.") and base is not object:
            for name, value in vars(base).items():
                if isinstance(value, FunctionType):
                    found.setdefault(name, value)
    return found


def _called_by_the_kit(bot: type[Bot], game: type[Game]) -> list[str]:
    """What the kit would call in `bot` if it were there."""
    kinds = game.kinds if bot.decide is Bot.decide else ()
    hooks = [name for name in vars(Bot) if name.startswith("on_")]
    return [*kinds, "decide", *hooks]


def _arguments(name: str) -> int:
    """How many the kit passes, `self` included."""
    method = getattr(Bot, name, None)
    return 2 if method is None else len(inspect.signature(method).parameters)


def _takes(method: FunctionType, arguments: int) -> bool:
    try:
        inspect.signature(method).bind(*range(arguments))
    except TypeError:
        return False
    return True


def _code_around(methods: Iterable[FunctionType]) -> Iterator[CodeType]:
    """The code of methods, and of the functions and classes that are defined beside them."""
    for method in methods:
        yield method.__code__
        for value in list(method.__globals__.values()):
            if getattr(value, "__module__", None) != method.__module__:
                continue
            inside = vars(value).values() if isinstance(value, type) else (value,)
            for function in inside:
                # A property, a class method and the like hold the function that they are made of.
                bare = getattr(function, "fget", getattr(function, "__func__", function))
                if isinstance(bare, FunctionType):
                    yield bare.__code__


def _used(code: CodeType) -> Iterator[str]:
    """The names of attributes and globals in a function, functions within it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _used(constant)


def _quoted(code: CodeType) -> Iterator[str]:
    """The texts in a function: one may be a name, as in `getattr(self, "name")`."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _quoted(constant)
        elif isinstance(constant, str):
            yield constant
