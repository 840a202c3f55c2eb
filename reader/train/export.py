"""Writes trained weights as int8 ONNX: the base graph with our numbers, pooled and with heads.

    python3 export.py BASE_FOLDER WEIGHTS.pt OUT_FOLDER [--bits 7]

Matrices are signed with a scale for each column, which every processor multiplies fastest.
"""
import argparse
import hashlib
import json
import os

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from model import OUTPUTS, Layer, Reader, base_weights
from tokens import EARLIER, NEWEST, NEWEST_HEAD, OFFER, Tokens, conversation_ids, vocabulary
from train import padded

# What the product's tokeniser and session must agree on; a test reads these.
SAMPLES = [
    ("Which running shoes are good for wide feet?", None, None),
    ("two of us, on Friday", "a table near the harbour please", "For how many people, and when?"),
    ("Crème brûlée – naïve? 東京 hotels; v2.0_final", None, None),
    ("write a haiku about rain " * 20, None, "Here is a first draft."),
]


def quantised(matrix, bits):
    """Signed and even about zero, with a scale for each column."""
    most = 2 ** (bits - 1) - 1
    scale = np.maximum(np.abs(matrix).max(axis=0) / most, 1e-9).astype(np.float32)
    values = np.clip(np.round(matrix / scale), -most, most).astype(np.int8)
    return values, scale, np.zeros(matrix.shape[1], np.int8)


def with_weights(model, state, bits):
    stored = {t.name: t for t in model.graph.initializer}

    def put(name, array):
        stored[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array), name))

    theirs = {path: own for own, path in Layer.names.items()}
    for name in list(stored):
        parts = name.split(".")
        if parts[0] != "encoder" or name.endswith(("_quantized", "_scale", "_zero_point")):
            continue
        own = theirs[".".join(parts[3:-1])]
        put(name, state[f"layers.{parts[2]}.{own}.{parts[-1]}"].numpy())
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        for name in node.input:
            if name.endswith("_quantized") and name in stored:
                path = node.name.strip("/").rsplit("/", 1)[0].split("/")
                layer = path[1].split(".")[1]
                own = theirs[".".join(path[2:])]
                matrix = state[f"layers.{layer}.{own}.weight"].numpy().T
                values, scale, zero = quantised(matrix, bits)
                put(name, values)
                put(name[: -len("_quantized")] + "_scale", scale)
                put(name[: -len("_quantized")] + "_zero_point", zero)


def pooled(model, state):
    """Mean over the tokens that count, its direction as `vector`, and the heads."""
    graph = model.graph
    constants = {
        "heads.in": state["heads_in.weight"].numpy().T * 2,
        "heads.in.bias": state["heads_in.bias"].numpy(),
        "heads.out": state["heads_out.weight"].numpy().T,
        "heads.out.bias": state["heads_out.bias"].numpy(),
        "root.two": np.array(2**0.5),
        "one": np.array(1.0),
        "half": np.array(0.5),
    }
    for name, value in constants.items():
        whole = np.ascontiguousarray(value, np.float32) if value.ndim else np.float32(value)
        graph.initializer.append(numpy_helper.from_array(np.asarray(whole), name))
    node = helper.make_node
    graph.node.extend(
        [
            node("Cast", ["attention_mask"], ["mask.float"], to=TensorProto.FLOAT),
            node("Unsqueeze", ["mask.float"], ["mask.wide"], axes=[2]),
            node("Mul", ["last_hidden_state", "mask.wide"], ["hidden.counted"]),
            node("ReduceSum", ["hidden.counted"], ["hidden.sum"], axes=[1], keepdims=0),
            node("ReduceSum", ["mask.wide"], ["mask.sum"], axes=[1], keepdims=0),
            node("Div", ["hidden.sum", "mask.sum"], ["mean"]),
            node("ReduceL2", ["mean"], ["mean.length"], axes=[1], keepdims=1),
            node("Div", ["mean", "mean.length"], ["vector"]),
            node("MatMul", ["mean", "heads.in"], ["heads.1"]),
            node("Add", ["heads.1", "heads.in.bias"], ["heads.2"]),
            node("Div", ["heads.2", "root.two"], ["heads.3"]),
            node("Erf", ["heads.3"], ["heads.4"]),
            node("Add", ["heads.4", "one"], ["heads.5"]),
            node("Mul", ["heads.2", "heads.5"], ["heads.6"]),
            node("Mul", ["heads.6", "half"], ["heads.7"]),
            node("MatMul", ["heads.7", "heads.out"], ["heads.8"]),
            node("Add", ["heads.8", "heads.out.bias"], ["heads"]),
        ]
    )
    del graph.output[:]
    graph.output.extend(
        [
            helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", 384]),
            helper.make_tensor_value_info("heads", TensorProto.FLOAT, ["batch", len(OUTPUTS)]),
        ]
    )


def samples(base, state):
    tokens = Tokens(vocabulary(f"{base}/tokenizer.json"))
    reader = Reader(base_weights(f"{base}/onnx/model_quantized.onnx"))
    reader.load_state_dict(state)
    reader.eval()
    found = []
    for newest, previous, answer in SAMPLES:
        ids, types = conversation_ids(tokens, newest, previous, answer)
        with torch.no_grad():
            vector, heads = reader(*padded([(ids, types)]))
        found.append(
            {
                "newest": newest,
                "previous": previous,
                "answer": answer,
                "ids": ids,
                "types": types,
                "vector": [round(float(value), 4) for value in vector[0]],
                "heads": [round(float(value), 3) for value in heads[0]],
            }
        )
    return found


def write_layout(options, state, data):
    words = sorted(vocabulary(f"{options.base}/tokenizer.json").items(), key=lambda pair: pair[1])
    with open(f"{options.out}/vocabulary.txt", "w", encoding="utf-8") as file:
        file.write("".join(word + "\n" for word, _ in words))
    layout = {
        "id": hashlib.sha256(data).hexdigest()[:16],
        "tokens": {"newest": NEWEST, "newestHead": NEWEST_HEAD, "earlier": EARLIER, "offer": OFFER},
        "heads": list(OUTPUTS),
        "samples": samples(options.base, state),
    }
    with open(f"{options.out}/layout.json", "w", encoding="utf-8") as file:
        json.dump(layout, file, indent=1, ensure_ascii=False)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("weights")
    parser.add_argument("out")
    # Seven bits cannot overflow on processors that add pairs of products in sixteen.
    parser.add_argument("--bits", type=int, default=7)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    state = torch.load(options.weights)
    model = onnx.load(f"{options.base}/onnx/model_quantized.onnx")
    with_weights(model, state, options.bits)
    pooled(model, state)
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    with open(f"{options.out}/reader.onnx", "wb") as file:
        file.write(data)
    write_layout(options, state, data)
    print(f"{len(data) / 1e6:.1f} MB, {hashlib.sha256(data).hexdigest()[:16]}")


if __name__ == "__main__":
    main()
