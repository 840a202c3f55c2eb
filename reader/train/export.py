"""Writes trained weights as an int8 ONNX graph made for speed.

    python3 export.py BASE_FOLDER WEIGHTS.pt OUT_FOLDER [--bits 7]

The graph is written node by node with the runtime's fused operators: query, key and value are one
product, and a text comes alone, so nothing is masked. Matrices are signed with a scale for each
column, which every processor multiplies fastest. Tables of words and places stay as the base has
them; the one of words, half of all, is a file of its own, which models share and the system reads
in as words come up.
"""
import argparse
import hashlib
import json
import os

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data

from model import BEND, HEADS, LAYERS, OUTPUTS, PAIRS, WIDTH, base_weights, quick_reader
from tokens import EARLIER, NEWEST, NEWEST_HEAD, OFFER, Tokens, conversation_ids, vocabulary
from train import padded

# Operators of the runtime beyond the standard ones.
FUSED = "com.microsoft"
SMALL = 1e-12
PARTS = ("_quantized", "_scale", "_zero_point")
# What stands in a file of its own beside the graph.
OUTSIDE = {"word_quantized": "words.bin", "more_quantized": "tool-words.bin"}

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


class Graph:
    """Nodes and stored arrays in the order they are written; `put` and `node` give back names."""

    def __init__(self):
        self.nodes, self.stored, self.outside = [], [], {}

    def put(self, name, array):
        tensor = numpy_helper.from_array(np.ascontiguousarray(array), name)
        if name in OUTSIDE:
            data = self.outside[OUTSIDE[name]] = tensor.raw_data
            set_external_data(tensor, OUTSIDE[name], offset=0, length=len(data))
            tensor.ClearField("raw_data")
        self.stored.append(tensor)
        return name

    def node(self, operator, inputs, *outputs, domain="", **attributes):
        made = helper.make_node(operator, inputs, outputs, domain=domain, **attributes)
        self.nodes.append(made)
        return outputs[0]

    def model(self, outputs):
        tokens = [
            helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"])
            for name in ("input_ids", "token_type_ids")
        ]
        found = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, width])
            for name, width in outputs.items()
        ]
        graph = helper.make_graph(self.nodes, "reader", tokens, found, self.stored)
        versions = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=versions)
        model.ir_version = 8
        return model


def embedded(graph, state, base):
    """Words, kinds and places of the tokens, added up."""
    stored = {t.name: numpy_helper.to_array(t) for t in base.graph.initializer}

    def table(name):
        path = f"embeddings.{name}_embeddings.weight"
        return [graph.put(f"{name}{part}", stored[path + part]) for part in PARTS]

    def plain(name, values, scale, zero):
        return graph.node("DequantizeLinear", [values, scale, zero], f"{name}.plain")

    def looked_up(name, ids):
        values, scale, zero = table(name)
        picked = graph.node("Gather", [values, ids], f"{name}.picked", axis=0)
        return plain(name, picked, scale, zero)

    def of_both():
        """Pieces the base model has from its table, the others from one of their own."""
        most = len(stored["embeddings.word_embeddings.weight_quantized"])
        for name, value in (("most", most), ("last", most - 1)):
            graph.put(name, np.array([value], np.int64))
        own = looked_up("word", graph.node("Min", ["input_ids", "last"], "word.ids"))
        beyond = graph.node("Sub", ["input_ids", "most"], "more.beyond")
        ids = graph.node("Max", [beyond, "first"], "more.ids")
        values, scale, zero = stored_matrix(graph, "more", state["more.weight"].numpy(), 8)
        picked = graph.node("Gather", [values, ids], "more.picked", axis=0)
        more = graph.node("DequantizeLinear", [picked, scale, zero], "more.plain", axis=-1)
        is_more = graph.node("GreaterOrEqual", ["input_ids", "most"], "is_more")
        which = graph.node("Unsqueeze", [is_more, "third"], "is_more.wide")
        return graph.node("Where", [which, more, own], "words.both")

    for name, value in (("first", 0), ("second", 1), ("third", 2)):
        graph.put(name, np.array([value], np.int64))
    shape = graph.node("Shape", ["input_ids"], "shape")
    length = graph.node("Slice", [shape, "second", "third"], "length")
    values, scale, zero = table("position")
    places = plain("position", graph.node("Slice", [values, "first", length], "places"), scale, zero)
    words = looked_up("word", "input_ids") if "more.weight" not in state else of_both()
    kinds = looked_up("token_type", "token_type_ids")
    both = graph.node("Add", [words, kinds], "words.kinds")
    every = graph.node("Add", [both, places], "words.kinds.places")
    return normed(graph, every, state, "norm")


def scale_and_shift(graph, state, path):
    return [graph.put(f"{path}.{part}", state[f"{path}.{part}"].numpy()) for part in ("weight", "bias")]


def normed(graph, x, state, path):
    inputs = [x, *scale_and_shift(graph, state, path)]
    return graph.node("LayerNormalization", inputs, f"{path}.out", axis=-1, epsilon=SMALL)


def added(graph, x, before, state, path):
    """The sum of both, evened out, in one operator."""
    inputs = [x, before, *scale_and_shift(graph, state, path)]
    operator = "SkipLayerNormalization"
    return graph.node(operator, inputs, f"{path}.out", domain=FUSED, epsilon=SMALL)


def stored_matrix(graph, name, matrix, bits):
    return [
        graph.put(name + part, array) for part, array in zip(PARTS, quantised(matrix, bits))
    ]


def dense(graph, x, state, path, bits):
    matrix = stored_matrix(graph, path, state[f"{path}.weight"].numpy().T, bits)
    bias = graph.put(f"{path}.bias", state[f"{path}.bias"].numpy())
    return graph.node("DynamicQuantizeMatMul", [x, *matrix, bias], f"{path}.out", domain=FUSED)


def attention(graph, x, state, path, bits):
    parts = [f"{path}.{name}" for name in ("query", "key", "value")]
    matrix = np.concatenate([state[f"{part}.weight"].numpy().T for part in parts], 1)
    values, scale, zero = stored_matrix(graph, f"{path}.all", matrix, bits)
    biases = np.concatenate([state[f"{part}.bias"].numpy() for part in parts])
    bias = graph.put(f"{path}.all.bias", biases)
    outputs = [f"{path}.{part}" for part in ("input", "input.scale", "input.zero")]
    graph.node("DynamicQuantizeLinear", [x], *outputs)
    inputs = [outputs[0], values, bias, outputs[1], scale, "", outputs[2], zero]
    return graph.node("QAttention", inputs, f"{path}.seen", domain=FUSED, num_heads=HEADS)


def paired(graph, x, index):
    """Two neighbouring tokens as one; a last one without a neighbour stays as it is."""
    turned = graph.node("Transpose", [x], f"pairs.{index}.turned", perm=[0, 2, 1])
    shape = {"kernel_shape": [2], "strides": [2], "ceil_mode": 1, "count_include_pad": 0}
    mean = graph.node("AveragePool", [turned], f"pairs.{index}.mean", **shape)
    return graph.node("Transpose", [mean], f"pairs.{index}", perm=[0, 2, 1])


def bent(graph, up, path):
    share = graph.node("HardSigmoid", [up], f"{path}.share", alpha=BEND, beta=0.5)
    return graph.node("Mul", [up, share], f"{path}.bent")


def curved(graph, up, path):
    return graph.node("Gelu", [up], f"{path}.curved", domain=FUSED)


def layer(graph, x, state, index, bits, inner=bent):
    path = f"layers.{index}"
    seen = attention(graph, x, state, path, bits)
    out = dense(graph, seen, state, f"{path}.out", bits)
    x = added(graph, out, x, state, f"{path}.out_norm")
    up = dense(graph, x, state, f"{path}.up", bits)
    down = dense(graph, inner(graph, up, path), state, f"{path}.down", bits)
    return added(graph, down, x, state, f"{path}.down_norm")


def pooled(graph, x, state):
    """The mean over the tokens, its direction as `vector`, and the heads."""
    mean = graph.node("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    length = graph.node("ReduceL2", [mean], "mean.length", axes=[1], keepdims=1)
    graph.node("Div", [mean, length], "vector")
    inner = graph.put("heads.in", state["heads_in.weight"].numpy().T * 2)
    bias = graph.put("heads.in.bias", state["heads_in.bias"].numpy())
    first = graph.node("MatMul", [mean, inner], "heads.1")
    return graph.node("BiasGelu", [first, bias], "heads.2", domain=FUSED)


def linear(graph, x, state, path, name, scale=1.0):
    """A head in plain numbers: few, and what they say is read as it is."""
    matrix = graph.put(f"{name}.rows", state[f"{path}.weight"].numpy().T * scale)
    bias = graph.put(f"{name}.bias", state[f"{path}.bias"].numpy())
    return graph.node("Add", [graph.node("MatMul", [x, matrix], f"{name}.product"), bias], name)


def written(state, base, bits):
    graph = Graph()
    x = embedded(graph, state, base)
    for index in range(LAYERS):
        if index in PAIRS:
            x = paired(graph, x, index)
        x = layer(graph, x, state, index, bits)
    linear(graph, pooled(graph, x, state), state, "heads_out", "heads")
    return graph, graph.model({"vector": WIDTH, "heads": len(OUTPUTS)})


def store(graph, model, folder, name):
    """Writes the graph, and beside it what stands outside; returns what names these weights."""
    os.makedirs(folder, exist_ok=True)
    data = model.SerializeToString()
    files = {name: data, **graph.outside}
    for file_name, content in files.items():
        with open(os.path.join(folder, file_name), "wb") as file:
            file.write(content)
    onnx.checker.check_model(os.path.join(folder, name))
    digest = hashlib.sha256(b"".join(files.values())).hexdigest()[:16]
    print(f"{name}: {len(data) / 1e6:.1f} MB, {digest}")
    return digest


def samples(base, state):
    tokens = Tokens(vocabulary(f"{base}/tokenizer.json"))
    reader = quick_reader(base_weights(f"{base}/onnx/model_quantized.onnx"))
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


def write_layout(options, state, digest):
    words = sorted(vocabulary(f"{options.base}/tokenizer.json").items(), key=lambda pair: pair[1])
    with open(f"{options.out}/vocabulary.txt", "w", encoding="utf-8") as file:
        file.write("".join(word + "\n" for word, _ in words))
    layout = {
        "id": digest,
        "tokens": {"newest": NEWEST, "newestHead": NEWEST_HEAD, "earlier": EARLIER, "offer": OFFER},
        "heads": list(OUTPUTS),
        "samples": samples(options.base, state),
    }
    with open(f"{options.out}/layout.json", "w", encoding="utf-8") as file:
        json.dump(layout, file, indent=1, ensure_ascii=False)
        file.write("\n")


def read_options(about):
    """What is asked for, the trained weights, and the base they came from."""
    parser = argparse.ArgumentParser(description=about)
    for name in ("base", "weights", "out"):
        parser.add_argument(name)
    # Seven bits cannot overflow on processors that add pairs of products in sixteen.
    parser.add_argument("--bits", type=int, default=7)
    options = parser.parse_args()
    base = onnx.load(f"{options.base}/onnx/model_quantized.onnx")
    return options, torch.load(options.weights), base


def main():
    options, state, base = read_options("the reader of conversations")
    graph = written(state, base, options.bits)
    write_layout(options, state, store(*graph, options.out, "reader.onnx"))


if __name__ == "__main__":
    main()
