"""Settings, digests, modes and checks of Java programs."""

import posixpath
import re
from collections.abc import Iterator

from mergegate.repo.fixes.calls import alone, imported
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.java_values import handles, type_of
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import (
    Node,
    ancestors,
    arguments,
    before,
    called,
    certain,
    function,
    inside,
    is_member,
    meant,
    need,
    origin,
    over,
    statement,
    uses,
)


def _without_call(source: Source, call: Node) -> Iterator[Splice]:
    """A chain without one of its calls; a statement that is nothing else goes."""
    on = need(call.child_by_field_name("object"))
    around = need(call.parent)
    if around.type == "expression_statement":
        yield alone(source, around)
    elif around.type == "method_invocation" and around.child_by_field_name("object") == call:
        yield Splice(on.end_byte, call.end_byte, "")
    else:
        raise UncertainError


_NO_CHECK = re.compile(r"NoopHostnameVerifier\.INSTANCE|newNoopHostnameVerifier\(\)")


@certain
def own_verifier(source: Source, node: Node) -> Iterator[Splice]:
    """Without what accepts every host, the client's own check of names remains."""
    around = node
    if above(node, {"method_declaration"}) is not None and node.type == "method_declaration":
        around = need(above(node, {"object_creation_expression"}))
    call = meant(
        source,
        around,
        r"(?s).*\.(?:setHostnameVerifier|setDefaultHostnameVerifier|hostnameVerifier"
        r"|setSSLHostnameVerifier)|SSLConnectionSocketFactory",
    )
    given = arguments(source, call)
    last = given[-1]
    if not inside(around, last) and not inside(last, around):
        raise UncertainError
    if called(source, call) != "SSLConnectionSocketFactory":
        yield from _without_call(source, call)
        return
    if not _NO_CHECK.fullmatch(re.sub(r"\s+", "", source.of(last))) or len(given) != 2:
        raise UncertainError
    yield Splice(given[0].end_byte, last.end_byte, "")


@certain
def own_trust(source: Source, node: Node) -> Iterator[Splice]:
    """Without what trusts every certificate, the client trusts known authorities."""
    call = meant(source, node, r"(?s).*\.(?:loadTrustMaterial|trustManager)")
    given = arguments(source, call)
    if called(source, call).endswith("loadTrustMaterial") and source.of(given[0]) != "null":
        if type_of(source, given[0]) != "KeyStore":
            raise UncertainError
        yield over(given[1], "null")
        return
    yield from _without_call(source, call)


_UNSIGNED = r"(?s).*\.(?:parseClaimsJwt|parseUnsecuredClaims|set(?:Skip|Disable)\w+)"


@certain
def verified_token(source: Source, node: Node) -> Iterator[Splice]:
    """A token whose signature is checked with the key that is named beside it."""
    call = meant(
        source, node, r"(?s).*\.(?:parseClaimsJwt|parseUnsecuredClaims|set(?:Skip|Disable)\w+)"
    )
    chain = need(list(_chain(call))[-1])
    said = source.of(chain)
    name = need(call.child_by_field_name("name"))
    if source.of(name) in {"setSkipSignatureVerification", "setDisableRequireSignature"}:
        if ".setVerificationKey(" not in said:
            raise UncertainError
        yield from _without_call(source, call)
        return
    if not re.search(r"\.(?:setSigningKey|verifyWith)\(", said):
        raise UncertainError
    if chain == call and need(call.parent).type != "expression_statement":
        raise UncertainError  # its type may be declared
    old = source.of(name) == "parseClaimsJwt"
    yield over(name, "parseClaimsJws" if old else "parseSignedClaims")


def _chain(call: Node) -> Iterator[Node]:
    """The call, and those that are called on what it gives."""
    one = call
    yield one
    while (
        one.parent is not None
        and one.parent.type == "method_invocation"
        and one.parent.child_by_field_name("object") == one
    ):
        one = one.parent
        yield one


@certain
def cookie_flags(source: Source, node: Node) -> Iterator[Splice]:
    """A cookie for HTTPS alone that scripts do not see."""
    call = meant(source, node, r".*\.addCookie")
    (cookie,) = arguments(source, call)
    if cookie.type != "identifier":
        raise UncertainError
    name = source.of(cookie)
    said = source.of(function(source, node))
    lines = [f"{name}.setSecure(true);"]
    if not re.search(rf"\b{name}\.setHttpOnly\(", said):
        lines.append(f"{name}.setHttpOnly(true);")
    yield before(source, statement(source, call), *lines)


@certain
def safe_yaml(source: Source, node: Node) -> Iterator[Splice]:
    """A parser of YAML that makes only what YAML itself knows."""
    call = meant(source, node, r"(?s).*\.(?:load|loadAll)")
    on = need(call.child_by_field_name("object"))
    made = origin(source, on, alone=False)
    if made.type != "object_creation_expression" or source.of(made) != "new Yaml()":
        raise UncertainError
    yield over(made, "new Yaml(new SafeConstructor(new LoaderOptions()))")
    yield from imported(source, "import org.yaml.snakeyaml.LoaderOptions;")
    yield from imported(source, "import org.yaml.snakeyaml.constructor.SafeConstructor;")


_ALL = re.compile(r'"/actuator(?:/\*\*?)?"')


_REST = re.compile(r"any(?:Request|Exchange)\(\)\s*\.(?:authenticated|denyAll|has\w+)\(")


@certain
def actuator(source: Source, node: Node) -> Iterator[Splice]:
    """Health and info for everyone; for the rest what is demanded of all other requests."""
    permit = need(above(node, {"method_invocation"}))
    call = need(permit.child_by_field_name("object"))
    done = need(above(node, {"expression_statement", "return_statement"}))
    if not _REST.search(source.of(done)):
        raise UncertainError
    for one in arguments(source, call):
        if _ALL.fullmatch(source.of(one)):
            yield over(one, '"/actuator/health", "/actuator/info"')
        elif source.of(one) == "EndpointRequest.toAnyEndpoint()":
            yield over(one, 'EndpointRequest.to("health", "info")')


@certain
def own_trace(source: Source, node: Node) -> Iterator[Splice]:
    """The trace for the log, an answer without it for the client."""
    call = meant(source, node, r".*\.(?:printStackTrace|sendError)")
    listed = need(call.child_by_field_name("arguments"))
    if called(source, call).endswith(".printStackTrace"):
        yield over(listed, "()")
        return
    code, trace = arguments(source, call)
    yield Splice(code.end_byte, trace.end_byte, "")


@certain
def temporary_file(source: Source, node: Node) -> Iterator[Splice]:
    """A file with a name of its own in the temporary folder, which must not be there yet."""
    call = meant(source, node, r"FileOutputStream|FileWriter|Files\.write|Files\.writeString")
    path, *more = arguments(source, call)
    texts = [one for one in source.walk(path) if one.type == "string_literal"]
    name = source.of(texts[-1])[1:-1] if texts else ""
    folder, file = posixpath.split(name)
    folder = re.sub(r"^/(?:var/)?tmp", "", folder).strip("/")
    base, ending = posixpath.splitext(file)
    if folder or "\\" in name or not base or source.text.count(name) != 1:
        raise UncertainError
    opens = not called(source, call).startswith("Files")
    if (opens and more) or not handles(call, "IOException"):
        raise UncertainError
    made = f'Files.createTempFile("{base}", "{ending}")'
    yield over(path, f"{made}.toFile()" if opens else made)
    yield from imported(source, "import java.nio.file.Files;")


_PRESCRIBED = re.compile(r"(?i)md-?5|sha-?1(?!\d)|\bgit\b|gravatar|etag|http|upload|sign")
_OWN = re.compile(r"(?i)cache|memo|dedup")


@certain
def digest(source: Source, node: Node) -> Iterator[Splice]:
    """SHA-256 where the digest is the program's own: the key of a cache.

    Elsewhere a protocol, a service or a stored value nearly always prescribes the old one.
    """
    call = meant(source, node, r"(?:java\.security\.)?MessageDigest\.getInstance")
    name = arguments(source, call)[0]
    within = function(source, node)
    said = source.bytes[within.start_byte : name.start_byte].decode() + (
        source.bytes[name.end_byte : within.end_byte].decode()
    )
    if (
        not _OWN.search(said)
        or _PRESCRIBED.search(said)
        or re.search(r"%032|new byte\[(?:16|20)\]", said)
    ):
        raise UncertainError
    yield over(name, '"SHA-256"')


@certain
def rounds(source: Source, node: Node) -> Iterator[Splice]:
    """As many rounds as OWASP names for PBKDF2 with SHA-256."""
    call = meant(source, node, r"PBEKeySpec|PBEParameterSpec")
    count = arguments(source, call)[2 if called(source, call) == "PBEKeySpec" else 1]
    if count.type != "decimal_integer_literal":
        raise UncertainError
    yield over(count, "600000")


@certain
def file_mode(source: Source, node: Node) -> Iterator[Splice]:
    """The rights of a file without that of others to write."""
    call = meant(
        source, node, r".*\.(?:setWritable|fromString|openFileOutput|getSharedPreferences)"
    )
    given = arguments(source, call)
    if called(source, call).endswith(".setWritable"):
        yield over(given[1], "true")
    elif called(source, call).endswith(".fromString"):
        rights = source.of(given[0])
        yield over(given[0], f"{rights[:8]}-{rights[9:]}")
    else:
        yield over(given[1], "Context.MODE_PRIVATE")


@certain
def hashed_passwords(source: Source, node: Node) -> Iterator[Splice]:
    """Spring's own choice of an encoder for new passwords."""
    call = meant(source, node, r"NoOpPasswordEncoder\.getInstance")
    if source.of(function(source, node)).count("NoOpPasswordEncoder") != 1:
        raise UncertainError
    yield over(call, "PasswordEncoderFactories.createDelegatingPasswordEncoder()")
    package = "org.springframework.security.crypto.factory"
    yield from imported(source, f"import {package}.PasswordEncoderFactories;")


@certain
def own_types(source: Source, node: Node) -> Iterator[Splice]:
    """The types of the program's own package, and no others."""
    call = meant(source, node, r".*\.(?:addPermission|allowTypesByWildcard|allowTypesByRegExp)")
    package = re.search(r"(?m)^package ((?:\w+\.)+\w+);", source.text)
    if package is None or need(call.parent).type != "expression_statement":
        raise UncertainError
    own = ".".join(package[1].split(".")[:3])
    on = source.of(need(call.child_by_field_name("object")))
    yield over(call, f'{on}.allowTypesByWildcard(new String[] {{"{own}.**"}})')


_DRAWS = re.compile(r"next(?:Int|Long|Bytes|Double|Boolean|Float|Gaussian)")


@certain
def system_random(source: Source, node: Node) -> Iterator[Splice]:
    """The system's random numbers, from where the others were drawn."""
    made = list(_generators(source, node))
    if len(made) != 1:
        raise UncertainError
    (one,) = made
    said = re.sub(r"\s+", "", source.of(one))
    if said in {"newRandom()", "newjava.util.Random()", "ThreadLocalRandom.current()"}:
        yield over(one, "new SecureRandom()")
        declared = need(one.parent)
        kind = declared.parent.child_by_field_name("type") if declared.parent else None
        if declared.type == "variable_declarator" and (
            kind is None or source.of(kind) not in {"Random", "java.util.Random", "var"}
        ):
            raise UncertainError
    elif said == "Math.random()":
        yield over(one, "new SecureRandom().nextDouble()")
    else:
        raise UncertainError
    yield from imported(source, "import java.security.SecureRandom;")


def _generators(source: Source, node: Node) -> Iterator[Node]:
    """Where the generators of what was found are made."""
    for one in source.walk(node):
        said = re.sub(r"\s+", "", source.of(one))
        if one.type == "object_creation_expression" and "Random(" in said[:20]:
            yield one
        elif one.type == "method_invocation" and said in {
            "Math.random()",
            "ThreadLocalRandom.current()",
        }:
            if _draws_plainly(source, one):
                yield one
        elif one.type == "identifier" and not is_member(one) and type_of(source, one) == "Random":
            yield _declared(source, one)


def _draws_plainly(source: Source, current: Node) -> bool:
    """Whether what is drawn is drawn as from any generator: two limits came with Java 17."""
    around = need(current.parent)
    if around.type != "method_invocation" or called(source, current) == "Math.random":
        return True
    name = source.of(need(around.child_by_field_name("name")))
    return _DRAWS.fullmatch(name) is not None and len(arguments(source, around)) < 2


def _declared(source: Source, name: Node) -> Node:
    """What a variable or field of the class is made with."""
    try:
        return origin(source, name, alone=False)
    except UncertainError:
        pass
    fields = [
        value
        for around in ancestors(name)
        if around.type == "class_body"
        for field in around.named_children
        if field.type == "field_declaration"
        for one in field.named_children
        if one.type == "variable_declarator"
        and source.of(need(one.child_by_field_name("name"))) == source.of(name)
        and (value := one.child_by_field_name("value")) is not None
    ]
    if len(fields) != 1 or any(
        need(one.parent).type == "assignment_expression"
        for one in uses(source, source.root, source.of(name))
    ):
        raise UncertainError
    return fields[0]


_COMPARED = r"(?:=|<>|!=|<|>|<=|>=|\blike)\s*"
_RAW = re.compile(r"'?\$\{\s*([\w.]+)\s*\}'?")


@certain
def mybatis_values(source: Source, node: Node) -> Iterator[Splice]:
    """The values of a statement bound, where each stands where only a value may stand."""
    around = need(above(node, {"annotation"}))
    texts = [one for one in source.walk(around) if one.type == "string_literal"]
    if len(texts) != 1 or source.of(texts[0]).startswith('"""'):
        raise UncertainError
    said = source.of(texts[0])
    bound = re.sub(
        rf"(?i)({_COMPARED})(?:'\$\{{\s*([\w.]+)\s*\}}'|\$\{{\s*([\w.]+)\s*\}}(?=[\s)\";]))",
        lambda found: f"{found[1]}#{{{found[2] or found[3]}}}",
        said,
    )
    if "${" in bound or bound == said:
        raise UncertainError
    yield over(texts[0], bound)
