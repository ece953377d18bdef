"""Model files of some kilobytes, written in a moment: one that talks junk, and one with a script.

Both hold a Llama of one layer. In the second attention and feed-forward weights are zero and the
output maps each token to the one that follows in the script: so the network always says it, through
the real tokenizer, sampler and grammar.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFWriter, TokenType

CONTEXT = 32_768
_HEADS, _FORWARD, _WIDTH, _SEED = 4, 32, 128, 7
_SHORTEST_PIECE = 3
_TEMPLATE = """{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' }}
{%- if m.content %}{{- m.content }}{%- endif %}{{- '<|im_end|>\\n' }}{%- endfor %}
{%- for t in tools or [] %}{{- t | tojson }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""


@dataclass
class _Vocabulary:
    texts: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    kinds: list[TokenType] = field(default_factory=list)

    def add(self, text: str, score: float, kind: TokenType) -> int:
        self.texts.append(text)
        self.scores.append(score)
        self.kinds.append(kind)
        return len(self.texts) - 1


@dataclass
class _Net:
    embedding: Any
    head: Any
    noise: float
    """Of attention and feed-forward weights."""


def junk(file: Path) -> Path:
    """Random weights: printable nonsense, and well formed under a grammar alone."""
    words, printable, end = _alphabet()
    size, dice = len(words.texts), np.random.default_rng(_SEED)
    embedding = (dice.standard_normal((size, _WIDTH)) * 0.3).astype(np.float32)
    head = (dice.standard_normal((size, _WIDTH)) * 0.3).astype(np.float32)
    embedding[:, 0], head[:, 0] = 8.0, -30.0  # the first dimension is a bias of the output
    head[[*printable, end], 0] = 0.0
    _write(file, words, end, _Net(embedding, head, 0.3))
    return file


def script(file: Path, says: str) -> Path:
    """Weights that always say ``says``, whatever they are asked, and then stop."""
    words, _, end = _alphabet()
    way = [words.add(_spelled(one), -50.0, TokenType.NORMAL) for one in _pieces(says, words)]
    size = len(words.texts)
    embedding = np.zeros((size, -(-(size + 1) // 32) * 32), np.float32)
    head = np.zeros_like(embedding)
    embedding[np.arange(size), np.arange(size)] = 1.0
    following = np.full(size, way[0])
    following[way] = [*way[1:], end]
    following[end] = end
    head[following, np.arange(size)] = 4.0
    _write(file, words, end, _Net(embedding, head, 0.0))
    return file


def _alphabet() -> tuple[_Vocabulary, Sequence[int], int]:
    """Bytes and printable characters; which are printable, and the end of an answer."""
    words = _Vocabulary()
    words.add("<unk>", 0.0, TokenType.UNKNOWN)
    for one in ("<s>", "</s>"):
        words.add(one, 0.0, TokenType.CONTROL)
    for byte in range(256):
        words.add(f"<0x{byte:02X}>", 0.0, TokenType.BYTE)
    printable = [words.add("\u2581", -1.0, TokenType.NORMAL)]
    printable += [words.add(chr(one), -2.0, TokenType.NORMAL) for one in range(33, 127)]
    words.add("<|im_start|>", 0.0, TokenType.CONTROL)
    return words, printable, words.add("<|im_end|>", 0.0, TokenType.CONTROL)


def _spelled(text: str) -> str:
    return text.replace(" ", "\u2581")


def _pieces(says: str, words: _Vocabulary) -> Iterator[str]:
    """``says`` in different pieces; a prompt holds none, for nothing merges to them."""
    seen, pieces, start = set(words.texts), list[str](), 0
    while start < len(says):
        length = _SHORTEST_PIECE
        while _spelled(says[start : start + length]) in seen and start + length < len(says):
            length += 1
        piece = says[start : start + length]
        if pieces and (_spelled(piece) in seen or len(piece) < _SHORTEST_PIECE):
            piece = pieces.pop() + piece
        pieces.append(piece)
        seen.add(_spelled(piece))
        start += length
    return iter(pieces)


def _write(file: Path, words: _Vocabulary, end: int, net: _Net) -> None:
    width = net.embedding.shape[1]
    out = GGUFWriter(file, "llama")
    out.add_context_length(CONTEXT)
    out.add_embedding_length(width)
    out.add_block_count(1)
    out.add_feed_forward_length(_FORWARD)
    out.add_head_count(_HEADS)
    out.add_head_count_kv(_HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_dimension_count(width // _HEADS)
    out.add_vocab_size(len(words.texts))
    out.add_file_type(0)
    out.add_tokenizer_model("llama")
    out.add_tokenizer_pre("default")
    out.add_token_list([one.encode() for one in words.texts])
    out.add_token_scores(words.scores)
    out.add_token_types(words.kinds)
    out.add_bos_token_id(1)
    out.add_eos_token_id(end)
    out.add_unk_token_id(0)
    out.add_add_bos_token(True)
    out.add_add_space_prefix(False)
    out.add_chat_template(_TEMPLATE)
    for name, held in _tensors(net, width):
        out.add_tensor(name, held)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def _tensors(net: _Net, width: int) -> Iterator[tuple[str, Any]]:
    dice, one = np.random.default_rng(_SEED), np.ones(width, np.float32)
    yield from (("token_embd.weight", net.embedding), ("output.weight", net.head))
    yield from (
        (f"{name}.weight", one) for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm")
    )
    shapes = {
        **dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (width, width)),
        **dict.fromkeys(("ffn_gate", "ffn_up"), (_FORWARD, width)),
        "ffn_down": (width, _FORWARD),
    }
    for name, shape in shapes.items():
        held = (dice.standard_normal(shape) * net.noise).astype(np.float32)
        if name in {"attn_output", "ffn_down"}:
            held[0] = 0.0  # the bias stays what it is
        yield f"blk.0.{name}.weight", held
