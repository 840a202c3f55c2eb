"""The base model as plain PyTorch: a BERT of six layers, opened from its int8 ONNX file."""
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
# Straight pieces in place of the bell curve's sum, near enough and a third of its work.
BEND = 0.29
# At these layers of the quick reader two tokens become one.
PAIRS = (2, 4)
OUTPUTS = ("need", "never", "spare", "foreign")


def base_weights(path):
    """Float weights behind the int8 file, by the path each has in the graph."""
    model = onnx.load(path)
    stored = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}

    def plain(name):
        values = stored[name + "_quantized"].astype(np.float32)
        zero = stored[name + "_zero_point"].astype(np.float32)
        return (values - zero) * stored[name + "_scale"].astype(np.float32)

    weights = {}
    for name, value in stored.items():
        if name.startswith(("embeddings.", "encoder.")) and not name.endswith(
            ("_quantized", "_scale", "_zero_point")
        ):
            weights[name] = torch.tensor(value.astype(np.float32))
    for name in stored:
        if name.startswith(("embeddings.", "encoder.")) and name.endswith("_quantized"):
            weights[name[: -len("_quantized")]] = torch.tensor(plain(name[: -len("_quantized")]))
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        for name in node.input:
            if name.endswith("_quantized") and name in stored:
                # '/encoder/layer.0/attention/self/query/MatMul_quant' → 'encoder.layer.0.….weight'
                path = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
                matrix = torch.tensor(plain(name[: -len("_quantized")]))
                weights[path + ".weight"] = matrix.T.contiguous()
    return weights


def bent(x):
    return x * (x * BEND + 0.5).clamp(0, 1)


class Layer(nn.Module):
    def __init__(self, inner=F.gelu):
        super().__init__()
        self.inner = inner
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH)
        self.out_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.down_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    names = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "out": "attention.output.dense",
        "out_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "down_norm": "output.LayerNorm",
    }

    def load(self, weights, index):
        for own, theirs in self.names.items():
            for part in ("weight", "bias"):
                source = weights[f"encoder.layer.{index}.{theirs}.{part}"]
                getattr(getattr(self, own), part).data.copy_(source)

    def forward(self, x, mask, drop):
        batch, length, _ = x.shape
        split = lambda y: y.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
        scores = split(self.query(x)) @ split(self.key(x)).transpose(-1, -2)
        weights = (scores / (WIDTH // HEADS) ** 0.5 + mask).softmax(-1)
        weights = F.dropout(weights, drop, self.training)
        seen = (weights @ split(self.value(x))).transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.out_norm(x + F.dropout(self.out(seen), drop, self.training))
        inner = self.down(self.inner(self.up(x)))
        return self.down_norm(x + F.dropout(inner, drop, self.training))


def paired(x, mask):
    """Two neighbouring tokens as one: the mean of those that count."""
    if x.shape[1] % 2:
        x, mask = F.pad(x, (0, 0, 0, 1)), F.pad(mask, (0, 1))
    batch, length, width = x.shape
    counts = mask.view(batch, length // 2, 2).to(x.dtype)
    both = (x.view(batch, length // 2, 2, width) * counts.unsqueeze(-1)).sum(2)
    return both / counts.sum(2, keepdim=True).clamp(min=1), counts.amax(2)


class Reader(nn.Module):
    """`pairs`: at these layers two tokens become one, which halves the work from there on."""

    def __init__(self, weights, drop=0.25, pairs=(), inner=F.gelu):
        super().__init__()
        self.pairs = pairs
        table = lambda name: nn.Embedding.from_pretrained(weights[f"embeddings.{name}.weight"])
        self.words = table("word_embeddings")
        self.places = table("position_embeddings")
        self.types = table("token_type_embeddings")
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        for part in ("weight", "bias"):
            getattr(self.norm, part).data.copy_(weights[f"embeddings.LayerNorm.{part}"])
        self.layers = nn.ModuleList(Layer(inner) for _ in range(LAYERS))
        for index, layer in enumerate(self.layers):
            layer.load(weights, index)
        self.heads_in = nn.Linear(WIDTH, 128)
        self.heads_out = nn.Linear(128, len(OUTPUTS))
        self.drop = drop

    def meanings(self, ids):
        return self.words(ids)

    def lower(self, ids, types, mask, layers):
        """Up to the first trained layer: the same in every epoch, so it is kept."""
        length = ids.shape[1]
        places = self.places(torch.arange(length, device=ids.device))
        x = self.meanings(ids) + places[None] + self.types(types)
        x = self.norm(x)
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers[:layers]:
            x = layer(x, bias, 0.0)
        return x

    def upper(self, x, mask, layers):
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for index in range(layers, LAYERS):
            if index in self.pairs:
                x, mask = paired(x, mask)
                bias = (1.0 - mask[:, None, None, :].float()) * -1e4
            x = self.layers[index](x, bias, self.drop)
        weight = mask.unsqueeze(-1).float()
        pooled = (x * weight).sum(1) / weight.sum(1)
        # Two readings of the same mean: its direction says what is wanted, the heads whether.
        inner = F.dropout(F.gelu(self.heads_in(pooled * 2)), self.drop, self.training)
        return F.normalize(pooled, dim=-1), self.heads_out(inner)

    def forward(self, ids, types, mask):
        return self.upper(self.lower(ids, types, mask, 0), mask, 0)


def quick_reader(weights, drop=0.1):
    """What is shipped: it reads as a Reader does, for half the work."""
    return Reader(weights, drop, PAIRS, bent)
