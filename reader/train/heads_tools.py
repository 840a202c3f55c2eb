"""Learns the heads of a reader of tool needs again, and its last layers if asked, and leaves the
rest as it is: minutes on a CPU.

    python3 heads_tools.py BASE_FOLDER READER_FOLDER CATALOG_FOLDER IN.pt OUT.pt
                           [--layers 0] [--epochs 12] [--share 1 --new FILE.txt…]

For a mean, whose heads were learned for other bodies, and for lines that were written since. With
`--layers 1` the last layer learns too, which tells apart what heads over a fixed body cannot; then
all lines of the new files and a share of the others are enough to keep what was learned of them.
"""
import argparse
import random
import time

import torch

from model import LAYERS, base_weights
from tokens import Tokens, with_pieces
from tool_examples import read_messages
from tools import Labels, ToolReader, loss_with_wishes, message_ids, spelled, vocabularies
from train import DEVICE, on_device, padded

BATCH = 128
# So many words at once: as much as the caches of a processor hold.
READ = 2560
# How often it says how far it is.
SAID = 10_000
# How fast layers learn, what is said of the tools and wished, and what is said of the need.
RATES = (2e-4, 3e-4, 1e-3)


@torch.no_grad()
def read_lower(model, tokens, messages, frozen):
    """What the layers that stay make of each message's words, in half precision to fit."""
    model.eval()
    order = sorted(range(len(messages)), key=lambda at: len(messages[at].text))
    found, started, told, start = [None] * len(messages), time.time(), 0, 0
    while start < len(order):
        widest = len(message_ids(tokens, messages[order[start]].text)[0])
        part = order[start : start + max(1, READ // widest)]
        rows = [message_ids(tokens, messages[at].text) for at in part]
        ids, types, mask = on_device(padded(rows))
        lower = model.lower(ids, types, mask, frozen)
        for at, (ids, _), row in zip(part, rows, lower):
            found[at] = row[: len(ids)].half()
        start += len(part)
        if start >= told + SAID:
            told = start
            print(f"read {start} of {len(order)}: {time.time() - started:.0f} s", flush=True)
    return found


def batches(lower, source):
    """Of messages about as long as each other, in another order each time."""
    order = sorted(range(len(lower)), key=lambda at: len(lower[at]) + source.random() * 8)
    parts = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    source.shuffle(parts)
    return parts


def together(lower):
    """Rows of one width, and which of each count."""
    mask = torch.zeros(len(lower), max(len(row) for row in lower), dtype=torch.long)
    for at, row in enumerate(lower):
        mask[at, : len(row)] = 1
    return torch.nn.utils.rnn.pad_sequence(lower, batch_first=True).float(), mask


def train(model, labels, messages, lower, frozen, epochs, source):
    for weight in model.parameters():
        weight.requires_grad = False
    groups = (
        [w for layer in model.layers[frozen:] for w in layer.parameters()],
        [*model.tools.parameters(), *model.wishes.parameters()],
        [*model.heads_in.parameters(), *model.need_out.parameters()],
    )
    learned = [(part, rate) for part, rate in zip(groups, RATES) if part]
    for part, _ in learned:
        for weight in part:
            weight.requires_grad = True
    optimiser = torch.optim.AdamW(
        [{"params": part, "lr": rate} for part, rate in learned], weight_decay=0.0
    )
    total = epochs * (len(messages) // BATCH + 1)
    rates = [rate for _, rate in learned]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=total + 1)
    started = time.time()
    for epoch in range(epochs):
        model.train()
        seen = 0.0
        for part in batches(lower, source):
            rows, mask = on_device(together([lower[at] for at in part]))
            loss = loss_with_wishes(
                labels, [messages[at] for at in part], model.upper(rows, mask, frozen)
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            seen += float(loss.detach()) * len(part)
        told = f"{time.time() - started:.0f} s, loss {seen / len(messages):.3f}"
        print(f"epoch {epoch}: {told}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "reader", "catalog", "trained", "out"):
        parser.add_argument(name)
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--new", nargs="*", default=())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    source = random.Random(options.seed)
    vocab, pieces = vocabularies(options.base, f"{options.reader}/weights")
    tokens = Tokens(with_pieces(vocab, pieces))
    tools, messages, _ = read_messages(options.reader, options.catalog)
    whole = lambda message: message.source == "own" or message.file in options.new
    messages = [m for m in messages if whole(m) or source.random() < options.share]
    labels = Labels(tools)
    trained = torch.load(options.trained)
    if trained["slugs"] != labels.slugs:
        raise SystemExit("the catalog lists other tools now: train anew")
    base = base_weights(f"{options.base}/onnx/model_quantized.onnx")
    # On a CPU what is dropped at random costs more than all the rest of a layer.
    drop = 0.0 if options.layers else 0.1
    model = ToolReader(base, len(tools), spelled(vocab, pieces), drop).to(DEVICE)
    model.load_state_dict(trained["state"])
    frozen = LAYERS - options.layers
    lower = read_lower(model, tokens, messages, frozen)
    train(model, labels, messages, lower, frozen, options.epochs, source)
    torch.save({"state": model.state_dict(), "slugs": labels.slugs}, options.out)


if __name__ == "__main__":
    main()
