"""Writes the trained reader of tool needs beside the reader, as an int8 ONNX graph.

    python3 export_tools.py BASE_FOLDER TOOLS.pt OUT_FOLDER [--bits 7]
"""
import json

from export import Graph, curved, embedded, layer, linear, pooled, read_options, store
from model import LAYERS, base_weights
from tokens import Tokens, with_pieces
from tool_examples import WISHES
from tools import STEEPNESS, ToolReader, message_ids, read_all, spelled, vocabularies
from train import DEVICE

# What the product's tokeniser and session must agree on; a test reads these.
SAMPLES = [
    "know when my site goes down",
    "Auth0 tripled its price. What else does SAML and runs on our own servers?",
    "write a haiku about rain",
    "自社サーバーで動くヘルプデスクを探しています。無料で",
    "Бот для колл-центра на своих серверах: распознавание речи, дёшево",
]


def written(state, base, count, bits):
    graph = Graph()
    x = embedded(graph, state, base)
    for index in range(LAYERS):
        x = layer(graph, x, state, index, bits, curved)
    inner = pooled(graph, x, state)
    linear(graph, "vector", state, "tools", "tools", STEEPNESS)
    linear(graph, inner, state, "need_out", "need")
    words = linear(graph, x, state, "wishes", "wishes.words")
    graph.node("ReduceLogSumExp", [words], "wishes", axes=[1], keepdims=0)
    return graph, graph.model({"tools": count, "need": 1, "wishes": len(WISHES)})


def samples(base, state, slugs, out):
    vocab, pieces = vocabularies(base, out)
    tokens = Tokens(with_pieces(vocab, pieces))
    weights = base_weights(f"{base}/onnx/model_quantized.onnx")
    model = ToolReader(weights, len(slugs), spelled(vocab, pieces)).to(DEVICE)
    model.load_state_dict(state)
    _, scores, needs, wishes = read_all(model, tokens, SAMPLES)
    return [
        {
            "text": text,
            "ids": message_ids(tokens, text)[0],
            "best": slugs[int(score.argmax())],
            "need": round(float(need), 2),
            "wishes": [name for name, said in zip(WISHES, wish) if said > 0],
        }
        for text, score, need, wish in zip(SAMPLES, scores, needs, wishes)
    ]


def main():
    options, trained, base = read_options("the reader of tool needs")
    state, slugs = trained["state"], trained["slugs"]
    digest = store(*written(state, base, len(slugs), options.bits), options.out, "tools.onnx")
    layout = {
        "id": digest,
        "tools": slugs,
        "wishes": list(WISHES),
        "samples": samples(options.base, state, slugs, options.out),
    }
    with open(f"{options.out}/tools.json", "w", encoding="utf-8") as file:
        json.dump(layout, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
