"""Other ways to say the same: slips of the pen, messages one behind the other, and offers as a whole
trade would put them."""
from dataclasses import replace

import numpy as np

# Trades nearer than this, by the words of their names, are sold side by side.
NEIGHBOURS = 0.45
MOST_NEIGHBOURS = 6
# How many ways each trade is put.
WAYS = 6
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slip(text, source):
    """One word, two in a long text, as a hurried hand types it."""
    words = text.split(" ")
    for _ in range(2 if len(words) > 20 else 1):
        at = source.randrange(len(words))
        word = words[at]
        if len(word) < 3:
            continue
        place = source.randrange(len(word) - 1)
        before, letter, after = word[:place], word[place], word[place + 1 :]
        words[at] = source.choice(
            (
                before + after[0] + letter + after[1:],
                before + after,
                before + letter + letter + after,
                before + source.choice(LETTERS) + after,
            )
        )
    return " ".join(words)


# Between two things that are said in one message.
JOINS = (". ", "\n", " — ", "; ", " ", "\n\n", ", and ")
LONGEST_JOINED = 160
# How often a need is told beside something that is none, with another one, and a message without a
# need beside another such: as often as the first, or whatever is long would seem to be a need.
BESIDE, BOTH, NEITHER = 0.08, 0.03, 0.12


class Joining:
    """Messages read one behind the other: a need stays one, whatever else is said with it."""

    def __init__(self, messages):
        short = [m for m in messages if len(m.text) < LONGEST_JOINED]
        self.nones = [m.text for m in short if m.source == "own" and not m.is_need]
        self.needs = [m for m in short if m.source == "written"]

    def joined(self, message, source):
        drawn = source.random()
        if not message.right:
            if message.is_need or message.source != "own" or drawn > NEITHER:
                return message
            return replace(message, text=self.beside(message.text, source))
        if drawn < BESIDE:
            return replace(message, text=self.beside(message.text, source))
        if drawn < BESIDE + BOTH and message.source == "written":
            other = source.choice(self.needs)
            text = message.text + source.choice(JOINS) + other.text
            tools = {*message.right, *other.right}
            share = lambda tool: (message.right.get(tool, 0) + other.right.get(tool, 0)) / 2
            return replace(message, text=text, right={t: share(t) for t in tools}, wishes={})
        return message

    def beside(self, text, source):
        both = [source.choice(self.nones), text]
        source.shuffle(both)
        return source.choice(JOINS).join(both)


def general_offers(trades, vectors, source):
    """What a general shop or service says of itself, by trade: its name and some neighbours'."""
    names = [trade.replace("-", " ") for trade in trades]
    nearness = vectors @ vectors.T
    found = {}
    for index, trade in enumerate(trades):
        order = [i for i in np.argsort(-nearness[index]) if i != index][:MOST_NEIGHBOURS]
        near = [names[i] for i in order if nearness[index, i] > NEIGHBOURS]
        ways = []
        for _ in range(WAYS):
            count = min(len(near), source.choice((0, 1, 1, 2, 2)))
            listed = [names[index], *source.sample(near, count)]
            source.shuffle(listed)
            ways.append(in_one_line(listed))
        found[trade] = ways
    return found


def in_one_line(names):
    text = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    return text[0].upper() + text[1:]
