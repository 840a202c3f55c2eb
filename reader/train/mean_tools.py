"""The mean of several exported readers of tool needs, as weights to export again.

    python3 mean_tools.py BASE_FOLDER READER_FOLDER OUT.pt SHARE:TOOLS.onnx… [--need 2 -0.3]

Trainings that saw other needs err elsewhere, and their mean less than any of them; the first one
given brings the pieces of words. Where they disagree their mean says less: `--need` stretches and
shifts what it says of the need, so that the odds below which a message is none stay where they were.
"""
import argparse
import json

import onnx
import torch
from onnx import numpy_helper

from export import PARTS
from model import LAYERS, WIDTH, base_weights
from tools import STEEPNESS, ToolReader, spelled, vocabularies

HEADS = {"tools.rows": STEEPNESS, "need.rows": 1, "wishes.words.rows": 1, "heads.in": 2}
PLACES = {
    "tools.rows": "tools.weight",
    "tools.bias": "tools.bias",
    "need.rows": "need_out.weight",
    "need.bias": "need_out.bias",
    "wishes.words.rows": "wishes.weight",
    "wishes.words.bias": "wishes.bias",
    "heads.in": "heads_in.weight",
    "heads.in.bias": "heads_in.bias",
}


def arrays_of(path):
    stored = onnx.load(path).graph.initializer
    found = {t.name: torch.tensor(numpy_helper.to_array(t)) for t in stored}
    quantized, scale, _ = PARTS
    for name in [name for name in found if name.endswith(quantized)]:
        plain = name[: -len(quantized)]
        found[plain] = found[name].float() * found[plain + scale]
    return found


def state_of(path):
    """What `export_tools.py` wrote, under the names of `ToolReader`."""
    found = arrays_of(path)
    state = {"norm.weight": found["norm.weight"], "norm.bias": found["norm.bias"]}
    if "more" in found:
        state["more.weight"] = found["more"]
    for name, place in PLACES.items():
        if name in found:
            value = found[name] / HEADS.get(name, 1)
            state[place] = value.T.contiguous() if name in HEADS else value
    for layer in range(LAYERS):
        path = f"layers.{layer}"
        for at, name in enumerate(("query", "key", "value")):
            part = slice(at * WIDTH, (at + 1) * WIDTH)
            state[f"{path}.{name}.weight"] = found[f"{path}.all"][:, part].T.contiguous()
            state[f"{path}.{name}.bias"] = found[f"{path}.all.bias"][part]
        for name in ("out", "up", "down"):
            state[f"{path}.{name}.weight"] = found[f"{path}.{name}"].T.contiguous()
            state[f"{path}.{name}.bias"] = found[f"{path}.{name}.bias"]
        for name in ("out_norm", "down_norm"):
            for part in ("weight", "bias"):
                state[f"{path}.{name}.{part}"] = found[f"{path}.{name}.{part}"]
    return state


def mean_of(states, shares):
    mean = {}
    for name in states[0]:
        have = [(share, state[name]) for share, state in zip(shares, states) if name in state]
        whole = sum(share for share, _ in have)
        mean[name] = sum(share / whole * value for share, value in have)
    return mean


def main():
    parser = argparse.ArgumentParser(description="the mean of several readers of tool needs")
    for name in ("base", "reader", "out"):
        parser.add_argument(name)
    parser.add_argument("parts", nargs="+", metavar="SHARE:TOOLS.onnx")
    parser.add_argument("--need", nargs=2, type=float, default=(1.0, 0.0))
    options = parser.parse_args()
    parts = [part.split(":", 1) for part in options.parts]
    mean = mean_of([state_of(path) for _, path in parts], [float(share) for share, _ in parts])
    stretch, shift = options.need
    mean["need_out.weight"] *= stretch
    mean["need_out.bias"] = mean["need_out.bias"] * stretch + shift
    weights = f"{options.reader}/weights"
    vocab, pieces = vocabularies(options.base, weights)
    with open(f"{weights}/tools.json", encoding="utf-8") as file:
        slugs = json.load(file)["tools"]
    base = base_weights(f"{options.base}/onnx/model_quantized.onnx")
    whole = ToolReader(base, len(slugs), spelled(vocab, pieces)).state_dict()
    torch.save({"state": {**whole, **mean}, "slugs": slugs}, options.out)


if __name__ == "__main__":
    main()
