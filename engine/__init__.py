"""The rules of the games, and nothing else: no clock, no socket, no global randomness."""
