"""Fine-tunes the base model for conversations: what is needed now, whether, and whether never.

    python3 train.py BASE_FOLDER EXAMPLES_FOLDER OUT.pt [--epochs 10] [--runs 1] [--threads 2]

The lower layers stay as they are, so what they make of each text is computed once and kept. Several
runs begin with the same heads and differ in what is drawn; the mean of their weights is steadier
than any of them.
"""
import argparse
import random
import time

import torch
from torch.nn import functional as F

from examples import read
from model import WIDTH, Reader, base_weights
from tokens import Tokens, conversation_ids, offer_ids, vocabulary
from vary import general_offers, slip

TEMPERATURE = 0.08
BATCH = 128
HEAD_RATE = 1e-3
# How much another offer of the same trade counts as the right one.
SAME_TRADE = 0.15
# How much two readings of one batch, each with other parts dropped, may not differ.
CONSISTENCY = 1.0
# Two offers nearer than this say the same thing: neither counts as wrong for the other's need.
SAME_THING = 0.75
# How many offers of earlier batches each need is told from.
BANK = 512
# How often a message is read with a slip of the pen, and a need beside an offer for its whole trade.
SLIPS = 0.12
GENERAL = 0.3
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def padded(rows):
    width = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for index, (tokens, kinds) in enumerate(rows):
        ids[index, : len(tokens)] = torch.tensor(tokens)
        types[index, : len(tokens)] = torch.tensor(kinds)
        mask[index, : len(tokens)] = 1
    return ids, types, mask


def on_device(tensors):
    return [tensor.to(DEVICE) for tensor in tensors]


class Lower:
    """The frozen layers' output of each text, computed once for those that come again."""

    def __init__(self, reader, frozen, again):
        self.reader, self.frozen, self.again, self.kept = reader, frozen, again, {}

    @torch.no_grad()
    def read(self, rows):
        missing = sorted({key for key in rows if key not in self.kept}, key=lambda k: len(k[0]))
        was, found = self.reader.training, {}
        self.reader.eval()
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            out = self.reader.lower(*on_device(padded(part)), self.frozen)
            for index, key in enumerate(part):
                found[key] = out[index, : len(key[0])].half().cpu()
        self.reader.train(was)
        self.kept.update((key, out) for key, out in found.items() if key in self.again)
        return found

    def batch(self, rows):
        found = self.read(rows)
        width = max(len(key[0]) for key in rows)
        x = torch.zeros(len(rows), width, WIDTH)
        mask = torch.zeros(len(rows), width)
        for index, key in enumerate(rows):
            out = self.kept[key] if key in self.kept else found[key]
            x[index, : len(key[0])] = out.float()
            mask[index, : len(key[0])] = 1
        return x.to(DEVICE), mask.to(DEVICE)


class Varied:
    """What a turn and its offer are read as this time."""

    def __init__(self, reader, tokens, turns, source, slips=SLIPS):
        self.tokens, self.source, self.slips = tokens, source, slips
        trades = sorted({t.trade for t in turns if t.trade and t.language == "en"})
        names = [offer_ids(tokens, trade.replace("-", " ")) for trade in trades]
        vectors = vectors_of(reader, names)
        self.general = {
            trade: [key_of(offer_ids(tokens, way)) for way in ways]
            for trade, ways in general_offers(trades, vectors, source).items()
        }

    def said(self, turn):
        if self.source.random() >= self.slips:
            return turn.ids
        newest = slip(turn.newest, self.source)
        return key_of(conversation_ids(self.tokens, newest, turn.previous, turn.answer))

    def offer(self, turn):
        if self.source.random() >= GENERAL:
            return turn.offer_ids
        return self.source.choice(self.general[turn.trade])

    def again(self, turns):
        """Everything that is read more than once."""
        keys = {t.ids for t in turns} | {t.offer_ids for t in turns if t.offer_ids}
        return keys.union(*self.general.values())


@torch.no_grad()
def vectors_of(reader, rows):
    reader.eval()
    parts = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
    return torch.cat([reader(*on_device(padded(part)))[0].cpu() for part in parts]).numpy()


def key_of(pair):
    return tuple(pair[0]), tuple(pair[1])


def labelled_turns(tokens, examples):
    turns = read(examples)
    for turn in turns:
        turn.ids = key_of(conversation_ids(tokens, turn.newest, turn.previous, turn.answer))
        turn.offer_ids = key_of(offer_ids(tokens, turn.offer)) if turn.offer else None
    return turns


def batches(turns, source):
    """Of like length, so that little is padding; the order of batches is drawn."""
    order = sorted(turns, key=lambda t: len(t.ids[0]) + source.random() * 24)
    parts = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
    source.shuffle(parts)
    return parts


class Bank:
    """Offers of the batches before: a need is told from many more than its own batch holds."""

    def __init__(self):
        self.vectors, self.trades = torch.zeros(0, WIDTH).to(DEVICE), []

    def add(self, offers, trades):
        self.vectors = torch.cat([self.vectors, offers.detach()])[-BANK:]
        self.trades = (self.trades + trades)[-BANK:]


def contrast(vectors, offers, turns, bank):
    """Each need beside its own offer; others of its trade are right too, if less."""
    trades = [t.trade for t in turns]
    every = torch.cat([offers, bank.vectors])
    names = trades + bank.trades
    own = torch.eye(len(turns), len(names), dtype=torch.bool).to(DEVICE)
    same = torch.tensor([[a == b for b in names] for a in trades]).to(DEVICE)
    near = (offers @ every.T).detach() > SAME_THING
    scores = vectors @ every.T / TEMPERATURE
    right = own.float() + SAME_TRADE * (same & ~own).float()
    right = right / right.sum(1, keepdim=True)
    chances = scores.masked_fill(near & ~own & ~same, -1e4).log_softmax(1)
    back = scores.masked_fill((same | near) & ~own, -1e4)[:, : len(turns)].T
    bank.add(offers, trades)
    target = torch.arange(len(turns)).to(DEVICE)
    return (-(right * chances).sum(1).mean() + F.cross_entropy(back, target)) / 2


def apart(one, other):
    """How much two readings of the same turns differ, as chances."""
    left, right = torch.sigmoid(one), torch.sigmoid(other)
    small = 1e-6

    def gain(p, q):
        return p * ((p + small) / (q + small)).log() + (1 - p) * (
            (1 - p + small) / (1 - q + small)
        ).log()

    return (gain(left, right) + gain(right, left)).mean() / 2


def losses(reader, lower, varied, frozen, part, bank):
    read = lower.batch([varied.said(t) for t in part])
    vectors, outputs = reader.upper(*read, frozen)
    _, again = reader.upper(*read, frozen)
    english = torch.tensor([float(t.language == "en") for t in part]).to(DEVICE)

    def head(column, truth, weight=None):
        # Labels have mistakes too: nothing is quite certain.
        truth = truth * 0.96 + 0.02
        return sum(
            F.binary_cross_entropy_with_logits(said[:, column], truth, weight) / 2
            for said in (outputs, again)
        )

    def labelled(label):
        return torch.tensor([float(t.label == label) for t in part]).to(DEVICE)

    need = head(0, labelled("need"), english) + CONSISTENCY * apart(outputs[:, :2], again[:, :2])
    never = head(1, labelled("never"), english)
    foreign = head(3, 1 - english)
    wanted = [i for i, t in enumerate(part) if t.label == "need" and t.language == "en"]
    fit = torch.zeros((), device=DEVICE)
    if len(wanted) > 2:
        asked = [part[i] for i in wanted]
        offers, _ = reader.upper(*lower.batch([varied.offer(t) for t in asked]), frozen)
        fit = contrast(vectors[wanted], offers, asked, bank)
    return need, never, foreign, fit


def freeze(reader, frozen):
    fixed = (reader.words, reader.places, reader.types, reader.norm, *reader.layers[:frozen])
    for part in fixed:
        for weight in part.parameters():
            weight.requires_grad = False
    heads = [*reader.heads_in.parameters(), *reader.heads_out.parameters()]
    return [w for layer in reader.layers[frozen:] for w in layer.parameters()], heads


def train(reader, tokens, turns, options, source):
    kept, held = [t for t in turns if not t.held], [t for t in turns if t.held]
    body, heads = freeze(reader, options.frozen)
    varied = Varied(reader, tokens, turns, source)
    lower = Lower(reader, options.frozen, varied.again(kept))
    bank = Bank()

    def loss_of(part):
        need, never, foreign, fit = losses(reader, lower, varied, options.frozen, part, bank)
        whole = need + never + 0.3 * foreign + 0.7 * fit
        return whole, {"need": need, "never": never, "fit": fit}

    rates = {"body": (body, options.lr), "heads": (heads, HEAD_RATE)}
    steps(reader, kept, held, options.epochs, source, rates, loss_of)


def steps(reader, kept, held, epochs, source, rates, loss_of, warm=0.08):
    """A step for each batch; `loss_of` gives what is to shrink, and the parts of it to tell."""
    groups = [{"params": params, "lr": rate} for params, rate in rates.values()]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    total = epochs * (len(kept) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, [rate for _, rate in rates.values()], total_steps=total + 1, pct_start=warm
    )
    started, step, seen = time.time(), 0, []
    for epoch in range(epochs):
        reader.train()
        for part in batches(kept, source):
            whole, told = loss_of(part)
            optimiser.zero_grad()
            whole.backward()
            torch.nn.utils.clip_grad_norm_(rates["body"][0], 1.0)
            optimiser.step()
            schedule.step()
            step += 1
            seen.append([float(value) for value in told.values()])
            if step % 25 == 0:
                means = [sum(column) / len(seen) for column in zip(*seen)]
                said = ", ".join(f"{name} {mean:.3f}" for name, mean in zip(told, means))
                print(f"step {step} of {total}: {time.time() - started:.0f} s, {said}", flush=True)
                seen = []
        judge(reader, held, f"epoch {epoch}")
    print(f"trained in {time.time() - started:.0f} s")


@torch.no_grad()
def judge(reader, held, when):
    """At four cuts: the share found of those that have it, and of those that do not."""
    reader.eval()
    parts = [held[start : start + BATCH] for start in range(0, len(held), BATCH)]
    outputs = torch.cat([reader(*on_device(padded([t.ids for t in p])))[1].cpu() for p in parts])
    english = torch.tensor([t.language == "en" for t in held])
    for column, label in ((0, "need"), (1, "never")):
        truth = torch.tensor([t.label == label for t in held])
        yes, no = outputs[truth & english, column], outputs[~truth & english, column]
        shares = [
            f"> {cut:+d}: {(yes > cut).float().mean():.3f} / {(no > cut).float().mean():.4f}"
            for cut in (-1, 0, 1, 2)
        ]
        print(f"{when}: {label}", *shares, flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "examples", "out"):
        parser.add_argument(name)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--frozen", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1.2e-4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    tokens = Tokens(vocabulary(f"{options.base}/tokenizer.json"))
    turns = labelled_turns(tokens, options.examples)
    held = sum(t.held for t in turns)
    print(f"{len(turns)} turns, {held} of them held back, on {DEVICE}", flush=True)
    base, mean = base_weights(f"{options.base}/onnx/model_quantized.onnx"), {}
    for run in range(options.runs):
        # Heads that began differently have no mean.
        torch.manual_seed(options.seed)
        reader = Reader(base).to(DEVICE)
        torch.manual_seed(options.seed + run)
        train(reader, tokens, turns, options, random.Random(options.seed + run))
        for name, value in reader.state_dict().items():
            mean[name] = mean.get(name, 0) + value.cpu() / options.runs
    torch.save(mean, options.out)


if __name__ == "__main__":
    main()
