"""Learns the heads of a reader of tool needs again and leaves the rest as it is: minutes on a CPU.

    python3 heads_tools.py BASE_FOLDER READER_FOLDER CATALOG_FOLDER IN.pt OUT.pt [--epochs 12]

For a mean, whose heads were learned for other bodies, and for lines that were written since. What
messages wish is said by the words and not learned again.
"""
import argparse
import time

import torch

from model import base_weights
from tokens import Tokens, with_pieces
from tool_examples import read_messages
from tools import Labels, ToolReader, heads_loss, message_ids, spelled, vocabularies
from train import DEVICE, on_device, padded

BATCH = 512
# Small ones stay in the caches of a processor.
READ = 64
# How fast what is said of the tools is learned, and of the need.
RATES = (3e-4, 2e-3)


@torch.no_grad()
def read_bodies(model, tokens, messages):
    """What each message comes to before the heads."""
    model.eval()
    order = sorted(range(len(messages)), key=lambda at: len(messages[at].text))
    found, started = None, time.time()
    for start in range(0, len(order), READ):
        part = order[start : start + READ]
        ids, types, mask = on_device(padded([message_ids(tokens, messages[at].text) for at in part]))
        _, pooled = model.body(model.lower(ids, types, mask, 0), mask, 0)
        if found is None:
            found = torch.zeros(len(messages), pooled.shape[1], device=pooled.device)
        found[part] = pooled
        if start % (320 * READ) == 0:
            print(f"read {start} of {len(order)}: {time.time() - started:.0f} s", flush=True)
    return found


def train(model, labels, messages, bodies, epochs):
    heads = [[*model.tools.parameters()]]
    heads.append([*model.heads_in.parameters(), *model.need_out.parameters()])
    optimiser = torch.optim.AdamW(
        [{"params": part, "lr": rate} for part, rate in zip(heads, RATES)], weight_decay=0.0
    )
    total = epochs * (len(messages) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATES, total_steps=total + 1)
    for epoch in range(epochs):
        model.train()
        seen = 0.0
        for part in torch.randperm(len(messages)).split(BATCH):
            _, scores, need = model.heads(bodies[part])
            loss = heads_loss(labels, [messages[at] for at in part.tolist()], scores, need)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            seen += float(loss.detach()) * len(part)
        print(f"epoch {epoch}: loss {seen / len(messages):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "reader", "catalog", "trained", "out"):
        parser.add_argument(name)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    vocab, pieces = vocabularies(options.base, f"{options.reader}/weights")
    tokens = Tokens(with_pieces(vocab, pieces))
    tools, messages, _ = read_messages(options.reader, options.catalog)
    labels = Labels(tools)
    trained = torch.load(options.trained)
    if trained["slugs"] != labels.slugs:
        raise SystemExit("the catalog lists other tools now: train anew")
    base = base_weights(f"{options.base}/onnx/model_quantized.onnx")
    model = ToolReader(base, len(tools), spelled(vocab, pieces)).to(DEVICE)
    model.load_state_dict(trained["state"])
    bodies = read_bodies(model, tokens, messages)
    train(model, labels, messages, bodies, options.epochs)
    torch.save({"state": model.state_dict(), "slugs": labels.slugs}, options.out)


if __name__ == "__main__":
    main()
