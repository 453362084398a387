"""Season formats: schedulers that say, whenever they are asked, which match comes next."""

from ratings.formats.gauntlet import Gauntlet
from ratings.formats.knockout import Knockout
from ratings.formats.ladder import Ladder
from ratings.formats.round_robin import RoundRobin
from ratings.formats.scheduler import Scheduler
from ratings.formats.swiss import Swiss

__all__ = ["Gauntlet", "Knockout", "Ladder", "RoundRobin", "Scheduler", "Swiss"]
