"""Settings, limits, modes and digests of Go programs."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mergegate.repo.fixes.calls import alone, imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.go_imports import added, specs
from mergegate.repo.fixes.go_values import declared_type, parameter
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    arguments,
    called,
    certain,
    function,
    indent,
    meant,
    need,
    over,
    statement,
    uses,
)


def _imports(source: Source) -> set[str]:
    return {source.of(one) for one in specs(source)}


@certain
def server_timeouts(source: Source, node: Node) -> Iterator[Splice]:
    """A server with a limit on the time that the headers of a request may take."""
    limit = {"ReadHeaderTimeout": "10 * time.Second"}
    yield from imported(source, '"time"')
    literal = _literal(source, node, "http.Server")
    if literal is not None:
        yield from with_elements(source, literal, limit)
        return
    call = meant(source, node, r"http\.ListenAndServe(?:TLS)?")
    if '"net/http/pprof"' in source.text:
        raise UncertainError  # whether the profiler is served would be seen no more
    given = [source.of(one) for one in arguments(source, call)]
    if called(source, call).endswith("TLS"):
        address, certificate, key, handler = given
        run = f"ListenAndServeTLS({certificate}, {key})"
    else:
        address, handler = given
        run = "ListenAndServe()"
    said = "".join(f"{key}: {value}" for key, value in limit.items())
    handled = "" if handler == "nil" else f"Handler: {handler}, "
    yield over(call, f"(&http.Server{{Addr: {address}, {handled}{said}}}).{run}")


def _literal(source: Source, node: Node, kind: str) -> Node | None:
    """The literal of a struct that was found."""
    for one in (node, *node.named_children):
        said = one.child_by_field_name("type")
        if one.type == "composite_literal" and said is not None and source.of(said) == kind:
            return one
    return None


def _elements(literal: Node) -> list[Node]:
    body = need(literal.child_by_field_name("body"))
    return [one for one in body.named_children if one.type == "keyed_element"]


def with_elements(source: Source, literal: Node, wanted: Mapping[str, str]) -> Iterator[Splice]:
    """A literal that says so, with what it has not yet at its end, laid out as the others are."""
    elements = {source.of(_key(one)): one for one in _elements(literal)}
    if not elements:
        raise UncertainError
    missing = {key: value for key, value in wanted.items() if key not in elements}
    for key in wanted.keys() & elements.keys():
        yield over(need(elements[key].child_by_field_name("value")), wanted[key])
    last = list(elements.values())[-1]
    if last.start_point.row == literal.start_point.row:
        listed = "".join(f", {key}: {value}" for key, value in missing.items())
        yield Splice(last.end_byte, last.end_byte, listed)
        return
    comma = need(last.next_sibling)
    if comma.type != ",":
        raise UncertainError
    yield from aligned(source, list(elements.values()), missing)
    width = _width(list(elements), missing) if _is_table(literal) else 0
    lines = "".join(
        f"\n{indent(source, last)}{f'{key}:'.ljust(width)} {value},"
        for key, value in missing.items()
    )
    yield Splice(comma.end_byte, comma.end_byte, lines)


def _key(element: Node) -> Node:
    return need(element.child_by_field_name("key"))


def _width(*keys: Iterable[str]) -> int:
    return max((len(key) for some in keys for key in some), default=0) + 1


def _is_table(literal: Node) -> bool:
    """Whether each element has a line of its own, one below the other: gofmt aligns those."""
    elements = _elements(literal)
    rows = [one.start_point.row for one in elements]
    single = all(one.start_point.row == one.end_point.row for one in elements)
    return single and rows == list(range(rows[0], rows[0] + len(rows)))


def aligned(source: Source, elements: Sequence[Node], more: Iterable[str]) -> Iterator[Splice]:
    """The values of elements below one another, as far in as the longest key asks."""
    if not elements or not _is_table(need(need(elements[0].parent).parent)):
        return
    width = _width((source.of(_key(one)) for one in elements), more)
    for one in elements:
        value = need(one.child_by_field_name("value"))
        blanks = " " * (width - len(source.of(_key(one))))
        if source.bytes[_key(one).end_byte + 1 : value.start_byte] != blanks.encode():
            yield Splice(_key(one).end_byte + 1, value.start_byte, blanks)


def without_element(source: Source, element: Node) -> Splice:
    """A literal without one of its elements, its comma and its line."""
    body = need(element.parent)
    after, previous = element.next_sibling, element.prev_sibling
    if body.named_child_count == 1:
        return Splice(body.start_byte + 1, body.end_byte - 1, "")
    end = after.end_byte if after is not None and after.type == "," else element.end_byte
    line = source.bytes.rfind(b"\n", 0, element.start_byte) + 1
    newline = source.bytes.find(b"\n", end)
    around = source.bytes[line : element.start_byte] + source.bytes[end:newline]
    if not around.strip():
        return Splice(line, newline + 1, "")
    if previous is not None and previous.type == ",":
        return Splice(previous.start_byte, element.end_byte, "")
    follows = after.next_sibling if after is not None else None
    return Splice(element.start_byte, follows.start_byte if follows else end, "")


@certain
def own_origin(source: Source, node: Node) -> Iterator[Splice]:
    """Without what accepts every origin, the library compares it with the host."""
    around = above(node, {"assignment_statement"})
    if around is not None and "CheckOrigin" in source.of(around).split("=")[0]:
        yield alone(source, around)
        return
    literal = need(
        _literal(source, node, "websocket.Upgrader")
        or _literal(source, node, "websocket.AcceptOptions")
    )
    gone = [
        one
        for one in _elements(literal)
        if source.of(_key(one)) in {"CheckOrigin", "InsecureSkipVerify"}
    ]
    if len(gone) != 1:
        raise UncertainError
    yield without_element(source, gone[0])
    yield from aligned(source, [one for one in _elements(literal) if one != gone[0]], ())


@certain
def cookie_flags(source: Source, node: Node) -> Iterator[Splice]:
    """A cookie for HTTPS alone that scripts do not see."""
    literal = need(_literal(source, node, "http.Cookie"))
    yield from with_elements(source, literal, {"Secure": "true", "HttpOnly": "true"})


_WEAK = re.compile(r"tls\.TLS_\w*(?:RC4|3DES)\w*")


@certain
def cipher_suites(source: Source, node: Node) -> Iterator[Splice]:
    """The list without a suite, while one that is not broken is left."""
    element = need(above(node, {"literal_element"}))
    others = [one for one in need(element.parent).named_children if one.type == "literal_element"]
    if not any(not _WEAK.fullmatch(source.of(one)) for one in others):
        raise UncertainError
    yield without_element(source, element)


@certain
def file_mode(source: Source, node: Node) -> Iterator[Splice]:
    """The mode without the right of others to write."""
    call = meant(source, node, r".*\.Chmod")
    mode = arguments(source, call)[-1]
    said = re.fullmatch(r"(0o?)([0-7]+)", source.of(mode))
    if said is None:
        raise UncertainError
    yield over(mode, f"{said[1]}{int(said[2], 8) & ~0o022:0{len(said[2])}o}")


@certain
def temporary_file(source: Source, node: Node) -> Iterator[Splice]:
    """A file with a name of its own in the temporary folder, which must not be there yet."""
    call = meant(source, node, r"os\.Create")
    (path,) = arguments(source, call)
    names = [one for one in source.walk(path) if one.type == "interpreted_string_literal"]
    name = source.of(names[-1])[1:-1] if names else ""
    base, ending = posixpath.splitext(posixpath.basename(name))
    if not base or "*" in name or "\\" in name or source.text.count(name) != 1:
        raise UncertainError
    folders = posixpath.dirname(name).strip("/").removeprefix("var/").removeprefix("tmp")
    if folders.strip("/"):
        raise UncertainError
    yield over(call, f'os.CreateTemp("", "{base}-*{ending}")')


@certain
def constant_time(source: Source, node: Node) -> Iterator[Splice]:
    """Message codes compared by hmac.Equal, which always takes the same time."""
    if '"crypto/hmac"' not in _imports(source):
        raise UncertainError
    if node.type == "call_expression":
        yield over(need(node.child_by_field_name("function")), "hmac.Equal")
        return
    operator = source.of(need(node.child_by_field_name("operator")))
    sides = [source.of(need(node.child_by_field_name(side))) for side in ("left", "right")]
    if node.type != "binary_expression" or operator not in {"==", "!="}:
        raise UncertainError
    sign = "!" if operator == "!=" else ""
    yield over(node, f"{sign}hmac.Equal([]byte({sides[0]}), []byte({sides[1]}))")


@certain
def body_limit(source: Source, node: Node) -> Iterator[Splice]:
    """A body read up to ten megabytes; what is longer is an error."""
    call = meant(source, node, r"(?:io|ioutil)\.ReadAll")
    (body,) = arguments(source, call)
    writer = parameter(source, node, "http.ResponseWriter")
    yield over(body, f"http.MaxBytesReader({writer}, {source.of(body)}, 10<<20)")


@certain
def checked_random(source: Source, node: Node) -> Iterator[Splice]:
    """The program stops where the system gives no random numbers."""
    done = statement(source, node)
    margin = indent(source, done)
    number = re.match(r"(\w+), _ := ", source.of(done))
    if number and not re.search(r"\berr\b", source.of(function(source, node))):
        yield Splice(done.start_byte, done.start_byte + number.end(), f"{number[1]}, err := ")
        lines = f"\n{margin}if err != nil {{\n{margin}\tpanic(err)\n{margin}}}"
        yield Splice(done.end_byte, done.end_byte, lines)
        return
    if done.type == "expression_statement":
        call = source.of(done)
        if not re.match(r"\w+\.Read\(", call):
            raise UncertainError
        text = f"_, err := {call}"
    elif done.type == "assignment_statement" and re.match(r"_, _ = ", source.of(done)):
        text = source.of(done).replace("_, _ =", "_, err :=", 1)
    else:
        raise UncertainError
    yield over(done, f"if {text}; err != nil {{\n{margin}\tpanic(err)\n{margin}}}")


_NUMBERS = re.compile(r"rand\.(?:Intn|IntN|Int63n|Int31n|N)")


@certain
def system_random(source: Source, node: Node) -> Iterator[Splice]:
    """Random bytes and numbers of the system, where the file asks for no others."""
    imports = specs(source)
    own = [one for one in imports if source.of(one) in {'"math/rand"', '"math/rand/v2"'}]
    if len(own) != 1:
        raise UncertainError
    within = function(source, node)
    numbers: list[tuple[Node, Node]] = []
    for one in source.walk():
        if one.type != "selector_expression" or not source.of(one).startswith("rand."):
            continue
        call = need(one.parent)
        if one.start_byte < within.start_byte or one.end_byte > within.end_byte:
            raise UncertainError
        if source.of(one) == "rand.Seed":
            yield alone(source, need(above(call, {"expression_statement"})))
        elif _NUMBERS.fullmatch(source.of(one)) and call.type == "call_expression":
            numbers.append((one, call))
        elif source.of(one) != "rand.Read":
            raise UncertainError
    yield from _numbers(source, within, numbers)
    yield from _swapped(source, own[0], '"crypto/rand"')


def _numbers(source: Source, within: Node, numbers: list[tuple[Node, Node]]) -> Iterator[Splice]:
    if not numbers:
        return
    if len(numbers) > 1 or re.search(r"\b(?:drawn|err)\b", source.of(within)):
        raise UncertainError
    ((callee, call),) = numbers
    (most,) = arguments(source, call)
    done = statement(source, call)
    if source.of(callee) not in {"rand.Intn", "rand.IntN"}:
        raise UncertainError
    margin = indent(source, done)
    lines = (
        f"drawn, err := rand.Int(rand.Reader, big.NewInt(int64({source.of(most)})))",
        "if err != nil {",
        "\tpanic(err)",
        "}",
    )
    yield Splice(done.start_byte, done.start_byte, "".join(f"{line}\n{margin}" for line in lines))
    around = need(call.parent)
    drawn = "drawn.Int64()" if around.type == "index_expression" else "int(drawn.Int64())"
    yield over(call, drawn)
    yield from imported(source, '"math/big"')


def _swapped(source: Source, old: Node, new: str) -> Iterator[Splice]:
    """One import in place of another of the same name."""
    if old.parent is None or old.parent.type != "import_spec_list":
        yield over(old, new)
        return
    yield from added(source, new)
    start = source.bytes.rfind(b"\n", 0, old.start_byte) + 1
    yield Splice(start, source.bytes.find(b"\n", old.end_byte) + 1, "")


_TEMPLATES = re.compile(
    r"template\.(?:Must|New|Parse\w+|Template|FuncMap|HTMLEscape\w*|JSEscape\w*|URLQueryEscaper)"
)


@certain
def html_template(source: Source, node: Node) -> Iterator[Splice]:
    """html/template for text/template, where all that the file renders are pages."""
    own = [one for one in specs(source) if source.of(one) == '"text/template"']
    if (
        len(own) != 1
        or node.type != "call_expression"
        or re.search(r'"(?:text/plain|text/csv|application/)', source.text)
    ):
        raise UncertainError
    for one in source.walk():
        if one.type in {"selector_expression", "qualified_type"}:
            said = source.of(one)
            if said.startswith("template.") and not _TEMPLATES.fullmatch(said):
                raise UncertainError
        if one.type == "call_expression" and re.fullmatch(
            r".*\.Execute(?:Template)?", called(source, one)
        ):
            out = arguments(source, one)[0]
            if declared_type(source, out) != "http.ResponseWriter":
                raise UncertainError
    yield from _swapped(source, own[0], '"html/template"')


_PRESCRIBED = re.compile(r"(?i)md-?5|sha-?1(?!\d)|\bgit\b|gravatar|etag|http|upload|sign")
_OWN = re.compile(r"(?i)cache|memo|dedup")
_OF_LENGTH = re.compile(r"\[(?:16|20|md5\.Size|sha1\.Size)\]byte")


@certain
def digest(source: Source, node: Node) -> Iterator[Splice]:
    """SHA-256 where the digest is the program's own: the key of a cache.

    Elsewhere a protocol, a service or a stored value nearly always prescribes the old one.
    """
    call = meant(source, node, r"(?:md5|sha1)\.(?:New|Sum)")
    within = function(source, node)
    said = source.of(within)
    names = re.sub(r"\b(?:md5|sha1)\.(?:New|Sum)\b", "", said)
    if _PRESCRIBED.search(names) or _OF_LENGTH.search(said) or not _OWN.search(names):
        raise UncertainError
    made = called(source, call).endswith(".New")
    if not made and not _is_shown(source, call):
        raise UncertainError
    yield over(
        need(call.child_by_field_name("function")), "sha256.New" if made else "sha256.Sum256"
    )
    yield from imported(source, '"crypto/sha256"')


def _is_shown(source: Source, call: Node) -> bool:
    """Whether a digest's length matters to nobody: it is sliced, or printed."""
    around = need(call.parent)
    if around.type == "argument_list":
        return called(source, need(around.parent)).startswith("fmt.")
    declared = need(around.parent)
    if declared.type != "short_var_declaration":
        return False
    left = need(declared.child_by_field_name("left"))
    if left.named_child_count != 1:
        return False
    (name,) = left.named_children
    places = [one for one in uses(source, function(source, call), source.of(name)) if one != name]
    return all(
        need(one.parent).type == "slice_expression"
        or (
            need(one.parent).type == "argument_list"
            and called(source, need(need(one.parent).parent)).startswith("fmt.")
        )
        for one in places
    )


@certain
def rounds(source: Source, node: Node) -> Iterator[Splice]:
    """As many rounds of PBKDF2 as OWASP names for SHA-256."""
    call = meant(source, node, r"pbkdf2\.Key")
    which = 3 if '"crypto/pbkdf2"' in _imports(source) else 2
    count = arguments(source, call)[which]
    if count.type != "int_literal":
        raise UncertainError
    yield over(count, "600000")


@certain
def no_entities(source: Source, node: Node) -> Iterator[Splice]:
    """A parser of libxml2 without the options that load what a document names."""
    call = meant(
        source, node, r"parser\.New|libxml2\.Parse(?:String|Reader)|.*\.SubstituteEntities"
    )
    given = arguments(source, call)
    if called(source, call).endswith(".SubstituteEntities"):
        yield over(given[0], "false")
        return
    first = 0 if called(source, call) == "parser.New" else 1
    kept = [option for one in given[first:] if (option := " | ".join(_options(source, one)))]
    listed = [*(source.of(one) for one in given[:first]), *kept]
    yield over(need(call.child_by_field_name("arguments")), f"({', '.join(listed)})")


def _options(source: Source, node: Node) -> Iterator[str]:
    operator = node.child_by_field_name("operator")
    if node.type == "binary_expression" and operator and source.of(operator) == "|":
        yield from _options(source, need(node.child_by_field_name("left")))
        yield from _options(source, need(node.child_by_field_name("right")))
    elif source.of(node) not in {"parser.XMLParseNoEnt", "parser.XMLParseDTDLoad"}:
        yield source.of(node)


_SIZES = {"int8": 8, "int16": 16, "int32": 32, "uint8": 8, "uint16": 16, "uint32": 32}


@certain
def number_size(source: Source, node: Node) -> Iterator[Splice]:
    """A number parsed at the size that it is used with: what does not fit is an error."""
    conversion = need(above(node, {"call_expression"}))
    kind = called(source, conversion)
    if kind not in _SIZES or node.type != "identifier":
        raise UncertainError
    within = function(source, node)
    places = uses(source, within, source.of(node))
    declared = need(above(places[0], {"short_var_declaration"}))
    right = need(declared.child_by_field_name("right")).named_children
    if len(right) != 1:
        raise UncertainError
    wanted = r"strconv\.ParseUint" if kind.startswith("u") else r"strconv\.ParseInt"
    call = right[0]
    if call.type != "call_expression" or not re.fullmatch(wanted, called(source, call)):
        raise UncertainError
    for one in places[1:]:
        around = above(one, {"call_expression"})
        if around is None or called(source, around) != kind:
            raise UncertainError
    size = arguments(source, call)[2]
    if not re.fullmatch(r"64", source.of(size)):
        raise UncertainError
    yield over(size, str(_SIZES[kind]))
