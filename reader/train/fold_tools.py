"""Trains some readers of tool needs, each of which is not shown one part of the lines, and writes
what each says of the part it has not seen, and the mean of them all.

    python3 fold_tools.py BASE_FOLDER READER_FOLDER CATALOG_FOLDER OUT.npz OUT.pt
                          [--folds 6] [--epochs 8]

`tools.py --told OUT.npz` learns from it. It prints lines whose labels those models doubt most: one
in some dozens lacks a tool that is as right.
"""
import argparse
import random

import numpy as np
import torch

from model import base_weights
from soften_tools import line_id
from tokens import Tokens, with_pieces
from tool_examples import read_messages
from tools import Labels, ToolReader, begin_tools, judge, read_all, spelled, train, vocabularies
from train import DEVICE

# So many tools are kept of each line, and so many doubted lines are shown.
KEPT = 8
SHOWN = 40
DOUBTED = 0.8


def told_of(model, tokens, messages):
    scores = read_all(model, tokens, [m.text for m in messages])[1]
    chances, tools = scores.softmax(1).topk(KEPT, dim=1)
    return {
        "id": np.array([line_id(m.text) for m in messages], dtype=np.uint32),
        "tool": tools.numpy().astype(np.int16),
        "chance": chances.numpy().astype(np.float16),
    }


def show_doubted(told, messages, slugs):
    first = {int(i): (slugs[t[0]], c[0]) for i, t, c in zip(*(told[n] for n in told))}
    found = [(m, *first[line_id(m.text)]) for m in messages if m.right and line_id(m.text) in first]
    doubted = [(c, slug, m) for m, slug, c in found if slug not in m.right and c > DOUBTED]
    print(f"{len(doubted)} of {len(found)} lines are doubted")
    for chance, slug, m in sorted(doubted, key=lambda each: -each[0])[:SHOWN]:
        print(f"  {chance:.2f} {slug} rather than {max(m.right, key=m.right.get)}: {m.text}")


def main():
    parser = argparse.ArgumentParser(description="what models say of lines they were not shown")
    for name in ("base", "reader", "catalog", "told", "out"):
        parser.add_argument(name)
    parser.add_argument("--folds", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=8)
    options = parser.parse_args()
    settings = argparse.Namespace(
        frozen=1, lr=2e-4, piece_rate=1e-3, epochs=options.epochs, every=100, joining=None
    )
    torch.set_float32_matmul_precision("high")
    vocab, pieces = vocabularies(options.base, f"{options.reader}/weights")
    tokens = Tokens(with_pieces(vocab, pieces))
    tools, messages, frames = read_messages(options.reader, options.catalog)
    labels = Labels(tools)
    for message in messages:
        message.held = False
    base, mean, told = base_weights(f"{options.base}/onnx/model_quantized.onnx"), {}, []
    for fold in range(options.folds):
        asked = [m for m in messages if m.right and line_id(m.text) % options.folds == fold]
        away = set(map(id, asked))
        torch.manual_seed(1)
        model = ToolReader(base, len(tools), spelled(vocab, pieces)).to(DEVICE)
        begin_tools(model, tokens, messages, labels)
        torch.manual_seed(100 + fold)
        source = random.Random(100 + fold)
        kept = [m for m in messages if id(m) not in away]
        train(model, tokens, labels, kept, frames, {}, settings, source)
        judge(model, tokens, labels, asked, f"part {fold}")
        told.append(told_of(model, tokens, asked))
        for name, value in model.state_dict().items():
            mean[name] = mean.get(name, 0) + value.cpu() / options.folds
    whole = {name: np.concatenate([part[name] for part in told]) for name in told[0]}
    np.savez_compressed(options.told, **whole)
    torch.save({"state": mean, "slugs": labels.slugs}, options.out)
    show_doubted(whole, messages, labels.slugs)


if __name__ == "__main__":
    main()
