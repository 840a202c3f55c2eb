"""Fits what a reading is worth: the chance that a person would call the best offer helpful.

    python3 calibrate.py BASE_FOLDER WEIGHTS.pt EXAMPLES_FOLDER OUT_FOLDER

Conversations held back from training meet pools of offers: once with their own offer among others,
once without it. An ad is helpful when there is a need and the nearest offer is of its trade. A
logistic regression over need, sensitivity and nearness says how likely that is.
"""
import argparse
import json
import random

import numpy as np
import torch

from examples import read
from model import Reader, base_weights
from tokens import Tokens, conversation_ids, offer_ids, vocabulary
from train import padded

POOL = 120
# People write far more often without a need than our examples do.
WEIGHT_WITHOUT = 4.0
SENSITIVE_FLOOR = -3.0


@torch.no_grad()
def run(reader, rows):
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    vectors, heads = np.zeros((len(rows), 384), np.float32), np.zeros((len(rows), 4), np.float32)
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        vector, head = reader(*padded([rows[index] for index in part]))
        vectors[part], heads[part] = vector.numpy(), head.numpy()
    return vectors, heads


def features(head, nearness):
    return [head[0], max(head[1], SENSITIVE_FLOOR), nearness, 1.0]


def rows_of(turns, heads, vectors, offers, offer_vectors, source):
    rows, truth, weight, of = [], [], [], []
    for index, turn in enumerate(turns):
        pool = [i for i in source.sample(range(len(offers)), POOL) if offers[i][0] != turn.trade]
        scores = offer_vectors[pool] @ vectors[index]
        rows.append(features(heads[index], scores.max()))
        truth.append(0)
        of.append(index)
        weight.append(WEIGHT_WITHOUT if turn.label != "need" else 1.0)
        if turn.label == "need":
            # Not the offer written for this very conversation: a stranger's of the same trade.
            same = [i for i, o in enumerate(offers) if o[0] == turn.trade and o[1] != turn.offer]
            if not same:
                continue
            own = offer_vectors[source.choice(same)] @ vectors[index]
            rows.append(features(heads[index], max(own, scores.max())))
            truth.append(int(own >= scores.max()))
            weight.append(1.0)
            of.append(index)
    return np.array(rows), np.array(truth, float), np.array(weight), of


def logistic(rows, truth, weight, ridge=1e-3):
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weight * (truth - chance)) - ridge * found
        spread = weight * chance * (1 - chance)
        curve = (rows * spread[:, None]).T @ rows + ridge * np.eye(len(found))
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < 1e-8:
            break
    return found


def reliability(chance, truth, weight):
    table = []
    for low in np.arange(0, 1, 0.1):
        inside = (chance >= low) & (chance < low + 0.1)
        if inside.sum() > 5:
            stated = (chance * weight)[inside].sum() / weight[inside].sum()
            found = (truth * weight)[inside].sum() / weight[inside].sum()
            row = {"stated": round(float(stated), 3), "found": round(float(found), 3)}
            table.append({**row, "count": int(inside.sum())})
    return table


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "weights", "examples", "out"):
        parser.add_argument(name)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokens = Tokens(vocabulary(f"{options.base}/tokenizer.json"))
    reader = Reader(base_weights(f"{options.base}/onnx/model_quantized.onnx"))
    reader.load_state_dict(torch.load(options.weights))
    reader.eval()
    turns = read(options.examples)
    offers = sorted({(t.trade, t.offer) for t in turns if t.offer})
    held = [t for t in turns if t.held and t.language == "en"]
    offer_vectors, _ = run(reader, [offer_ids(tokens, text) for _, text in offers])
    said = [conversation_ids(tokens, t.newest, t.previous, t.answer) for t in held]
    vectors, heads = run(reader, said)
    rows, truth, weight, of = rows_of(held, heads, vectors, offers, offer_vectors, random.Random(7))
    # Judged on turns the fit did not see, five times over.
    fold = np.array([index % 5 for index in of])
    chance = np.zeros(len(rows))
    for part in range(5):
        out = fold == part
        chance[out] = 1 / (1 + np.exp(-rows[out] @ logistic(rows[~out], truth[~out], weight[~out])))
    table = reliability(chance, truth, weight)
    found = logistic(rows, truth, weight)
    need, sensitive, nearness, constant = (round(float(value), 4) for value in found)
    result = {
        "need": need,
        "sensitive": sensitive,
        "sensitiveFloor": SENSITIVE_FLOOR,
        "nearness": nearness,
        "constant": constant,
        "heldBack": len(held),
        "reliability": table,
    }
    with open(f"{options.out}/calibration.json", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=2)
        file.write("\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
