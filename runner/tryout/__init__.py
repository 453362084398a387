"""Matches on one's own machine, to see how a bot does before it enters a season."""
