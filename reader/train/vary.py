"""Other ways to say the same: slips of the pen, and offers as a whole trade would put them."""
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
