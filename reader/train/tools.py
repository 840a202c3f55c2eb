"""Fine-tunes the base model to tell which developer tools answer a message, whether any does, and
what the message wishes of any tool.

    python3 tools.py BASE_FOLDER READER_FOLDER CATALOG_FOLDER OUT.pt [--epochs 8] [--runs 1]
                     [--joined] [--told FOLDS.npz]

`--joined` reads some messages one behind the other, `--told` softens what is right by what
`fold_tools.py` found. The tables of words and places and the lowest layers stay as they are. Each tool begins where the
needs of it stand in the base model.
"""
import argparse
import json
import random
import time

import torch
from torch import nn
from torch.nn import functional as F

from model import WIDTH, Reader, base_weights
from tokens import CLS, SEP, Tokens, read_pieces, vocabulary, with_pieces
from soften_tools import soften
from tool_examples import WISHES, WEIGHTS, read_messages
from train import DEVICE, on_device, padded
from vary import Joining, slip

BATCH = 128
# A message is read by so many tokens from its beginning and its end.
FIRST, LAST = 48, 80
HEAD_RATE = 2e-3
# How steep the likeness of a message and a tool is.
STEEPNESS = 16.0
# How often a message is read with a slip of the pen, and wrapped in something that says nothing.
SLIPS = 0.1
WRAPPED = 0.15
CATEGORY = 0.5
NEED = 0.5
WISH = 0.5
RARE = -6.0


class ToolReader(Reader):
    """`pieces`: what it knows of words beyond the base model's vocabulary, as that spells it."""

    def __init__(self, weights, count, pieces, drop=0.1):
        super().__init__(weights, drop)
        del self.heads_out
        self.more = nn.Embedding(len(pieces), WIDTH)
        for at, spelled in enumerate(pieces):
            self.more.weight.data[at] = self.words.weight.data[spelled].mean(0)
        self.need_out = nn.Linear(128, 1)
        self.tools = nn.Linear(WIDTH, count)
        self.wishes = nn.Linear(WIDTH, len(WISHES))
        # Most words of most messages wish nothing.
        self.wishes.bias.data.fill_(RARE)

    def meanings(self, ids):
        most = self.words.num_embeddings
        more = self.more((ids - most).clamp(min=0))
        return torch.where((ids >= most).unsqueeze(-1), more, self.words(ids.clamp(max=most - 1)))

    def body(self, x, mask, layers):
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for index in range(layers, len(self.layers)):
            x = self.layers[index](x, bias, self.drop)
        weight = mask.unsqueeze(-1).float()
        return x, (x * weight).sum(1) / weight.sum(1)

    def heads(self, pooled):
        vector = F.normalize(pooled, dim=-1)
        said = F.dropout(vector * STEEPNESS, self.drop, self.training)
        inner = F.dropout(F.gelu(self.heads_in(pooled * 2)), self.drop, self.training)
        return vector, self.tools(said), self.need_out(inner)[:, 0]

    def upper(self, x, mask, layers):
        x, pooled = self.body(x, mask, layers)
        # A wish may be said in passing: the words that say it most decide, not the mean.
        words = self.wishes(F.dropout(x, self.drop, self.training))
        wishes = words.masked_fill(mask.unsqueeze(-1) == 0, -1e4).logsumexp(1)
        return *self.heads(pooled), wishes


def vocabularies(base, weights):
    """The base model's own, and what `learn_pieces.py` found beyond it."""
    return vocabulary(f"{base}/tokenizer.json"), read_pieces(f"{weights}/tool-pieces.txt")


def spelled(vocab, pieces):
    """Each piece in those of the base model, as numbers."""
    tokens = Tokens(vocab)
    found = []
    for piece in pieces:
        begins = not piece.startswith("##")
        ids = tokens.pieces(piece if begins else "a" + piece[2:])
        found.append(ids if begins or len(ids) == 1 else ids[1:])
    return found


def message_ids(tokens, text, kept={}):
    if text not in kept:
        ids = tokens.ids(text)
        ids = [CLS, *(ids if len(ids) <= FIRST + LAST else ids[:FIRST] + ids[-LAST:]), SEP]
        kept[text] = ids, [0] * len(ids)
    return kept[text]


class Labels:
    def __init__(self, tools):
        self.slugs = [tool["slug"] for tool in tools]
        self.place = {slug: at for at, slug in enumerate(self.slugs)}
        self.categories = sorted({tool["category"] for tool in tools})
        of = [self.categories.index(tool["category"]) for tool in tools]
        self.category = torch.tensor(of)
        self.belongs = F.one_hot(self.category, len(self.categories)).float().to(DEVICE)

    def rows(self, messages):
        wanted = torch.zeros(len(messages), len(self.slugs))
        for row, message in enumerate(messages):
            for slug, share in message.right.items():
                wanted[row, self.place[slug]] = share
        return wanted.to(DEVICE)

    def wishes(self, messages):
        """What is wished, and 1 where that is known."""
        said = torch.zeros(2, len(messages), len(WISHES))
        for row, message in enumerate(messages):
            for name, share in message.wishes.items():
                said[:, row, WISHES.index(name)] = torch.tensor([share, 1.0])
        return said.to(DEVICE)


def begin_tools(model, tokens, messages, labels):
    """Each tool's row begins as the mean of its needs."""
    rows = torch.zeros(len(labels.slugs), WIDTH)
    kept = [m for m in messages if m.right and not m.held]
    vectors = read_all(model, tokens, [m.text for m in kept])[0]
    for message, vector in zip(kept, vectors):
        slug = max(message.right, key=message.right.get)
        rows[labels.place[slug]] += vector
    model.tools.weight.data.copy_(F.normalize(rows, dim=-1))
    model.tools.bias.data.zero_()


@torch.no_grad()
def read_all(model, tokens, texts):
    model.eval()
    found = []
    for start in range(0, len(texts), 256):
        rows = [message_ids(tokens, text) for text in texts[start : start + 256]]
        found.append([part.cpu() for part in model(*on_device(padded(rows)))])
    return [torch.cat(parts) for parts in zip(*found)]


def batches(messages, source):
    order = sorted(messages, key=lambda m: len(m.text) + source.random() * 80)
    parts = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
    source.shuffle(parts)
    return parts


def varied(text, frames, source):
    if source.random() < SLIPS:
        text = slip(text, source)
    if source.random() < WRAPPED:
        text = source.choice(frames).replace("*", text)
    return text


def loss_of(model, tokens, labels, frames, part, source, options):
    if options.joining:
        part = [options.joining.joined(m, source) for m in part]
    rows = [message_ids(tokens, varied(m.text, frames, source)) for m in part]
    ids, types, mask = on_device(padded(rows))
    lower = model.lower(ids, types, mask, options.frozen)
    return loss_with_wishes(labels, part, model.upper(lower, mask, options.frozen))


def loss_with_wishes(labels, part, said):
    _, scores, need, wishes = said
    wished, is_known = labels.wishes(part)
    by_wish = F.binary_cross_entropy_with_logits(wishes, wished * 0.98 + 0.01, reduction="none")
    wish_loss = (by_wish * is_known).sum() / is_known[:, 0].sum().clamp(min=1)
    return heads_loss(labels, part, scores, need) + WISH * wish_loss


def heads_loss(labels, part, scores, need):
    """How far what is said of tools and need is from what is known of these messages."""
    weight = torch.tensor([WEIGHTS[m.source] for m in part]).to(DEVICE)
    is_need = torch.tensor([m.is_need for m in part]).to(DEVICE) * 0.96 + 0.02
    need_loss = NEED * F.binary_cross_entropy_with_logits(need, is_need, weight)
    asked = [at for at, m in enumerate(part) if m.right]
    if not asked:
        return need_loss
    wanted = labels.rows([part[at] for at in asked])
    chances = scores[asked].log_softmax(1)
    by_tool = -(wanted * chances).sum(1)
    # What it leaves to a category as a whole.
    left = (chances.exp() @ labels.belongs).clamp(min=1e-6).log()
    by_category = -((wanted @ labels.belongs) * left).sum(1)
    both = ((by_tool + CATEGORY * by_category) * weight[asked]).sum() / weight[asked].sum()
    return both + need_loss


@torch.no_grad()
def judge(model, tokens, labels, judged, name):
    wanted = [m for m in judged if m.right]
    if not wanted:
        return
    _, scores, yes, wishes = read_all(model, tokens, [m.text for m in wanted])
    best = scores.argmax(1)
    first5 = scores.topk(5, dim=1).indices
    right = category = among = 0
    for at, message in enumerate(wanted):
        places = {labels.place[slug] for slug in message.right}
        right += int(best[at]) in places
        among += bool(places & set(first5[at].tolist()))
        category += int(labels.category[best[at]]) in {int(labels.category[p]) for p in places}
    none = [m for m in judged if not m.right and not m.is_need]
    told = ""
    if none:
        need = read_all(model, tokens, [m.text for m in none])[2]
        told = f"; {int((need > 0).sum())} of {len(none)} others a need, {int((yes <= 0).sum())} needs none"
    print(
        f"{name}: right tool {right}, among five {among}, category {category} of {len(wanted)}{told}",
        flush=True,
    )
    for at, wish in enumerate(WISHES):
        rows = [(m.wishes[wish], float(d[at])) for m, d in zip(wanted, wishes) if wish in m.wishes]
        if rows:
            told = ", ".join(told_at(rows, bar) for bar in (0, 1, 2))
            print(f"    {wish}: {sum(said > 0 for said, _ in rows)} of {len(rows)}; {told}", flush=True)


def told_at(rows, bar):
    right = sum(said > 0 and score > bar for said, score in rows)
    wrong = sum(said == 0 and score > bar for said, score in rows)
    return f"above {bar} {right} right {wrong} wrong"


def train(model, tokens, labels, messages, frames, judged, options, source):
    fixed = (model.words, model.places, model.types, model.norm, *model.layers[: options.frozen])
    for part in fixed:
        for weight in part.parameters():
            weight.requires_grad = False
    body = [w for layer in model.layers[options.frozen :] for w in layer.parameters()]
    heads = [
        *model.heads_in.parameters(),
        *model.need_out.parameters(),
        *model.tools.parameters(),
        *model.wishes.parameters(),
    ]
    more = [*model.more.parameters()]
    rates = [options.lr, HEAD_RATE, options.piece_rate]
    groups = [
        {"params": part, "lr": rate, "weight_decay": decay}
        for part, rate, decay in zip((body, heads, more), rates, (0.01, 0.01, 0.0))
    ]
    optimiser = torch.optim.AdamW(groups)
    total = options.epochs * (len(messages) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rates, total_steps=total + 1, pct_start=0.08
    )
    started = time.time()
    for epoch in range(options.epochs):
        model.train()
        seen, count = 0.0, 0
        for part in batches(messages, source):
            loss = loss_of(model, tokens, labels, frames, part, source, options)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(body, 1.0)
            optimiser.step()
            schedule.step()
            seen, count = seen + loss.detach(), count + 1
        print(f"epoch {epoch}: {time.time() - started:.0f} s, loss {float(seen / count):.3f}", flush=True)
        if epoch % options.every == options.every - 1 or epoch == options.epochs - 1:
            for name, told in judged.items():
                judge(model, tokens, labels, told, f"  {name}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "reader", "catalog", "out"):
        parser.add_argument(name)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--frozen", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--piece-rate", type=float, default=1e-3)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--joined", action="store_true")
    parser.add_argument("--told")
    parser.add_argument("--whole", action="store_true", help="hold nothing back")
    options = parser.parse_args()
    # Products of fewer bits, which a GPU multiplies faster.
    torch.set_float32_matmul_precision("high")
    vocab, pieces = vocabularies(options.base, f"{options.reader}/weights")
    tokens = Tokens(with_pieces(vocab, pieces))
    tools, messages, frames = read_messages(options.reader, options.catalog)
    labels = Labels(tools)
    kept = [m for m in messages if options.whole or not m.held]
    judged = {"held back": [m for m in messages if m.held]}
    if options.told:
        print(f"{soften(kept, tools, options.told)} softened", flush=True)
    options.joining = Joining(kept) if options.joined else None
    print(f"{len(messages)} messages, {len(messages) - len(kept)} held back, on {DEVICE}", flush=True)
    base, mean = base_weights(f"{options.base}/onnx/model_quantized.onnx"), {}
    for run in range(options.runs):
        # Heads that begin alike have a mean; of others it would say nothing.
        torch.manual_seed(1)
        model = ToolReader(base, len(tools), spelled(vocab, pieces), options.drop).to(DEVICE)
        begin_tools(model, tokens, kept, labels)
        judge(model, tokens, labels, judged["held back"], "as it begins")
        torch.manual_seed(options.seed + run)
        source = random.Random(options.seed + run)
        train(model, tokens, labels, kept, frames, judged, options, source)
        for name, value in model.state_dict().items():
            mean[name] = mean.get(name, 0) + value.cpu() / options.runs
    torch.save({"state": mean, "slugs": labels.slugs}, options.out)


if __name__ == "__main__":
    main()
