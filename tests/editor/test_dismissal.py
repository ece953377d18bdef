"""Suppressions that are put into policies which people wrote."""

import datetime as dt
import re
from pathlib import Path

import pytest

from mergegate.editor.dismissal import REASON, addition
from mergegate.repo.policy_file import read_policy

ENTRY = {
    "id": "84c1209108e403ac31ce",
    "reason": REASON,
    "owner": "ada@example.org",
    "expires": "2027-02-24",
}
NOTE = "python-eval in app.py"
ADDED = """\
{margin}- id: 84c1209108e403ac31ce # python-eval in app.py
{margin}  reason: …
{margin}  owner: ada@example.org
{margin}  expires: 2027-02-24
"""


def added(policy: str) -> str | None:
    found = addition(policy, ENTRY, NOTE)
    return found.applied(policy) if found else None


def block(margin: int) -> str:
    return ADDED.format(margin=" " * margin)


OTHER = "  - rule: python-eval\n    reason: r\n    owner: o\n    expires: 2027-03-01"
FOLDED = """\
suppressions:
- rule: python-eval
  owner: o
  expires: 2027-03-01
  reason: >
    many
    words
"""


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        ("", f"suppressions:\n{block(2)}"),
        ("# nothing yet", f"# nothing yet\nsuppressions:\n{block(2)}"),
        ("version: 1\n", f"version: 1\nsuppressions:\n{block(2)}"),
        ("version: 1", f"version: 1\nsuppressions:\n{block(2)}"),
        ("suppressions: []\nversion: 1\n", f"suppressions: \n{block(2)}version: 1\n"),
        (f"suppressions:\n{OTHER}\n", f"suppressions:\n{OTHER}\n{block(2)}"),
        (f"suppressions:\n{OTHER}", f"suppressions:\n{OTHER}\n{block(2)[:-1]}"),
        (
            f"suppressions: # ours\n{OTHER} # soon\n  # last\n\nversion: 1\n",
            f"suppressions: # ours\n{OTHER} # soon\n{block(2)}  # last\n\nversion: 1\n",
        ),
        (f"{FOLDED}\n# end\nversion: 1\n", f"{FOLDED}{block(0)}\n# end\nversion: 1\n"),
    ],
)
def test_an_entry_stands_behind_the_others(policy: str, wanted: str) -> None:
    assert added(policy) == wanted


def test_the_margins_of_the_file_are_kept() -> None:
    policy = "suppressions:\n   -   rule: a-b\n       reason: r\n       owner: o\n"
    policy += "       expires: 2027-03-01\n"
    assert "\n   -   id: 84c1209108e403ac31ce # " in str(added(policy))
    assert "\n       reason: …\n" in str(added(policy))


@pytest.mark.parametrize(
    "policy",
    [
        "suppressions: [] # none yet\n",
        "suppressions: [ ] # none yet\n",
        'suppressions: [{rule: a-b, reason: "r", owner: o, expires: 2027-03-01}] # one\n',
        "suppressions:\n  - {rule: a-b, reason: r, owner: o, expires: 2027-03-01}\n",
        f"suppressions:\r\n{OTHER}\r\nversion: 1\r\n".replace("\n", "\r\n").replace("\r\r", "\r"),
        "  version: 1\n  paths:\n    exclude: [a]\n",
        "---\nversion: 1\n",
        "paths:\n  exclude:\n    - a # why\nrules: {python-eval: low}\n",
    ],
)
def test_only_the_entry_is_new(policy: str) -> None:
    found = added(policy)
    assert found is not None
    before, after = read_policy(policy.encode()), read_policy(found.encode())
    assert not after.mistakes
    assert len(after.policy.suppressions) == len(before.policy.suppressions) + 1
    last = after.policy.suppressions[-1]
    assert (last.id, last.reason, last.owner) == (ENTRY["id"], "…", "ada@example.org")
    assert last.expires == dt.date(2027, 2, 24)
    assert all(comment in found for comment in re.findall("# .*", policy))
    assert found.count("\r") == (found.count("\n") if "\r" in policy else 0)


@pytest.mark.parametrize(
    "policy",
    ["versio: 1\n", "a: [\n", "{version: 1}\n", "suppressions:\n", "version: 1\n...\n", "[]\n"],
)
def test_nothing_is_proposed_where_it_is_not_safe(policy: str) -> None:
    assert added(policy) is None


@pytest.mark.parametrize(
    "owner", ["null", "2027-01-01", "1e10", "a: b", "# x", "Ada <a@b>", "🙂\n"]
)
@pytest.mark.parametrize("policy", ["", "suppressions: [] # none\n"])
def test_every_owner_is_read_as_it_is_called(owner: str, policy: str) -> None:
    entry = ENTRY | {"owner": owner.strip(), "id": "12345678901234567890"}
    found = addition(policy, entry, NOTE)
    assert found
    last = read_policy(found.applied(policy).encode()).policy.suppressions[-1]
    assert (last.owner, last.id) == (owner.strip(), "12345678901234567890")


def test_the_place_of_the_reason_is_told() -> None:
    found = addition("version: 1\n", ENTRY, "about … in a file")
    assert found
    first, last = found.reason
    whole = found.applied("version: 1\n")
    assert whole[first:last] == REASON
    assert whole[:first].endswith("    reason: ")


def test_the_policy_of_this_repository_takes_an_entry() -> None:
    policy = (Path(__file__).parents[2] / ".mergegate.yml").read_text()
    found = str(added(policy))
    assert [line for line in found.splitlines() if line in policy.splitlines()] == (
        policy.splitlines()
    )
