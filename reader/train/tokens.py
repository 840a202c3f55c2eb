"""WordPiece as the base model was trained with: lower case, no accents, punctuation apart."""
import json
import unicodedata

CLS, SEP, UNKNOWN = 101, 102, 100
LONGEST_WORD = 100


def vocabulary(tokenizer_json):
    with open(tokenizer_json, encoding="utf-8") as file:
        return json.load(file)["model"]["vocab"]


def read_pieces(path):
    """What a model was taught beside the base model's vocabulary, in the order of its table."""
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def with_pieces(vocab, pieces):
    return {**vocab, **{piece: len(vocab) + at for at, piece in enumerate(pieces)}}


def is_punctuation(char):
    code = ord(char)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(char).startswith("P")


def is_chinese(code):
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2A6DF
        or 0x2A700 <= code <= 0x2B81F
        or 0x2B820 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )


def words(text):
    """Cleaned, lower case, split at spaces and around every punctuation mark."""
    out, word = [], []

    def flush():
        if word:
            out.append("".join(word))
            word.clear()

    for char in unicodedata.normalize("NFD", text.lower()):
        category = unicodedata.category(char)
        if char in "\t\n\r" or category == "Zs":
            flush()
        elif char == "\0" or char == "\ufffd" or category.startswith("C") or category == "Mn":
            continue
        elif is_punctuation(char) or is_chinese(ord(char)):
            flush()
            out.append(char)
        else:
            word.append(char)
    flush()
    return out


class Tokens:
    def __init__(self, vocab):
        self.vocab = vocab
        self.known = {}

    def pieces(self, word):
        if word in self.known:
            return self.known[word]
        ids, start = [], 0
        if len(word) > LONGEST_WORD:
            return [UNKNOWN]
        while start < len(word):
            end = len(word)
            while end > start:
                piece = word[start:end] if start == 0 else "##" + word[start:end]
                if piece in self.vocab:
                    break
                end -= 1
            if end == start:
                ids = [UNKNOWN]
                break
            ids.append(self.vocab[piece])
            start = end
        self.known[word] = ids
        return ids

    def ids(self, text):
        # Longer texts are cut anyway; what is read of them stands at their two ends.
        if len(text) > 6000:
            text = text[:3000] + " " + text[-3000:]
        return [piece for word in words(text) for piece in self.pieces(word)]


NEWEST, NEWEST_HEAD, EARLIER, OFFER = 64, 40, 32, 64


def newest_ids(ids):
    return ids if len(ids) <= NEWEST else ids[:NEWEST_HEAD] + ids[NEWEST_HEAD - NEWEST :]


def conversation_ids(tokens, newest, previous=None, answer=None):
    """The newest message, then what stood before it: (ids, token types)."""
    first = [CLS, *newest_ids(tokens.ids(newest)), SEP]
    second = []
    if previous:
        second += [*tokens.ids(previous)[:EARLIER], SEP]
    if answer:
        second += [*tokens.ids(answer)[:EARLIER], SEP]
    return first + second, [0] * len(first) + [1] * len(second)


def offer_ids(tokens, text):
    ids = [CLS, *tokens.ids(text)[: OFFER - 2], SEP]
    return ids, [0] * len(ids)
