"""Seasons of bot matches over WebSockets: gateway, matches, journals, the `pioneers` command."""
