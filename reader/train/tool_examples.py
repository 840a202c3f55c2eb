"""What the reader of tool needs learns from: needs with their tools, and messages without a need."""
import glob
import json
import os
import zlib
from dataclasses import dataclass, field

from examples import blocks_of

# One line in so many is held back to judge by, chosen by its own words.
HELD = 14
# Beside the tool that fits best, how much each other one counts.
ALSO_RIGHT = 0.5
ALTERNATIVE = 0.06
# What a message may wish of any tool, whatever it is for; marked in the first part of a line.
WISHES = (
    "self", "managed", "open", "free", "cheap", "eu", "us", "apac", "eu-maker", "not-us"
)
# Files that say so in a line of their own have such marks wherever a message wishes something.
MARKED = "# Wishes are marked."
# And so do those whose lines have neighbours without a need in messages.txt: they weigh as much.
PAIRED = "# Their neighbours without a need are in messages.txt."
# How much a message counts, by where it is from.
WEIGHTS = {"need": 0.7, "written": 1.0, "keyword": 0.2, "own": 3.0, "trade": 1.0, "talk": 0.6}


class BadExample(Exception):
    pass


@dataclass
class Message:
    text: str
    right: dict  # tool → share; empty where no tool is wanted, or nobody said which
    is_need: float
    source: str
    held: bool = False
    # Wish → whether it is wished; where nobody said, it is not there.
    wishes: dict = field(default_factory=dict)
    # The file it stands in, of those in `tools/examples`.
    file: str = ""


def read_tools(catalog):
    tools = []
    for path in sorted(glob.glob(os.path.join(catalog, "*.json"))):
        with open(path, encoding="utf-8") as file:
            tools += json.load(file)
    return tools


def shares(first, others, each):
    whole = 1 + each * len(others)
    return {first: 1 / whole, **{other: each / whole for other in others}}


def is_held(text):
    return zlib.crc32(text.encode()) % HELD == 0


def read_line(line, where, known, is_marked):
    """`slug[,slug…] [+wish…] | message`; a wish with a `?` is left open."""
    said, bar, text = line.partition(" | ")
    if not bar:
        raise BadExample(f"{where}: no ' | '")
    named, *marks = said.split(" +")
    slugs = list(dict.fromkeys(slug.strip() for slug in named.split(",")))
    for slug in slugs:
        if slug not in known:
            raise BadExample(f"{where}: no tool {slug}")
    wishes = dict.fromkeys(WISHES, 0.0) if is_marked else {}
    for mark in marks:
        if mark.rstrip("?") not in WISHES or not is_marked:
            raise BadExample(f"{where}: {mark} marks nothing here")
        wishes[mark.rstrip("?")] = 1.0
        if mark.endswith("?"):
            del wishes[mark[:-1]]
    right = shares(slugs[0], slugs[1:], ALSO_RIGHT)
    return Message(text, right, 1, "written", is_held(text), wishes)


def written_needs(folder, known):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        is_marked = MARKED in lines
        source = "own" if PAIRED in lines else "written"
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                file = os.path.basename(path)
                message = read_line(line, f"{file}:{number}", known, is_marked)
                message.file, message.source = file, source
                found.append(message)
    return found


def catalog_needs(tools):
    category = {tool["slug"]: tool["category"] for tool in tools}
    found = []
    for tool in tools:
        slug = tool["slug"]
        near = [a for a in tool["alternatives"] if category.get(a) == tool["category"]]
        right = shares(slug, near, ALTERNATIVE)
        found += [Message(text, right, 1, "need") for text in tool["needs"]]
        # "webhooks" says something about many tools and is a need for few of them.
        found += [Message(text, {}, 1, "keyword") for text in tool["keywords"]]
    return found


def own_lines(path):
    """Messages labelled by hand, what others are wrapped in, and trades that are such needs."""
    found, frames, trades = [], [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line[:1] in ("+", "?"):
                trades.update((word[1:], word[0]) for word in line.split())
            elif line[:2] in ("T ", "N "):
                found.append(Message(line[2:], {}, float(line[0] == "T"), "own"))
            elif line.startswith("F "):
                frames.append(line[2:])
    return found, frames, trades


def talks(folder, trades):
    found = []
    for block in blocks_of(folder):
        if block.language != "en" or block.turns[0][0] != "u":
            continue
        _, text, (kind, trade, _) = block.turns[0]
        sign = trades.get(trade) if kind == "need" else None
        if sign == "?":
            continue
        found.append(Message(text, {}, float(sign == "+"), "trade" if sign else "talk"))
    return found


def read_messages(reader, catalog):
    tools = read_tools(catalog)
    known = {tool["slug"] for tool in tools}
    own, frames, trades = own_lines(os.path.join(reader, "tools", "messages.txt"))
    messages = [
        *written_needs(os.path.join(reader, "tools", "examples"), known),
        *catalog_needs(tools),
        *own,
        *talks(os.path.join(reader, "examples"), trades),
    ]
    return tools, messages, frames
