"""Recipes for Terraform that depend on what stands beside what was found."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

import tree_sitter

from mergegate.repo.fixes.blocks import Block
from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import Source, above

_WORLD = frozenset({'"0.0.0.0/0"', '"::/0"'})
_PRIVATE = '"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"'
_PRIVATE_6 = '"fc00::/7"'
_IDENTITY_AWARE_PROXY = '"35.235.240.0/20"'
_EVERYONE = frozenset({"allUsers", "allAuthenticatedUsers"})
_SHELLS = frozenset({"22", "3389"})
_CLOSED = _SHELLS | {"23", "1433", "1521", "2375", "3306", "5432", "5985", "5986", "6379", "9200"}
_PORTS = _CLOSED | {"10250", "11211", "27017"}
"""Ports of administration and of databases: what serves the public listens on none of them."""


def private_addresses(found: Found) -> Sequence[Splice]:
    """One port of a security group is left to private addresses, or to the others of its list."""
    try:
        block = Block.around(found)
        single = block.text("from_port") == block.text("to_port") in _PORTS
        return tuple(_narrowed(block, private=single))
    except UncertainError:
        return ()


def listed_addresses(found: Found) -> Sequence[Splice]:
    """Ports of a security group are left to the other addresses of its list."""
    try:
        return tuple(_narrowed(Block.around(found), private=False))
    except UncertainError:
        return ()


def _narrowed(block: Block, *, private: bool) -> Iterator[Splice]:
    fourth, sixth = block.items("cidr_blocks"), block.items("ipv6_cidr_blocks")
    yield from _without_world(block.source, fourth, _PRIVATE if private else "")
    if sixth and all(block.source.of(one) in _WORLD for one in sixth) and fourth:
        yield from block.without("ipv6_cidr_blocks")
    else:
        yield from _without_world(block.source, sixth, _PRIVATE_6 if private else "")
    for name, of_network in (("cidr_ipv4", "cidr_block"), ("cidr_ipv6", "ipv6_cidr_block")):
        value = block.value(name)
        if value is not None and block.source.of(value) in _WORLD:
            if not private:
                raise UncertainError
            yield Splice(value.start_byte, value.end_byte, f"{_network(block)}.{of_network}")


def _network(block: Block) -> str:
    """The one network that the file names; raises UncertainError where there is not one."""
    known = [one for one in _outermost(block.source) if one.labels[:1] == ("aws_vpc",)]
    if len(known) != 1:
        raise UncertainError
    return ".".join((*(["data"] if known[0].kind == "data" else []), *known[0].labels))


def _without_world(
    source: Source, items: Sequence[tree_sitter.Node], instead: str
) -> Iterator[Splice]:
    """A list without the whole internet; where nothing is left, with ``instead`` in its place."""
    world = [one for one in items if source.of(one) in _WORLD]
    if world and len(world) < len(items):
        for one in world:
            yield without_item(one)
    elif world and (not instead or len(world) > 1):
        raise UncertainError
    else:
        for one in world:
            yield Splice(one.start_byte, one.end_byte, instead)


def without_item(item: tree_sitter.Node) -> Splice:
    """A list without ``item`` and the comma beside it; others stand in the list."""
    after, before = item.next_sibling, item.prev_sibling
    if after is not None and after.type == "," and after.next_sibling is not None:
        following = after.next_sibling
        if following.is_named and following.type == "expression":
            return Splice(item.start_byte, following.start_byte, "")
    if before is None or before.type != ",":
        raise UncertainError
    return Splice(before.start_byte, item.end_byte, "")


def virtual_network(found: Found) -> Sequence[Splice]:
    """One port of administration is left to the virtual network."""
    try:
        block = Block.around(found)
        value = block.value("source_address_prefix")
        first, _, last = block.text("destination_port_range").partition("-")
        if value is None or first not in _PORTS or last not in {"", first}:
            return ()
        return (Splice(value.start_byte, value.end_byte, '"VirtualNetwork"'),)
    except UncertainError:
        return ()


def identity_aware_proxy(found: Found) -> Sequence[Splice]:
    """Shells are left to the proxy that asks who one is, databases to private addresses."""
    try:
        block = Block.around(found).resource
        ports = {
            block.source.of(item).strip('"')
            for allowed in block.blocks
            if allowed.kind == "allow"
            for item in allowed.items("ports") or [allowed.node]
        }
        instead = _IDENTITY_AWARE_PROXY if ports <= _SHELLS else _PRIVATE
        items = block.items("source_ranges")
        return tuple(_without_world(block.source, items, instead if ports <= _PORTS else ""))
    except UncertainError:
        return ()


def private_cluster(found: Found) -> Sequence[Splice]:
    """A cluster's API answers known addresses, or those of its network where none is listed."""
    try:
        block = Block.around(found)
        items = block.items("public_access_cidrs")
        if any(block.source.of(one) not in _WORLD for one in items):
            return tuple(_without_world(block.source, items, ""))
        inside = {"endpoint_private_access": "true", "endpoint_public_access": "false"}
        return (*block.without("public_access_cidrs"), *block.put(inside))
    except UncertainError:
        return ()


def key_login(found: Found) -> Sequence[Splice]:
    """A machine that has a key takes no password any more."""
    try:
        block = Block.around(found)
        if not any(one.kind == "admin_ssh_key" for one in block.blocks):
            return ()
        on = block.put({"disable_password_authentication": "true"})
        return (*on, *block.without("admin_password"))
    except UncertainError:
        return ()


_NEVER_ENCRYPTED = re.compile(r"db\.(?:t2\.micro|m1\..*|m2\..*)")
"""Classes of instances that cannot encrypt what they store."""


def encrypted_database(found: Found) -> Sequence[Splice]:
    """A database of a class that can encrypt what it stores."""
    try:
        block = Block.around(found)
        if _NEVER_ENCRYPTED.fullmatch(block.text("instance_class")):
            return ()
        return tuple(block.put({"storage_encrypted": "true"}))
    except UncertainError:
        return ()


def modern_distribution(found: Found) -> Sequence[Splice]:
    """HTTPS with TLS 1.2 and newer, where the certificate is one's own and names are indicated."""
    try:
        block = Block.around(found)
        if "allow-all" in block.text("viewer_protocol_policy"):
            return tuple(block.put({"viewer_protocol_policy": '"redirect-to-https"'}))
        default = block.text("cloudfront_default_certificate")
        if default not in {"", "false"} or block.text("ssl_support_method") == "vip":
            return ()
        return tuple(block.put({"minimum_protocol_version": '"TLSv1.2_2021"'}))
    except UncertainError:
        return ()


def private_bucket(found: Found) -> Sequence[Splice]:
    """A bucket that is no website is its owner's."""
    try:
        block = Block.around(found)
        if any(one.kind in {"website", "dynamic"} for one in block.blocks):
            return ()
        return tuple(block.put({"acl": '"private"'}))
    except UncertainError:
        return ()


def named_members(found: Found) -> Sequence[Splice]:
    """A bucket's members without those that are everyone; others stay."""
    try:
        block = Block.around(found)
        if block.value("predefined_acl") is not None:
            return tuple(block.put({"predefined_acl": '"projectPrivate"'}))
        members = block.items("members")
        everyone = [one for one in members if block.source.of(one).strip('"') in _EVERYONE]
        if len(everyone) != 1 or len(members) == 1:
            return ()
        return (without_item(everyone[0]),)
    except UncertainError:
        return ()


def modern_listener(found: Found) -> Sequence[Splice]:
    """Listeners of application and network balancers know this policy; classic ones do not."""
    try:
        block = Block.around(found)
        if not block.labels or not block.labels[0].endswith("_listener"):
            return ()
        return tuple(block.put({"ssl_policy": '"ELBSecurityPolicy-TLS13-1-2-2021-06"'}))
    except UncertainError:
        return ()


def redirecting_listener(found: Found) -> Sequence[Splice]:
    """Plain HTTP is sent on, where a listener beside it answers HTTPS on the usual port."""
    try:
        block = Block.around(found)
        actions = [one for one in block.blocks if one.kind == "default_action"]
        if len(actions) != 1 or block.text("port") != "80" or not _has_tls_beside(block):
            return ()
        action = actions[0]
        names = [one for one in action.children if one.type in {"attribute", "block"}]
        if {action.source.of(one.children[0]) for one in names} != {"type", "target_group_arn"}:
            return ()
        redirect = {"redirect.port": '"443"', "redirect.protocol": '"HTTPS"'}
        kind = action.put({"type": '"redirect"', **redirect, "redirect.status_code": '"HTTP_301"'})
        return (*kind, *action.without("target_group_arn"))
    except UncertainError:
        return ()


def _has_tls_beside(block: Block) -> bool:
    """Whether a listener of the same balancer in the file answers HTTPS on port 443."""
    return any(
        one.labels[:1] == block.labels[:1]
        and one.text("load_balancer_arn") == block.text("load_balancer_arn") != ""
        and one.text("protocol") == "HTTPS"
        and one.text("port") == "443"
        for one in _outermost(block.source)
    )


def _outermost(source: Source) -> Iterator[Block]:
    """The blocks that stand in no other: resources, data."""
    for body in source.root.named_children:
        for one in body.named_children:
            if one.type == "block":
                yield Block(source, one, (one.start_byte, one.end_byte))


_OF_MODULE = ("main", "data", "data_sources", "locals", "iam", "providers", "provider", "versions")
"""Files of a module, by custom, where it may ask for its account."""
_ARN_WITH_ACCOUNT = re.compile(
    r"\b(aws_(?:sqs_queue|sns_topic|secretsmanager_secret|kms_key|ecr_repository)\.[\w-]+)\.\w+"
)
"""Resources whose ARN holds the number of the account, as that of a bucket does not."""


def own_account(found: Found) -> Sequence[Splice]:
    """A policy for everyone becomes one for the account, where the module knows its number.

    A bucket's needs no number: the service compares both accounts, and nobody has none.
    """
    try:
        block = Block.around(found)
        account = _account(block, found)
        if not account and block.resource.labels[:1] == ("aws_s3_bucket_policy",):
            return tuple(_same_account(block))
        return tuple(_principal(block, account)) if account else ()
    except UncertainError:
        return ()


def _account(block: Block, found: Found) -> str:
    """The number of the account as an expression; empty where nothing tells it."""
    own = _asked_accounts(block.source)
    folder = PurePosixPath(found.path).parent
    beside = (found.other(str(folder / f"{name}.tf")) for name in _OF_MODULE)
    for text in filter(None, () if own else beside):
        source = Source(text, block.source.language)
        if not source.root.has_error:
            own += _asked_accounts(source)
    if own:
        return f"data.aws_caller_identity.{own[0]}.account_id"
    text = block.source.of(block.resource.node)
    of_policy = {*_ARN_WITH_ACCOUNT.findall(text)}
    if len(of_policy) != 1 or block.resource.labels[0] == next(iter(of_policy)).split(".")[0]:
        return ""
    return f'split(":", {of_policy.pop()}.arn)[4]'


def _asked_accounts(source: Source) -> list[str]:
    """The names under which a file asks for its account."""
    return [
        one.labels[1]
        for one in _outermost(source)
        if one.kind == "data" and one.labels[:1] == ("aws_caller_identity",)
    ]


_EVERYONE_IN_TEXT = re.compile(
    rb'"(?P<key>Principal)"\s*:\s*(?P<value>"\*")|"AWS"\s*:\s*(?P<named>"\*"|\[\s*"\*"\s*\])'
)


def _principal(block: Block, account: str) -> Iterator[Splice]:
    if (text := _text_of_policy(block)) is not None:
        start, policy = text
        found = list(_EVERYONE_IN_TEXT.finditer(policy))
        if len(found) != 1 or b"%{" in policy:
            raise UncertainError  # which of the statements is told
        said = f'"${{{account}}}"'
        whole = found[0].span("value" if found[0]["key"] else "named")
        said = f'{{"AWS": {said}}}' if found[0]["key"] else said
        yield Splice(start + whole[0], start + whole[1], said)
        return
    for key, value in _everyone(block):
        said = f"{{ AWS = {account} }}" if key == "Principal" else account
        yield Splice(value.start_byte, value.end_byte, said)


def _text_of_policy(block: Block) -> tuple[int, bytes] | None:
    """Where the policy that was found is a text of several lines: its first byte, and itself."""
    attribute = above(block.source.at(*block.found), {"attribute"})
    texts = [one for one in block.source.walk(attribute) if one.type == "heredoc_template"]
    if attribute is None or len(texts) != 1:
        return None
    return texts[0].start_byte, block.source.bytes[texts[0].start_byte : texts[0].end_byte]


_SAME_ACCOUNT = (
    'Condition = { StringEquals = { "aws:PrincipalAccount" = "$${aws:ResourceAccount}" } }'
)


def _same_account(block: Block) -> Iterator[Splice]:
    """A condition behind the principal, on a line of its own where that has one."""
    for key, value in _everyone(block):
        entry = value.parent
        if key == "AWS" and entry is not None:
            entry = above(entry.parent, {"object_elem"})
        if entry is None:
            raise UncertainError
        text = block.source.bytes
        indent = text[text.rfind(b"\n", 0, entry.start_byte) + 1 : entry.start_byte].decode()
        comma = "," if text[entry.end_byte : entry.end_byte + 1] == b"," else ""
        between = f", {_SAME_ACCOUNT}" if indent.strip() else f"{comma}\n{indent}{_SAME_ACCOUNT}"
        yield Splice(entry.end_byte, entry.end_byte, between)


def _everyone(block: Block) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Where the statement that was found names everyone: the key, ``Principal`` or ``AWS``."""
    start, end = block.found
    statement = block.source.at(start, end)
    for key, value in _entries(block.source, block.source.walk(statement)):
        said = re.sub(r"\s", "", block.source.of(value))
        inside = start <= value.start_byte and value.end_byte <= end
        if inside and (
            (key, said) == ("Principal", '"*"') or (key == "AWS" and said in {'"*"', '["*"]'})
        ):
            yield key, value


def _entries(
    source: Source, nodes: Iterable[tree_sitter.Node]
) -> Iterator[tuple[str, tree_sitter.Node]]:
    for one in nodes:
        if one.type == "object_elem":
            parts = [part for part in one.named_children if part.type == "expression"]
            if len(parts) == 2:
                yield source.of(parts[0]).strip('"'), parts[1]
