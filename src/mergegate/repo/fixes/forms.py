"""Rules whose findings are of several forms, each with a small change of its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import tree_sitter

from mergegate.repo.fixes import calls, imports
from mergegate.repo.fixes.built import built
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.names import function_around, uses
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.values import brought, is_plain
from mergegate.repo.fixes.within import certain, opened

_Node = tree_sitter.Node


def set_or_replaced(found: Found) -> Sequence[Splice]:
    """Arguments are set where a call was found, and literals replaced where none was."""
    here = opened(found)
    if here is None:
        return ()
    is_call = here[1].type in {"call", "call_expression", "new_expression"}
    recipe = found.recipe
    said = replace(recipe, by=None, replace={}) if is_call else replace(recipe, by=None, set={})
    return calls.steps(replace(found, recipe=said))


def literal_argument(found: Found) -> Sequence[Splice]:
    """A number that is an argument itself, not a part of one, becomes ``wrap``."""
    here = opened(found)
    if here is None:
        return ()
    source, node = here
    arguments = node.child_by_field_name("arguments")
    name = source.of(node.child_by_field_name("function") or node)
    if arguments is None or not re.fullmatch(found.recipe.on or ".*", name):
        return ()
    numbers = [one for one in arguments.named_children if one.type in {"number", "integer"}]
    if len(numbers) != 1:
        return ()
    return (Splice(numbers[0].start_byte, numbers[0].end_byte, found.recipe.wrap),)


# Python


def verified_context(found: Found) -> Sequence[Splice]:
    """A TLS context that was told not to verify does again, in all that is said of it."""
    here = opened(found)
    if here is None:
        return ()
    if re.search(r"\b(?:verify_)?ssl\s*=\s*False\b", here[0].of(here[1])):
        # older versions of aiohttp take True for a wish not to verify
        said = replace(found.recipe, by=None, drop=("ssl", "verify_ssl"))
        return calls.steps(replace(found, recipe=said))
    try:
        return tuple(_verified_context(*here))
    except UncertainError:
        return ()


_CONTEXT = {
    "ssl._create_unverified_context": "ssl.create_default_context",
    "ssl.CERT_NONE": "ssl.CERT_REQUIRED",
    "ssl.CERT_OPTIONAL": "ssl.CERT_REQUIRED",
    '"CERT_NONE"': '"CERT_REQUIRED"',
    "'CERT_NONE'": "'CERT_REQUIRED'",
}


def _verified_context(source: Source, node: _Node) -> Iterator[Splice]:
    assigned = above(node, {"assignment"})
    target = assigned.child_by_field_name("left") if assigned is not None else None
    said = source.of(target) if target is not None else ""
    setting = re.fullmatch(r"([\w.]+)\.(?:check_hostname|verify_mode)", said)
    if setting is not None:
        yield from _settings(source, node, setting[1])
        return
    if "wrap_socket(" in source.of(node):
        raise UncertainError  # it knows no authorities
    changed = False
    for one in source.walk(node):
        new = _CONTEXT.get(source.of(one))
        if new is not None:
            changed = True
            yield Splice(one.start_byte, one.end_byte, new)
    if not changed:
        raise UncertainError


def _settings(source: Source, node: _Node, name: str) -> Iterator[Splice]:
    """Both settings, because one alone is refused when the program runs."""
    around = function_around(source, node)
    text = source.of(around)
    opens = rf"\b{re.escape(name)}\s*=\s*ssl\.create_default_context\("
    if not re.search(opens, text):
        raise UncertainError  # it may know no authorities
    for one in source.walk(around):
        if one.type != "assignment":
            continue
        left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
        if left is None or right is None:
            continue
        if source.of(left) == f"{name}.check_hostname" and source.of(right) == "False":
            yield Splice(right.start_byte, right.end_byte, "True")
        if source.of(left) == f"{name}.verify_mode" and source.of(right) == "ssl.CERT_NONE":
            yield Splice(right.start_byte, right.end_byte, "ssl.CERT_REQUIRED")


def verified_token(found: Found) -> Sequence[Splice]:
    """A token is verified with the key and algorithms that are given already."""
    here = opened(found)
    if here is None:
        return ()
    source, node = here
    call = above(node, {"call"})
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is None:
        return ()
    named = {
        source.of(name): one
        for one in arguments.named_children
        if one.type == "keyword_argument" and (name := one.child_by_field_name("name"))
    }
    plain = [one for one in arguments.named_children if one.type != "keyword_argument"]
    key = plain[1] if len(plain) > 1 else named.get("key")
    if key is None or "algorithms" not in named or re.search(r"['\"]{2}|None", source.of(key)):
        return ()
    return calls.steps(replace(found, recipe=replace(found.recipe, by=None, entries=_VERIFIED)))


_VERIFIED = {"verify_signature": "True", "verify": "True"}


@certain
def created_file(source: Source, node: _Node) -> Sequence[Splice]:
    """``mktemp`` as a file that exists from then on, where it is opened as one."""
    call = above(node, {"call"})
    function = call.child_by_field_name("function") if call is not None else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if call is None or function is None or arguments is None:
        return ()
    if any(one.type != "keyword_argument" for one in arguments.named_children):
        return ()
    if not _is_opened(source, call):
        return ()
    name = source.of(function)
    new = "NamedTemporaryFile"
    splices = [Splice(function.end_byte - len("mktemp"), function.end_byte, new)]
    between = ", " if arguments.named_children else ""
    splices.append(Splice(call.end_byte - 1, call.end_byte, f"{between}delete=False).name"))
    if name == "mktemp":
        try:
            splices += brought(source, ["from tempfile import NamedTemporaryFile"])
        except UncertainError:
            return ()
    return splices


def _is_opened(source: Source, call: _Node) -> bool:
    """Whether the name is opened in the same function, and made nothing else of."""
    holder = call.parent
    target = holder.child_by_field_name("left") if holder is not None else None
    if holder is None or holder.type != "assignment" or target is None:
        return False
    name = re.escape(source.of(target))
    text = source.of(function_around(source, call))
    makes = r"\b(?:mkdir|makedirs|mkfifo|bind|symlink|link|rename|copytree|connect)"
    others = rf"{makes}\([^)]{{0,200}}\b{name}\b"
    return bool(re.search(rf"\bopen\(\s*{name}\b", text)) and not re.search(others, text)


def select_autoescape(found: Found) -> Sequence[Splice]:
    """Jinja escapes in templates of HTML and XML."""
    here = opened(found)
    call = above(here[1], {"call"}) if here is not None else None
    said = here[0].of(call) if here is not None and call is not None else ""
    lines = [] if said.startswith("jinja2.") else ["from jinja2 import select_autoescape"]
    name = "select_autoescape()" if lines else "jinja2.select_autoescape()"
    if "loader" not in said:
        return ()  # its templates have no names
    recipe = replace(found.recipe, by=None, set={"autoescape": name}, imports=tuple(lines))
    return calls.steps(replace(found, recipe=recipe))


@certain
def own_host(source: Source, node: _Node) -> Sequence[Splice]:
    """Django is asked whether an address is of this host; elsewhere only a path of it is one."""
    if not is_plain(source, node):
        return ()
    said = source.of(node)
    lines = ["import re"]
    test = rf'{said} if re.match(r"/(?![/\\\s])", {said} or "") else "/"'
    if "django" in imports.modules(source):
        lines = ["from django.utils.http import url_has_allowed_host_and_scheme"]
        parameters = function_around(source, node).child_by_field_name("parameters")
        if parameters is None or not re.search(r"\brequest\b", source.of(parameters)):
            return ()
        given = f"{said}, allowed_hosts={{request.get_host()}}, require_https=request.is_secure()"
        test = f'{said} if url_has_allowed_host_and_scheme({given}) else "/"'
    return (Splice(node.start_byte, node.end_byte, test), *brought(source, lines))


_LOADERS = {
    "yaml.Loader": "yaml.SafeLoader",
    "yaml.UnsafeLoader": "yaml.SafeLoader",
    "yaml.FullLoader": "yaml.SafeLoader",
    "yaml.unsafe_load": "yaml.safe_load",
    "yaml.full_load": "yaml.safe_load",
}


@certain
def plain_yaml(source: Source, node: _Node) -> Sequence[Splice]:
    """YAML of a request builds no objects."""
    call = above(node.parent, {"call"})
    if call is None or not source.of(call).startswith("yaml."):
        return ()
    return [
        Splice(one.start_byte, one.end_byte, new)
        for one in source.walk(call)
        if one.type == "attribute" and (new := _LOADERS.get(source.of(one)))
    ]


# JavaScript and TypeScript


@certain
def own_path(source: Source, node: _Node) -> Sequence[Splice]:
    """Only a path of this site is followed; anything else leads to the front page."""
    if not is_plain(source, node):
        return ()
    said = source.of(node)
    quote = '"' if source.text.count('"') > source.text.count("'") else "'"
    test = rf"/^\/(?![/\\\s])/.test({said}) ? {said} : {quote}/{quote}"
    return (Splice(node.start_byte, node.end_byte, test),)


@certain
def verified_with_key(source: Source, node: _Node) -> Sequence[Splice]:
    """``jwt.decode(token)`` as ``verify``, with the one key that the file has."""
    call = above(node.parent, {"call_expression"})
    while call is not None and not re.match(r"\w+\.decode\(", source.of(call)):
        call = above(call.parent, {"call_expression"})
    function = call.child_by_field_name("function") if call is not None else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if function is None or arguments is None or len(arguments.named_children) != 1:
        return ()
    name = source.of(function).removesuffix(".decode")
    if imports.origins(source).get(name) != ("jsonwebtoken", ""):
        return ()
    keys = set(_second_arguments(source, {f"{name}.sign", f"{name}.verify"}))
    key = keys.pop() if len(keys) == 1 else ""
    if not re.fullmatch(r"process\.env\.\w+|[A-Z][A-Z0-9_]+", key):
        return ()
    last = arguments.named_children[0]
    return (
        Splice(function.end_byte - len("decode"), function.end_byte, "verify"),
        Splice(last.end_byte, last.end_byte, f", {key}"),
    )


def _second_arguments(source: Source, functions: set[str]) -> Iterator[str]:
    for one in source.walk():
        function, arguments = (
            one.child_by_field_name("function"),
            one.child_by_field_name("arguments"),
        )
        if function is not None and arguments is not None and source.of(function) in functions:
            given = arguments.named_children
            yield source.of(given[1]) if len(given) > 1 else ""


@certain
def copied(source: Source, node: _Node) -> Sequence[Splice]:
    """``new Buffer(data)`` as ``Buffer.from(data)``, where it is no size."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) != 1 or re.search(
        r"(?i)(?:size|len|length|count|bytes|num\w*|\bn)\Z", source.of(given[0])
    ):
        return ()
    constructor = node.child_by_field_name("constructor")
    choice = above(node, {"ternary_expression"})
    if choice is not None and "Buffer.from" in source.of(choice):
        return ()  # it is for versions of Node.js that have nothing else
    if constructor is None or given[0].type == "number":
        return ()
    if given[0].type == "binary_expression":
        try:
            built(source, given[0])
        except UncertainError:
            return ()  # it may be a sum
    return (Splice(node.start_byte, constructor.end_byte, "Buffer.from"),)


@certain
def without_last_flag(source: Source, node: _Node) -> Sequence[Splice]:
    """``read(offset, true)`` without what Node.js takes no notice of."""
    arguments = node.child_by_field_name("arguments")
    last = arguments.named_children[-1] if arguments and arguments.named_children else None
    comma = last.prev_sibling if last is not None else None
    if last is None or comma is None or source.of(last) != "true" or comma.type != ",":
        return ()
    return (Splice(comma.start_byte, last.end_byte, ""),)


_KEPT_OFF = frozenset({"contentSecurityPolicy", "crossOriginEmbedderPolicy"})
"""What pages may break without being written for it."""
_PROTECTIONS = frozenset(
    {"hsts", "strictTransportSecurity", "frameguard", "xFrameOptions", "noSniff"}
    | {"xContentTypeOptions"}
)


def default_headers(found: Found) -> Sequence[Splice]:
    """Helmet sends again what it sends by itself, but for what pages must be written for."""
    here = opened(found)
    if here is None:
        return ()
    source, node = here
    names = [
        source.of(key)
        for one in source.walk(node)
        if one.type == "pair"
        and (key := one.child_by_field_name("key"))
        and (value := one.child_by_field_name("value"))
        and source.of(value) == "false"
    ]
    if set(names) & _KEPT_OFF or not set(names) & _PROTECTIONS:
        return ()
    wanted = {name: "true" for name in names if name in _PROTECTIONS}
    return calls.steps(replace(found, recipe=replace(found.recipe, by=None, entries=wanted)))


def escaped_pages(found: Found) -> Sequence[Splice]:
    """Templates escape what they print, where the program answers with pages."""
    here = opened(found)
    if here is None or not re.search(
        r"express|koa|fastify|\b(?:res|ctx|reply)\.|<html", here[0].text
    ):
        return ()
    return calls.steps(replace(found, recipe=replace(found.recipe, by=None)))


@certain
def least_version(source: Source, node: _Node) -> Sequence[Splice]:
    """``secureProtocol: 'TLSv1_method'`` as ``minVersion: 'TLSv1.2'``."""
    quote = '"' if source.text.count('"') > source.text.count("'") else "'"
    names = {
        source.of(key).strip("'\""): one
        for one in source.walk(node)
        if one.type == "pair" and (key := one.child_by_field_name("key"))
    }
    pair = names.get("secureProtocol")
    if pair is None or "minVersion" in names:
        return ()
    return (Splice(pair.start_byte, pair.end_byte, f"minVersion: {quote}TLSv1.2{quote}"),)


@certain
def one_proxy(source: Source, node: _Node) -> Sequence[Splice]:
    """The nearest proxy is believed, and no other address that a request names."""
    function, arguments = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    )
    if function is None or arguments is None:
        return ()
    member, given = function.child_by_field_name("property"), arguments.named_children
    if member is None:
        return ()
    if source.of(member) == "enable" and len(given) == 1:
        return (
            Splice(member.start_byte, member.end_byte, "set"),
            Splice(given[0].end_byte, given[0].end_byte, ", 1"),
        )
    if source.of(member) == "set" and source.of(given[-1]) == "true":
        return (Splice(given[-1].start_byte, given[-1].end_byte, "1"),)
    return ()


_WRITERS = {"innerHTML": "textContent", "outerHTML": "", "html": "text"}


@certain
def as_text(source: Source, node: _Node) -> Sequence[Splice]:
    """A value of the page's address is shown as text, where it stands alone."""
    if not _is_of_address(source, node):
        return ()
    holder = node.parent
    if holder is not None and holder.type == "assignment_expression":
        member = holder.child_by_field_name("left")
    elif holder is not None and holder.type == "arguments" and len(holder.named_children) == 1:
        call = holder.parent
        member = call.child_by_field_name("function") if call is not None else None
    else:
        return ()
    name = member.child_by_field_name("property") if member is not None else None
    new = _WRITERS.get(source.of(name), "") if name is not None else ""
    return (Splice(name.start_byte, name.end_byte, new),) if name is not None and new else ()


_OF_ADDRESS = re.compile(
    r"(?:decodeURIComponent\()?(?:\w+\.)*(?:(?:searchParams|params|query|urlParams)\.get\(['\"]\w+['\"]\)"
    r"|(?:location|document)\.(?:hash|search|href|referrer|URL)(?:\.(?:slice|substring|substr)\(\d+\))?)\)?"
)


def _is_of_address(source: Source, node: _Node) -> bool:
    if _OF_ADDRESS.fullmatch(source.of(node)):
        return True
    if node.type != "identifier":
        return False
    around = function_around(source, node)
    given = [one for one in uses(source, source.of(node), around) if one != node]
    values = [
        value
        for one in given
        if one.parent is not None
        and one.parent.type == "variable_declarator"
        and (value := one.parent.child_by_field_name("value"))
    ]
    return len(values) == 1 and _OF_ADDRESS.fullmatch(source.of(values[0])) is not None


@certain
def called_later(source: Source, node: _Node) -> Sequence[Splice]:
    """``setTimeout('show(' + id + ')')`` as ``setTimeout(() => show(id))``."""
    arguments = node.child_by_field_name("arguments")
    try:
        first = arguments.named_children[0] if arguments is not None else node
        text = built(source, first)
    except (UncertainError, IndexError):
        return ()
    if len(text.values) != 1 or text.escapes:
        return ()
    value = text.values[0]
    head = re.fullmatch(r"\s*([\w.]+\()(['\"]?)", text.before(value))
    tail = re.fullmatch(r"(['\"]?)\)\s*;?\s*", text.after(value))
    if head is None or tail is None or head[2] != tail[1] or value.node.type != "identifier":
        return ()
    said = f"String({value.said})" if head[2] else value.said
    return (Splice(first.start_byte, first.end_byte, f"() => {head[1]}{said})"),)


@certain
def parsed(source: Source, node: _Node) -> Sequence[Splice]:
    """``eval('(' + text + ')')``, the old way to read JSON, as ``JSON.parse(text)``."""
    call = above(node, {"call_expression"})
    arguments = call.child_by_field_name("arguments") if call is not None else None
    try:
        text = built(source, arguments.named_children[0]) if arguments is not None else None
    except (UncertainError, IndexError):
        return ()
    if call is None or text is None or len(text.values) != 1:
        return ()
    value = text.values[0]
    if (text.before(value), text.after(value)) != ("(", ")"):
        return ()
    return (Splice(call.start_byte, call.end_byte, f"JSON.parse({value.said})"),)


@certain
def field_compared(source: Source, node: _Node) -> Sequence[Splice]:
    """``{ $where: `this.a == '${x}'` }`` as ``{ a: String(x) }``."""
    pair = node.parent
    try:
        text = built(source, node)
    except UncertainError:
        return ()
    if pair is None or pair.type != "pair" or len(text.values) != 1:
        return ()
    value = text.values[0]
    field = re.fullmatch(r"\s*this\.(\w+)\s*===?\s*(['\"])", text.before(value))
    if field is None or text.after(value).strip() != field[2]:
        return ()
    return (Splice(pair.start_byte, pair.end_byte, f"{field[1]}: String({value.said})"),)
