"""Reads the example files (reader/examples/*.txt) into labelled turns."""
import glob
import os
import zlib
from dataclasses import dataclass, field


@dataclass
class Turn:
    """One message of a person with what stood before it, and what a reader should say of it."""

    newest: str
    previous: str | None
    answer: str | None
    label: str  # need, none or never
    trade: str | None
    offer: str | None
    language: str
    file: str
    held: bool  # kept from training, to judge and calibrate by


# One conversation in so many is held back, chosen by its own words: more examples do not move it.
HELD = 12


@dataclass
class Block:
    turns: list = field(default_factory=list)  # ('u' or 'a', text, label)
    language: str = "en"


class BadExample(Exception):
    pass


def blocks(path):
    found, block, label, language, offer = [], None, None, "en", None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            where = f"{os.path.basename(path)}:{number}"
            if line.startswith("#"):
                if line[1:].strip().startswith("lang:"):
                    language = line.split(":", 1)[1].strip()
                continue
            if not line.strip():
                if block and block.turns:
                    found.append(block)
                block, label = None, None
                continue
            if block is None:
                block, offer = Block(language=language), None
            if line.startswith("  ") and block.turns:
                role, text, known = block.turns[-1]
                block.turns[-1] = (role, text + "\n" + line[2:], known)
            elif line.startswith("^ "):
                continue  # system prompts are not read
            elif line.startswith("< "):
                block.turns.append(("a", line[2:], None))
            elif line.startswith("> "):
                if label is None:
                    raise BadExample(f"{where}: a turn without a label")
                block.turns.append(("u", line[2:], label))
                label = None
            elif line in ("none", "never"):
                label = (line, None, None)
            elif line.startswith("need ") and "|" in line:
                trade, text = (part.strip() for part in line[5:].split("|", 1))
                offer = offer if text == "=" else text
                if not offer or not trade or " " in trade:
                    raise BadExample(f"{where}: a need without trade or offer")
                label = ("need", trade, offer)
            else:
                raise BadExample(f"{where}: cannot be read: {line[:50]}")
    if block and block.turns:
        found.append(block)
    return found


def same_trades(path):
    """The first slug of each group for every other: several words for one trade."""
    first = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                group = [singular(slug) for slug in line.split()]
                # A slug of two groups joins them.
                target = next((first[slug] for slug in group if slug in first), group[0])
                for slug in group:
                    first.setdefault(slug, target)
    return first


def singular(slug):
    return slug[:-1] if slug.endswith("s") and not slug.endswith("ss") else slug


def paths(folder):
    return sorted(glob.glob(os.path.join(folder, "*.txt")))


def blocks_of(folder):
    return [block for path in paths(folder) for block in blocks(path)]


def read(folder):
    turns, first = [], same_trades(os.path.join(folder, "..", "same-trades.txt"))
    for path in paths(folder):
        for block in blocks(path):
            held = zlib.crc32(block.turns[0][1].encode()) % HELD == 0
            previous = answer = None
            for role, text, label in block.turns:
                if role == "a":
                    answer = text
                    continue
                file = os.path.basename(path)[:-4]
                kind, trade, offer = label
                trade = trade and first.get(singular(trade), singular(trade))
                turn = Turn(text, previous, answer, kind, trade, offer, block.language, file, held)
                turns.append(turn)
                previous, answer = text, None
    return turns
