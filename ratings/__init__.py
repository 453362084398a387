"""The ledger of results, the ratings folded from it, pairing and tables; knows no game."""
