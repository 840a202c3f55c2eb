"""Teaches a quick reader what a trained one knows: the same readings for half the work.

    python3 quick.py BASE_FOLDER EXAMPLES_FOLDER TOPICS TEACHER.pt OUT.pt [--epochs 12] [--runs 1]
                     [--again SHARE]

The pupil begins as its teacher, but reads two tokens as one in its upper layers and bends where the
teacher curves. It learns from the labelled turns, from what its teacher makes of each turn and
offer, which tells more than a label does, and of texts nobody labelled: answers, halves of
messages, and turns put after other conversations. With `--again` the teacher is a quick reader that
was taught before: its pupil reads better than it does, and SHARE of the teacher stays in it.
"""
import argparse
import json
import random

import torch
from torch.nn import functional as F

from examples import blocks_of
from model import Reader, base_weights, quick_reader
from tokens import Tokens, conversation_ids, vocabulary
from train import DEVICE, Bank, Varied, contrast, freeze, key_of, labelled_turns
from train import on_device, padded, steps
from vary import slip

# How much the teacher's vectors and its log-odds count beside the labels, the first time and again:
# a pupil that begins as its teacher loses by labels alone what the texts without any had taught.
LIKE, LIKE_AGAIN = (6.0, 0.25), (25.0, 2.5)
# How many texts without a label are read beside each batch.
STRAYS = 170
# How often a message is read with a slip of the pen: as its teacher reads it without.
SLIPS = 0.3
HEAD_RATE = 3e-4
TAUGHT = [0, 1, 3]


class Strays:
    """Texts nobody labelled: the teacher says what is to be made of them."""

    def __init__(self, tokens, turns, others, source):
        self.tokens, self.turns, self.others, self.source = tokens, turns, others, source

    def said(self):
        """The newest message, the one before it and the answer between."""
        pick = self.source.choice
        kind, turn, other = self.source.random(), pick(self.turns), pick(self.turns)
        words = turn.newest.split(" ")
        if kind < 0.3:
            return turn.newest, other.newest, turn.answer or other.answer
        if kind < 0.5:
            at = self.source.randrange(len(words))
            half = words[:at] if at > len(words) / 2 else words[at:]
            return " ".join(half), turn.previous, turn.answer
        if kind < 0.62:
            left = [word for word in words if self.source.random() > 0.15]
            return " ".join(left or words), turn.previous, turn.answer
        if kind < 0.74:
            return f"{turn.newest} {other.newest}", None, None
        return turn.newest if kind < 0.86 else pick(self.others), None, None

    def draw(self):
        """As the teacher is to read them, and as the pupil does: some with a slip of the pen."""
        clean, read = [], []
        for _ in range(STRAYS):
            newest, previous, answer = self.said()
            clean.append(key_of(conversation_ids(self.tokens, newest, previous, answer)))
            if self.source.random() < SLIPS:
                newest = slip(newest, self.source)
            read.append(key_of(conversation_ids(self.tokens, newest, previous, answer)))
        return clean, read


@torch.no_grad()
def taught(teacher, rows):
    return teacher(*on_device(padded(rows)))


def far_from(teacher, rows, like, vectors, outputs=None, part=None):
    """By how much the pupil's vectors, and its log-odds, differ from the teacher's."""
    their_vectors, their_outputs = taught(teacher, rows)
    far = like[0] * (1 - (vectors * their_vectors).sum(1).mean())
    if outputs is None:
        return far
    apart = F.smooth_l1_loss(outputs[:, TAUGHT], their_outputs[:, TAUGHT], reduction="none")
    if part is not None:
        apart = apart * agreed(their_outputs, part)
    return far + like[1] * apart.mean()


def agreed(their_outputs, part):
    """Where a label says otherwise than the teacher, the teacher is not heard."""
    need = torch.tensor([t.label == "need" for t in part]).to(DEVICE)
    never = torch.tensor([t.label == "never" for t in part]).to(DEVICE)
    foreign = torch.tensor([t.language != "en" for t in part]).to(DEVICE)
    said = [(their_outputs[:, 0] > 0) == need, (their_outputs[:, 1] > -1) == never]
    columns = [column | foreign for column in said] + [torch.ones_like(foreign)]
    return torch.stack(columns, 1).float()


def losses(reader, teacher, like, varied, strays, part, bank):
    said, (stray, slipped) = [varied.said(t) for t in part], strays.draw()
    vectors, outputs = reader(*on_device(padded(said)))
    far = far_from(teacher, [t.ids for t in part], like, vectors, outputs, part)
    far = far + far_from(teacher, stray, like, *reader(*on_device(padded(slipped))))
    english = torch.tensor([float(t.language == "en") for t in part]).to(DEVICE)

    def head(column, truth, weight=None):
        return F.binary_cross_entropy_with_logits(outputs[:, column], truth * 0.96 + 0.02, weight)

    def labelled(label):
        return torch.tensor([float(t.label == label) for t in part]).to(DEVICE)

    labels = head(0, labelled("need"), english) + head(1, labelled("never"), english)
    labels = labels + 0.3 * head(3, 1 - english)
    wanted = [i for i, t in enumerate(part) if t.label == "need" and t.language == "en"]
    if len(wanted) > 2:
        asked = [part[i] for i in wanted]
        keys = [varied.offer(t) for t in asked]
        offers, _ = reader(*on_device(padded(keys)))
        far = far + far_from(teacher, keys, like, offers)
        labels = labels + 0.7 * contrast(vectors[wanted], offers, asked, bank)
    return labels, far


def teach(reader, teacher, tokens, turns, others, options, source):
    kept, held = [t for t in turns if not t.held], [t for t in turns if t.held]
    body, heads = freeze(reader, 0)
    varied = Varied(teacher, tokens, turns, source, SLIPS)
    strays = Strays(tokens, kept, others, source)
    bank = Bank()

    like = LIKE if options.again is None else LIKE_AGAIN

    def loss_of(part):
        labels, far = losses(reader, teacher, like, varied, strays, part, bank)
        return labels + far, {"labels": labels, "far": far}

    rates = {"body": (body, options.lr), "heads": (heads, HEAD_RATE)}
    steps(reader, kept, held, options.epochs, source, rates, loss_of, warm=0.1)


def unlabelled(examples, topics):
    """What assistants answered, what offers say, and how people ask for each topic."""
    with open(topics, encoding="utf-8") as file:
        asks = [ask for topic in json.load(file) for ask in topic["asks"]]
    found = {text for block in blocks_of(examples) for role, text, _ in block.turns if role == "a"}
    return sorted(found) + asks


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "examples", "topics", "teacher", "out"):
        parser.add_argument(name)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lr", type=float, default=2.5e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=float, metavar="SHARE")
    parser.add_argument("--frozen", help="is for the teacher: nothing is frozen here")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    tokens = Tokens(vocabulary(f"{options.base}/tokenizer.json"))
    turns = labelled_turns(tokens, options.examples)
    others = unlabelled(options.examples, options.topics)
    others += sorted({t.offer for t in turns if t.offer})
    print(f"{len(turns)} turns, {len(others)} texts without a label, on {DEVICE}", flush=True)
    base, mean = base_weights(f"{options.base}/onnx/model_quantized.onnx"), {}
    state = torch.load(options.teacher)
    teacher = (Reader if options.again is None else quick_reader)(base).to(DEVICE)
    teacher.load_state_dict(state)
    teacher.eval()
    for run in range(options.runs):
        torch.manual_seed(options.seed + run)
        reader = quick_reader(base).to(DEVICE)
        reader.load_state_dict(state)
        source = random.Random(options.seed + run)
        teach(reader, teacher, tokens, turns, others, options, source)
        for name, value in reader.state_dict().items():
            mean[name] = mean.get(name, 0) + value.cpu() / options.runs
    if options.again is not None:
        share = options.again
        mean = {name: state[name].cpu() * share + mean[name] * (1 - share) for name in mean}
    torch.save(mean, options.out)


if __name__ == "__main__":
    main()
