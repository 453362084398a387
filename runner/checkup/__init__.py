"""A conformance run: a bot at a real table at which things go wrong, and what to mend."""
