"""Literals that are changed by what they say: modes, lists, secrets, options of a command."""

import re
from collections.abc import Callable, Iterator

import tree_sitter

from mergegate.repo.fixes import imports
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import brought
from mergegate.repo.fixes.within import certain

_Node = tree_sitter.Node
_Make = Callable[[Source, _Node], Iterator[Splice]]


_OCTAL = re.compile(r"(['\"]?)(0o?|)([0-7]{3,4})\1")
_WRITABLE = 0o022


@certain
def modes(source: Source, node: _Node) -> Iterator[Splice]:
    """``0o777`` as ``0o755``: only the owner may write."""
    found = []
    for one in source.walk(node):
        said = _OCTAL.fullmatch(source.of(one))
        is_octal = said is not None and (said[1] or said[2])
        if one.type in {"integer", "number", "string"} and said is not None and is_octal:
            mode = int(said[3], 8)
            new = f"{mode & ~_WRITABLE:0{len(said[3])}o}"
            if mode & _WRITABLE:
                found.append(
                    Splice(one.start_byte, one.end_byte, f"{said[1]}{said[2]}{new}{said[1]}")
                )
    if len(found) != 1:
        raise UncertainError
    yield found[0]


@certain
def without_none(source: Source, node: _Node) -> Iterator[Splice]:
    """The algorithm ``none`` goes from a list that has others."""
    lists = [
        one
        for one in source.walk(node)
        if one.type in {"list", "array"} and _none_of(source, one) is not None
    ]
    if len(lists) != 1 or len(lists[0].named_children) == 1:
        raise UncertainError
    none = _none_of(source, lists[0])
    if none is None:
        raise UncertainError
    first, after = none.prev_sibling, none.next_named_sibling
    if first is not None and first.type == ",":
        yield Splice(first.start_byte, none.end_byte, "")
    elif after is not None:
        yield Splice(none.start_byte, after.start_byte, "")


def _none_of(source: Source, listed: _Node) -> _Node | None:
    for one in listed.named_children:
        if source.of(one).strip("'\"").lower() == "none" and one.type == "string":
            return one
    return None


_SECRET = re.compile(
    r"(?i)(?:[\w$]+\??\.)*\w*(?:password|passwd|pass_?phrase|secret|secret_?key|client_?secret"
    r"|private_?key|api_?key|access_?token|refresh_?token|auth_?token|token|credit_?card\w*|cvv|ssn)"
)


@certain
def hidden(source: Source, node: _Node) -> Iterator[Splice]:
    """``***`` is written in place of a secret."""
    kinds = {"identifier", "attribute", "member_expression"}
    call = above(node, {"call", "call_expression"})
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is None:
        raise UncertainError
    waiting, found = list(arguments.named_children), []
    while waiting:
        one = waiting.pop()
        if one.type in kinds and _SECRET.fullmatch(source.of(one)):
            found.append(one)
        elif one.type in _TEXTS:
            waiting.extend(one.named_children)
    if not found:
        raise UncertainError
    for one in found:
        holder = one.parent
        if holder is not None and holder.type in {"interpolation", "template_substitution"}:
            yield Splice(holder.start_byte, holder.end_byte, "***")
            yield from _unformatted(source, holder)
        else:
            quote = '"' if source.text.count('"') > source.text.count("'") else "'"
            yield Splice(one.start_byte, one.end_byte, f"{quote}***{quote}")


def _unformatted(source: Source, hole: _Node) -> Iterator[Splice]:
    """Without the ``f`` before a string that has no other value."""
    string = hole.parent
    if string is None or string.type != "string":
        return
    opening = string.children[0]
    letters = source.of(opening).rstrip("'\"")
    holes = [one for one in string.named_children if one.type == "interpolation"]
    if len(holes) == 1 and not re.search(r"\{\{|\}\}", source.of(string)):
        end = opening.start_byte + len(letters)
        yield Splice(opening.start_byte, end, re.sub("[fF]", "", letters))


_TEXTS = frozenset(
    {"string", "concatenated_string", "interpolation", "template_string", "template_substitution"}
    | {"binary_expression", "binary_operator", "tuple"}
)


_KEYS = re.compile(r"secret|secretOrKey|keys")


@certain
def from_environment(source: Source, node: _Node) -> Iterator[Splice]:
    """A secret of the source is read from the environment."""
    call = above(node, {"call_expression", "new_expression"})
    name = "JWT_SECRET" if call is not None and "jwt" in source.of(call)[:40].lower() else ""
    name = name or "SESSION_SECRET"
    if call is None:
        raise UncertainError
    secrets = list(_secrets(source, call))
    if len(secrets) != 1 or secrets[0].type != "string":
        raise UncertainError
    if source.text.count(source.of(secrets[0])) != 1:
        raise UncertainError  # what else uses it would no longer fit
    typed = "" if source.language.name == "javascript" else " as string"
    yield Splice(secrets[0].start_byte, secrets[0].end_byte, f"process.env.{name}{typed}")


def _secrets(source: Source, call: _Node) -> Iterator[_Node]:
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    called = source.of(call.child_by_field_name("function") or call)
    if re.search(r"\.(?:sign|verify)$", called):
        yield from given[1:2]
        return
    if re.fullmatch(r"cookieParser", called):
        yield from given[:1]
        return
    for pair in (one for each in given for one in each.named_children if one.type == "pair"):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None and _KEYS.fullmatch(source.of(key).strip("'\"")):
            yield from value.named_children if value.type == "array" else [value]


_UNCHECKED = re.compile(r"StrictHostKeyChecking=no\b")


@certain
def host_keys_checked(source: Source, node: _Node) -> Iterator[Splice]:
    """``ssh`` remembers the key of a new host and refuses another one."""
    said = source.of(node)
    if "/dev/null" in said or not _UNCHECKED.search(said):
        raise UncertainError
    for one in _UNCHECKED.finditer(said):
        start = node.start_byte + len(said[: one.start()].encode())
        yield Splice(start, start + len(one[0]), "StrictHostKeyChecking=accept-new")


_STRONG = "django.contrib.auth.hashers.PBKDF2PasswordHasher"


@certain
def strong_hasher_first(source: Source, node: _Node) -> Iterator[Splice]:
    """New passwords get a strong hash; old ones still fit, and are hashed anew at a login."""
    lists = [one for one in source.walk(node) if one.type in {"list", "tuple"}]
    if not lists or not lists[0].named_children:
        raise UncertainError
    items = lists[0].named_children
    if any(one.type != "string" for one in items):
        raise UncertainError
    first = items[0]
    strong = [one for one in items if source.of(one).strip("'\"") == _STRONG]
    said = source.of(strong[0]) if strong else f'"{_STRONG}"'
    start = source.bytes.rfind(b"\n", 0, first.start_byte) + 1
    indent = source.bytes[start : first.start_byte].decode()
    between = f",\n{indent}" if not indent.strip() else ", "
    yield Splice(first.start_byte, first.start_byte, f"{said}{between}")
    if strong:
        comma = strong[0].prev_sibling
        if comma is None or comma.type != ",":
            raise UncertainError
        yield Splice(comma.start_byte, strong[0].end_byte, "")


@certain
def json_for_scripts(source: Source, node: _Node) -> Iterator[Splice]:
    """``<`` of JSON is written so that no script ends there."""
    holder = node if node.type == "template_string" else above(node, {"template_string"})
    if holder is None:
        raise UncertainError
    for one in source.walk(holder):
        is_json = one.type == "call_expression" and source.of(one).startswith("JSON.stringify(")
        if is_json and one.parent is not None and one.parent.type == "template_substitution":
            yield Splice(one.end_byte, one.end_byte, r".replace(/</g, '\\u003c')")


@certain
def alone_in_window(source: Source, node: _Node) -> Iterator[Splice]:
    """``rel="noopener"`` beside ``target="_blank"``."""
    for one in source.walk(node):
        if one.type == "jsx_attribute" and re.fullmatch(
            r"target=\{?['\"]_blank['\"]\}?", source.of(one)
        ):
            yield Splice(one.end_byte, one.end_byte, ' rel="noopener noreferrer"')
            return


@certain
def digests_compared(source: Source, node: _Node) -> Iterator[Splice]:
    """Both sides are hashed and compared in constant time, whatever their lengths."""
    if node.type != "binary_expression":
        raise UncertainError
    left, operator, right = (node.child_by_field_name(one) for one in ("left", "operator", "right"))
    if left is None or operator is None or right is None:
        raise UncertainError
    if any(re.search(r"headers\.get\(", source.of(one)) for one in (left, right)):
        # What speaks of requests as pages do may run where there is no such module.
        raise UncertainError
    names = {}
    for name in ("timingSafeEqual", "createHash"):
        known = imports.called(source, "crypto", name)
        if not known:
            yield from brought(source, [f"import {{ {name} }} from 'crypto';"])
        names[name] = known or name
    digests = [
        f"{names['createHash']}('sha256').update({_given(source, one)}).digest()"
        for one in (left, right)
    ]
    sign = "!" if source.of(operator).startswith("!") else ""
    said = f"{sign}{names['timingSafeEqual']}({', '.join(digests)})"
    yield Splice(node.start_byte, node.end_byte, said)


def _given(source: Source, one: _Node) -> str:
    """A text; a variable of the environment as it is, which fails where it is not set."""
    said = source.of(one)
    if not re.fullmatch(r"process\.env\.\w+", said):
        return f"String({said})"
    return said if source.language.name == "javascript" else f"{said} as string"
