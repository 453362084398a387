"""`llm`: a language model at the table, behind any endpoint that speaks OpenAI's chat completions.

The view goes out as text with the legal actions numbered (`prompt`), a number and some talk come
back (`reply`), and where they do not, `greedy` or `settler` plays (`bot`). The model is shown what
other bots said, quoted and cut short, as something that was said: it may be talked into a bad
move, as people may, but into nothing else, for all that it can answer is the number of a legal
action and a sentence for the table.
"""
