"""Writes the words the examples use: what people say when they want something, and how often.

    python3 words.py EXAMPLES_FOLDER OUT_FOLDER

A slip of the pen is put right only to a word that is said here or common in the vocabulary. What
is said once may be a slip itself: whoever reads the file asks a dictionary about those.
"""
import collections
import glob
import re
import sys


def main():
    examples, out = sys.argv[1:]
    counts = collections.Counter()
    for path in sorted(glob.glob(f"{examples}/*.txt")):
        foreign = False
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    if "lang:" in line:
                        foreign = "lang: en" not in line
                elif not foreign:
                    counts.update(re.findall("[a-z]+", line.lower()))
    with open(f"{out}/words.txt", "w", encoding="utf-8") as file:
        for word, count in sorted(counts.items()):
            if len(word) > 3:
                file.write(f"{word} {count}\n")


if __name__ == "__main__":
    main()
