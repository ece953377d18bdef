"""Secrets that were drawn from a predictable generator come from the system's own."""

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import brought
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node

_PYTHON = {
    ("random", "choice"): "secrets.choice",
    ("random", "getrandbits"): "secrets.randbits",
    ("random", "randbytes"): "secrets.token_bytes",
    ("uuid", "uuid1"): "uuid4",
}


@certain
def from_secrets(source: Source, node: _Node) -> Sequence[Splice]:
    """``random`` as ``secrets``, and UUIDs of the clock as random ones."""
    call = above(node, {"call"})
    return tuple(_from_secrets(source, call)) if call is not None else ()


def _from_secrets(source: Source, call: _Node) -> Iterator[Splice]:
    function = call.child_by_field_name("function")
    if function is None:
        raise UncertainError
    said = source.of(function)
    head, _, rest = said.partition(".")
    module, what = imports.origins(source).get(head, ("", ""))
    name = what or rest
    if module == "uuid" and name == "uuid1":
        if not rest or source.of(call)[len(said) :] != "()":
            raise UncertainError
        yield Splice(function.end_byte - len("uuid1"), function.end_byte, "uuid4")
        return
    if module != "random" or not name or "." in name:
        raise UncertainError
    new = _PYTHON.get((module, name), f"secrets.SystemRandom().{name}")
    yield Splice(function.start_byte, function.end_byte, new)
    yield from brought(source, ["import secrets"])


_DRAWN = re.compile(r"Math\.random\(\)")
_WHOLE = re.compile(
    r"Math\.random\(\)\.toString\((?:36|16)\)"
    r"(?:\.(?:slice|substring|substr)\(\s*2\s*(?:,\s*(?P<end>\d+)\s*)?\))?"
)
_INTEGER = re.compile(
    r"Math\.(?:floor|round)\(\s*(?:(?P<low>\d+)\s*\+\s*)?Math\.random\(\)\s*\*\s*"
    r"(?P<span>\d+|[\w.]+\.length)\s*(?:\+\s*(?P<after>\d+)\s*)?\)"
)
_PAGES = frozenset({"react", "react-dom", "vue", "svelte", "jquery", "preact"})


@certain
def from_crypto(source: Source, node: _Node) -> Sequence[Splice]:
    """``Math.random`` as what ``crypto`` draws, where it is one of the usual expressions."""
    return tuple(_from_crypto(source, node))


def _from_crypto(source: Source, node: _Node) -> Iterator[Splice]:
    modules = imports.modules(source)
    if modules & _PAGES or re.search(r"\b(?:window|document|localStorage)\.", source.text):
        raise UncertainError  # it may run on a page, which has no such module
    said = source.of(node)
    draws = len(_DRAWN.findall(said))
    found = [*_WHOLE.finditer(said), *_INTEGER.finditer(said)]
    if not draws or len(found) != draws:
        raise UncertainError
    for one in found:
        name, call = _text(one) if one.re is _WHOLE else _integer(one)
        known = imports.called(source, "crypto", name)
        if not known:
            yield from brought(source, [f"import {{ {name} }} from 'crypto';"])
        start = node.start_byte + len(said[: one.start()].encode())
        new = call.replace(name, known or name, 1)
        yield Splice(start, start + len(one[0].encode()), new)


_LEAST = 16


def _text(said: re.Match[str]) -> tuple[str, str]:
    """As many signs as were cut out, or a UUID."""
    end = said["end"]
    if end is None:
        return "randomUUID", "randomUUID()"
    length = int(end) if ".substr(" in said[0] else int(end) - 2
    if length < 1:
        raise UncertainError
    cut = f".slice(0, {length})" if length % 2 else ""
    return "randomBytes", f"randomBytes({(length + 1) // 2}).toString('hex'){cut}"


def _integer(said: re.Match[str]) -> tuple[str, str]:
    """``randomInt`` from the lowest to below the highest."""
    if said[0].startswith("Math.round"):
        raise UncertainError
    low, span = said["low"] or said["after"], said["span"]
    if low is None:
        return "randomInt", f"randomInt({span})"
    high = str(int(low) + int(span)) if span.isdigit() else f"{low} + {span}"
    return "randomInt", f"randomInt({low}, {high})"
