"""Fits what a reading is worth: the chance that a person would call the best offer helpful.

    python3 calibrate.py BASE_FOLDER WEIGHTS.pt EXAMPLES_FOLDER TOPICS OUT_FOLDER [--judged FOLDER]

Conversations that training did not see meet a hundred offers. An ad is helpful when there is a need
and the nearest offer is the one for it. A logistic regression over need, sensitivity, nearness and
the lead of the nearest trade we know of (the nearest offer on sale may still be none that is wanted)
says how likely that is. Each need also meets the offers without the one for it: what is left is
wrong, however near. The conversations are those held back from training or, where there is a
folder of judged ones (dev.json.gz, multiturn-dev.json.gz, natural-dev.json.gz), those: people's own
words beside the words of our topics as rival offers.
"""
import argparse
import gzip
import json
import random

import numpy as np
import torch

from examples import read
from model import base_weights, quick_reader
from tokens import Tokens, conversation_ids, offer_ids, vocabulary
from train import padded

POOL = 120
# People write far more often without a need than our examples do.
WEIGHT_WITHOUT = 4.0
SENSITIVE_FLOOR = -3.0
# What a real message counts for: those with a need are few in any collection of them.
REAL_WITH, REAL_WITHOUT = 45.0, 30.0
# What a need counts for whose offer was taken away.
WANTED_MISSING = 0.08
# How much talk that borders on what no ad may stand beside lowers the chance. Set, not fitted: what
# is refused is gone from the data, and what is left would say the opposite.
SENSITIVE = -0.4
# A rival as near as this to a judged set's own offer would be as right as that one.
SAME_TRADE = 0.5
# What is refused before offers are weighed: it teaches nothing about them.
REFUSED = {"need": -3.0, "never": -1.8}


@torch.no_grad()
def run(reader, rows):
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    vectors, heads = np.zeros((len(rows), 384), np.float32), np.zeros((len(rows), 4), np.float32)
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        vector, head = reader(*padded([rows[index] for index in part]))
        vectors[part], heads[part] = vector.numpy(), head.numpy()
    return vectors, heads


def features(head, nearness, trade):
    lead = max(0.0, trade - nearness)
    return [head[0], nearness, lead, 1.0, SENSITIVE * max(head[1], SENSITIVE_FLOOR)]


def rows_of(turns, heads, vectors, offers, offer_vectors, trades, source):
    rows, truth, weight, of = [], [], [], []
    for index, turn in enumerate(turns):
        pool = [i for i in source.sample(range(len(offers)), POOL) if offers[i][0] != turn.trade]
        scores = offer_vectors[pool] @ vectors[index]
        trade = (trades @ vectors[index]).max()
        rows.append(features(heads[index], scores.max(), trade))
        truth.append(0)
        of.append(index)
        weight.append(WEIGHT_WITHOUT if turn.label != "need" else 1.0)
        if turn.label == "need":
            # Not the offer written for this very conversation: a stranger's of the same trade.
            same = [i for i, o in enumerate(offers) if o[0] == turn.trade and o[1] != turn.offer]
            if not same:
                continue
            own = offer_vectors[source.choice(same)] @ vectors[index]
            rows.append(features(heads[index], max(own, scores.max()), trade))
            truth.append(int(own >= scores.max()))
            weight.append(1.0)
            of.append(index)
    return np.array(rows), np.array(truth, float), np.array(weight), of


def judged_rows(reader, tokens, folder, trades):
    """Each judged conversation with the nearest of its set's offers and of the topics."""

    def load(name):
        with gzip.open(f"{folder}/{name}.json.gz") as file:
            return json.load(file)

    spoken, turns, natural = load("dev"), load("multiturn-dev"), load("natural-dev")
    said = [([{"role": "user", "content": x["text"]}], x["want"]) for x in spoken["positive"]]
    said += [([{"role": "user", "content": x["text"]}], None) for x in spoken["negative"]]
    several = [(x["messages"], x["want"]) for x in turns["conversations"]]
    plain = [x for x in natural if x["label"] != "maybe"]
    real = [(x["messages"], "any" if x["label"] == "need" else None) for x in plain]
    rows, truth, weight = [], [], []
    for groups, cases, counts in (
        (spoken["groups"], said, (1.0, 1.0)),
        (turns["groups"], several, (1.0, 1.0)),
        ([], real, (REAL_WITH, REAL_WITHOUT)),
    ):
        own, _ = run(reader, [offer_ids(tokens, group["context"]) for group in groups])
        apart = trades[(trades @ own.T).max(1) < SAME_TRADE] if groups else trades
        offers, names = np.vstack([own, apart]), [group["id"] for group in groups]
        vectors, heads = run(reader, [last_turns(tokens, messages) for messages, _ in cases])
        for vector, head, (_, want) in zip(vectors, heads, cases):
            if head[0] < REFUSED["need"] or head[1] >= REFUSED["never"]:
                continue
            scores, trade = offers @ vector, (trades @ vector).max()
            best = int(scores.argmax())
            rows.append(features(head, scores[best], trade))
            truth.append(float(want == "any" or (best < len(names) and names[best] == want)))
            weight.append(counts[want is None])
            if want in names:
                others = np.delete(scores, names.index(want))
                rows.append(features(head, others.max(), trade))
                truth.append(0.0)
                weight.append(WANTED_MISSING)
    return np.array(rows), np.array(truth), np.array(weight), list(range(len(rows)))


def last_turns(tokens, messages):
    """As the server reads them: the newest message, the one before it, the answer between."""
    people = [at for at, message in enumerate(messages) if message["role"] == "user"]
    newest, before = people[-1], people[-2] if len(people) > 1 else -1
    answers = [m["content"] for m in messages[before + 1 : newest] if m["role"] == "assistant"]
    previous = messages[before]["content"] if before >= 0 else None
    return conversation_ids(
        tokens, messages[newest]["content"], previous, answers[-1] if answers else None
    )


def held_back_rows(reader, tokens, turns, trades):
    offers = sorted({(t.trade, t.offer) for t in turns if t.offer})
    held = [t for t in turns if t.held and t.language == "en"]
    offer_vectors, _ = run(reader, [offer_ids(tokens, text) for _, text in offers])
    said = [conversation_ids(tokens, t.newest, t.previous, t.answer) for t in held]
    vectors, heads = run(reader, said)
    return rows_of(held, heads, vectors, offers, offer_vectors, trades, random.Random(7))


def chances(rows, found):
    """The last column is not fitted."""
    return 1 / (1 + np.exp(-rows[:, :-1] @ found - rows[:, -1]))


def logistic(rows, truth, weight, ridge=1e-3):
    found = np.zeros(rows.shape[1] - 1)
    fitted = rows[:, :-1]
    for _ in range(50):
        chance = chances(rows, found)
        slope = fitted.T @ (weight * (truth - chance)) - ridge * found
        spread = weight * chance * (1 - chance)
        curve = (fitted * spread[:, None]).T @ fitted + ridge * np.eye(len(found))
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
    for name in ("base", "weights", "examples", "topics", "out"):
        parser.add_argument(name)
    parser.add_argument("--judged", metavar="FOLDER")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokens = Tokens(vocabulary(f"{options.base}/tokenizer.json"))
    reader = quick_reader(base_weights(f"{options.base}/onnx/model_quantized.onnx"))
    reader.load_state_dict(torch.load(options.weights))
    reader.eval()
    with open(options.topics, encoding="utf-8") as file:
        trades, _ = run(reader, [offer_ids(tokens, topic["name"]) for topic in json.load(file)])
    if options.judged:
        rows, truth, weight, of = judged_rows(reader, tokens, options.judged, trades)
    else:
        rows, truth, weight, of = held_back_rows(reader, tokens, read(options.examples), trades)
    # Judged on turns the fit did not see, five times over.
    fold = np.array([index % 5 for index in of])
    chance = np.zeros(len(rows))
    for part in range(5):
        out = fold == part
        chance[out] = chances(rows[out], logistic(rows[~out], truth[~out], weight[~out]))
    table = reliability(chance, truth, weight)
    found = logistic(rows, truth, weight)
    need, nearness, trade_lead, constant = (round(float(value), 4) for value in found)
    result = {
        "need": need,
        "sensitive": SENSITIVE,
        "sensitiveFloor": SENSITIVE_FLOOR,
        "nearness": nearness,
        "tradeLead": trade_lead,
        "constant": constant,
        "conversations": len(set(of)),
        "reliability": table,
    }
    with open(f"{options.out}/calibration.json", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=2)
        file.write("\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
