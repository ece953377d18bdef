"""A suppression put into the text of a policy, whose comments and layout stay as they are."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from mergegate.repo.policy_file import PolicyDocument, read_policy

REASON = "…"
"""Stands where a person is to say why."""
_LIST = "suppressions"
_PLAIN = re.compile(r"[A-Za-z0-9…][\w.@+…-]*(?: [\w.@+<>-]+)*")


@dataclass(frozen=True, slots=True)
class Addition:
    """Text that is put into a policy."""

    at: int
    """Characters before it."""
    text: str
    replaced: int = 0
    """How many characters it stands in place of."""

    def applied(self, policy: str) -> str:
        """``policy`` with the addition."""
        return policy[: self.at] + self.text + policy[self.at + self.replaced :]

    @property
    def reason(self) -> tuple[int, int]:
        """Where in ``applied`` the placeholder of the reason begins and ends."""
        name = "reason: "
        start = self.at + self.text.index(name + REASON) + len(name)
        return start, start + len(REASON)


def addition(policy: str, entry: Mapping[str, str], note: str) -> Addition | None:
    """What puts ``entry`` at the end of the suppressions of ``policy``; ``note`` is a comment.

    None where that is not safe: the policy has mistakes, or is laid out in a way that no simple
    insertion fits. What is proposed was read again and differs in that entry alone.
    """
    before = read_policy(policy.encode("utf-8", "replace"))
    if before.mistakes:
        return None
    ending = "\r\n" if "\r\n" in policy else "\n"
    found = _found(policy, entry, note)
    if found is None:
        return None
    proposed = Addition(found.at, found.text.replace("\n", ending), found.replaced)
    after = read_policy(proposed.applied(policy).encode("utf-8", "replace"))
    return proposed if _differ_in(entry, before, after) else None


def _differ_in(entry: Mapping[str, str], before: PolicyDocument, after: PolicyDocument) -> bool:
    old, new = before.policy, after.policy
    if after.mistakes or new.suppressions[:-1] != old.suppressions or not new.suppressions:
        return False
    said = new.suppressions[-1].model_dump(mode="json", exclude_defaults=True)
    same = new.model_copy(update={_LIST: old.suppressions}) == old
    return same and said == entry


def _found(policy: str, entry: Mapping[str, str], note: str) -> Addition | None:
    root = yaml.compose(policy, Loader=yaml.SafeLoader)
    if root is None:
        return _at_the_end(policy, f"{_LIST}:\n{_block(entry, note, '  ')}")
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    listed = next((value for key, value in root.value if key.value == _LIST), None)
    margin = " " * root.start_mark.column
    if listed is None:
        return _at_the_end(policy, f"{margin}{_LIST}:\n{_block(entry, note, margin + '  ')}")
    if not isinstance(listed, yaml.SequenceNode):
        return None
    if not listed.flow_style:
        return _behind(policy, listed, _block(entry, note, *_layout(listed)))
    return _into_brackets(policy, listed, entry, _block(entry, note, f"{margin}  "))


def _at_the_end(policy: str, text: str) -> Addition:
    gap = "" if not policy or policy.endswith("\n") else "\n"
    return Addition(len(policy), f"{gap}{text}\n")


def _layout(listed: yaml.SequenceNode) -> tuple[str, int]:
    """What stands before a dash, and how far behind the dash its first name begins."""
    dash = listed.start_mark.column
    last = listed.value[-1]
    is_block = isinstance(last, yaml.MappingNode) and not last.flow_style
    return " " * dash, last.start_mark.column - dash if is_block else 2


def _behind(policy: str, listed: yaml.SequenceNode, block: str) -> Addition:
    """After the line on which the last entry ends, and its comment."""
    last = _last(policy, listed)
    line_end = policy.find("\n", last)
    if line_end < 0:
        return Addition(len(policy), f"\n{block}")
    at = line_end - 1 if policy[line_end - 1] == "\r" else line_end
    return Addition(at, f"\n{block}")


def _last(policy: str, node: yaml.Node) -> int:
    """Where the content of ``node`` ends, comments and blank lines behind it aside."""
    if isinstance(node, yaml.SequenceNode) and node.value and not node.flow_style:
        return _last(policy, node.value[-1])
    if isinstance(node, yaml.MappingNode) and node.value and not node.flow_style:
        return _last(policy, node.value[-1][1])
    end = int(node.end_mark.index)
    is_block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    return len(policy[:end].rstrip()) if is_block else end


def _into_brackets(
    policy: str, listed: yaml.SequenceNode, entry: Mapping[str, str], block: str
) -> Addition:
    start, end = int(listed.start_mark.index), int(listed.end_mark.index)
    rest = policy[end:].partition("\n")[0]
    if not listed.value and not rest.strip():
        return Addition(start, f"\n{block}", end - start)
    pairs = ", ".join(f"{name}: {_scalar(value)}" for name, value in entry.items())
    if not listed.value:
        return Addition(end - 1, f"{{{pairs}}}")
    return Addition(int(listed.value[-1].end_mark.index), f", {{{pairs}}}")


def _block(entry: Mapping[str, str], note: str, margin: str, step: int = 2) -> str:
    lines = [f"{name}: {_scalar(value)}" for name, value in entry.items()]
    first, *others = (f"{lines[0]} # {note}", *lines[1:])
    dash = f"{margin}-{' ' * (step - 1)}"
    return "\n".join([dash + first, *(f"{margin}{' ' * step}{line}" for line in others)])


def _scalar(value: str) -> str:
    """``value`` as YAML that is read as just that text, in quotes where it has to be."""
    loaded = yaml.safe_load(value) if _PLAIN.fullmatch(value) else None
    is_date = loaded is not None and not isinstance(loaded, str) and "-" in value
    if loaded == value or is_date:
        return value
    return json.dumps(value, ensure_ascii=not value.isprintable())
