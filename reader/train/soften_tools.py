"""What is right about a line, softened by what a model says of it that did not learn it.

Whoever writes a line names the tools that come to mind; of its neighbours in the same category a
model that learned all other lines knows some more.
"""
import zlib

import numpy as np

# How much that model counts, and from which share of the category on it is believed.
SHARE = 0.15
BELIEVED = 0.2


def line_id(text):
    return zlib.crc32(text.encode())


def soften(messages, tools, path):
    """Changes what is right in place, and says of how many messages."""
    slugs = [tool["slug"] for tool in tools]
    category = {tool["slug"]: tool["category"] for tool in tools}
    stored, changed = np.load(path), 0
    told = {int(i): rest for i, *rest in zip(stored["id"], stored["tool"], stored["chance"])}
    for message in messages:
        # A condition rules out tools of the same category: what is said of them is no help.
        if message.source not in ("written", "own") or any(message.wishes.values()):
            continue
        own = {category[slug] for slug in message.right}
        if not own or line_id(message.text) not in told:
            continue
        found = zip(*told[line_id(message.text)])
        said = {slugs[t]: float(c) for t, c in found if category[slugs[t]] in own}
        whole = sum(said.values())
        if whole < BELIEVED:
            continue
        changed += 1
        message.right = {
            slug: (1 - SHARE) * message.right.get(slug, 0) + SHARE * said.get(slug, 0) / whole
            for slug in {*message.right, *said}
        }
    return changed
