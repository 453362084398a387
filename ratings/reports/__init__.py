"""What a season says, as tables: ratings, pairs, seats, bots, matches; and as a web page."""
