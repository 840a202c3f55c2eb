"""Finds the words and parts of words that the base model's vocabulary lacks and messages have.

    python3 learn_pieces.py BASE_FOLDER READER_FOLDER CATALOG_FOLDER OUT.txt [--most 16000]

The base model was made for English: it reads other languages letter by letter, and most ideographs
not at all. First come the characters it does not know, then the most frequent neighbours are joined,
again and again, as long as they are frequent enough to be learned.
"""
import argparse
import heapq
from collections import Counter, defaultdict

from tokens import LONGEST_WORD, UNKNOWN, Tokens, vocabulary, with_pieces, words
from tool_examples import read_messages

# Seen less often a character says nothing, and a joined piece is learned by nobody.
LEAST_CHARACTER, LEAST_PIECE = 3, 12


def unknown_characters(tokens, counts):
    """Ideographs stand alone; other characters may begin a word or go on with it."""
    found = Counter()
    for word, count in counts.items():
        if tokens.pieces(word) == [UNKNOWN] and len(word) <= LONGEST_WORD:
            for at, char in enumerate(word):
                found[char if at == 0 else "##" + char] += count
    return [c for c, count in found.most_common() if count >= LEAST_CHARACTER and c not in tokens.vocab]


def joined(first, second):
    return first + second.removeprefix("##")


class Joining:
    """Words as rows of pieces, and how often which two stand side by side."""

    def __init__(self, tokens, counts):
        names = {number: piece for piece, number in tokens.vocab.items()}
        self.rows, self.counts = [], []
        self.pairs, self.places = Counter(), defaultdict(set)
        for word, count in counts.items():
            ids = tokens.pieces(word)
            if len(ids) > 1:
                self.add([names[number] for number in ids], count)
        self.waiting = [(-count, pair) for pair, count in self.pairs.items()]
        heapq.heapify(self.waiting)

    def add(self, row, count):
        self.rows.append(row)
        self.counts.append(count)
        for pair in zip(row, row[1:]):
            self.pairs[pair] += count
            self.places[pair].add(len(self.rows) - 1)

    def next(self):
        """The most frequent neighbours; of equals the same ones every time."""
        while self.waiting:
            negative, pair = heapq.heappop(self.waiting)
            count = self.pairs.get(pair, 0)
            if count == -negative:
                return pair, count
            if count > 0:
                heapq.heappush(self.waiting, (-count, pair))
        return None, 0

    def join(self, pair):
        told = set()
        for at in sorted(self.places.pop(pair)):
            row, count = self.rows[at], self.counts[at]
            for old in zip(row, row[1:]):
                self.pairs[old] -= count
            made, place = [], 0
            while place < len(row):
                if tuple(row[place : place + 2]) == pair:
                    made.append(joined(*pair))
                    place += 2
                else:
                    made.append(row[place])
                    place += 1
            self.rows[at] = made
            for new in zip(made, made[1:]):
                self.pairs[new] += count
                self.places[new].add(at)
                told.add(new)
        del self.pairs[pair]
        for new in told:
            heapq.heappush(self.waiting, (-self.pairs[new], new))


def learn(tokens, counts, most):
    found = unknown_characters(tokens, counts)
    known = Tokens(with_pieces(tokens.vocab, found))
    joining = Joining(known, counts)
    while len(found) < most:
        pair, count = joining.next()
        if count < LEAST_PIECE:
            break
        joining.join(pair)
        if joined(*pair) not in known.vocab:
            known.vocab[joined(*pair)] = len(known.vocab)
            found.append(joined(*pair))
    return found


def main():
    parser = argparse.ArgumentParser(description="pieces of words the base model lacks")
    for name in ("base", "reader", "catalog", "out"):
        parser.add_argument(name)
    parser.add_argument("--most", type=int, default=16000)
    options = parser.parse_args()
    tokens = Tokens(vocabulary(f"{options.base}/tokenizer.json"))
    _, messages, _ = read_messages(options.reader, options.catalog)
    counts = Counter(word for message in messages for word in words(message.text))
    found = learn(tokens, counts, options.most)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("".join(piece + "\n" for piece in found))
    print(f"{len(found)} pieces from {len(counts)} words")


if __name__ == "__main__":
    main()
