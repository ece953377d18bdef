"""Names of files and branches: tokens go, names without one stay to the byte, places stay apart."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.core.tree import Link, Skipped, Tree
from mergegate.sandbox.files.record import source_file
from mergegate.secrets.places import shown_fact, shown_name, shown_names, shown_tree
from tests.secrets.mint import SAMPLES, samples

GITHUB, OTHER = SAMPLES["github-token"], samples(1)["github-token"]


@pytest.mark.parametrize("detector", [id for id, one in SAMPLES.items() if "/" not in one])
def test_a_token_in_a_name_is_no_longer_there(detector: str) -> None:
    shown = shown_name(f"keys/{SAMPLES[detector]}/a.pem")
    assert SAMPLES[detector][8:] not in shown
    assert shown.startswith("keys/")
    assert shown.endswith("/a.pem")


@pytest.mark.parametrize("name", ["dump-PGPASSWORD=swordfish.sql.gz", "a/token=swordfish/b.sql.gz"])
def test_what_a_name_calls_a_secret_is_no_longer_there(name: str) -> None:
    assert "swordfish" not in shown_name(name)
    assert shown_name(name).endswith(".sql.gz")


def test_a_mark_of_byte_order_hides_nothing() -> None:
    assert shown_name(f"\ufeff{GITHUB}") == f"\ufeff{shown_name(GITHUB)}"


def test_two_names_stay_two_and_each_is_always_called_the_same() -> None:
    first, second = f"keys/{GITHUB}.pem", f"keys/{OTHER}.pem"
    assert shown_name(first) != shown_name(second)
    assert shown_name(first).partition("/")[2] == shown_name(f"{GITHUB}.pem")
    expected = {first: shown_name(first), second: shown_name(second)}
    assert shown_names([first, "a.py", second]) == expected


ORDINARY = (
    "src/main/java/org/acme/authentication/TokenAuthenticationFilter.java",
    "tests/fixtures/key=value/part-0000-5f3759df-1234-4bcd-9abc-0123456789ab.parquet",
    "node_modules/.pnpm/@babel+core@7.24.0_supports-color@9.4.0/package.json",
    "assets/index-D3f9a8B7c6E5.js",
    ".git/objects/5f/3759df0123456789abcdef0123456789abcdef",
    "docs/password-reset.md",
    "ünïcode/日本語.py",
    "\\xff\\x00.py",
    "topic/JIRA-123-rotate-github-token",
)


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_name_stays_to_the_byte(name: str) -> None:
    assert shown_name(name) == name


@given(st.text(st.characters(exclude_characters="=_-"), max_size=19))
def test_a_short_name_stays_to_the_byte(name: str) -> None:
    assert shown_name(name) == name


def test_everything_in_a_tree_is_called_as_it_may_be_shown(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x = 1\n")
    file = source_file(f"{GITHUB}/a.py", tmp_path / "a", b"x = 1\n")
    skipped = (Skipped(f"{GITHUB}.bin", "larger"),)
    links = (Link(f"b/{GITHUB}", f"../{GITHUB}", False),)
    shown = shown_tree(Tree((file,), skipped, links))
    assert GITHUB[8:] not in repr(shown)
    assert shown.files[0].location == file.location
    assert shown.skipped[0].path == f"{shown.files[0].path.partition('/')[0]}.bin"


def test_a_tree_without_secrets_in_its_names_is_the_same_tree() -> None:
    tree = Tree((), (Skipped("a.bin", "larger"),), (Link("b", "../b", False),))
    assert shown_tree(tree) is tree


def test_a_fact_without_secrets_is_the_same_fact() -> None:
    fact = {"paths": ("a.py", ["b.py"]), "count": 1}
    assert shown_fact(fact) is fact
    assert shown_fact({"paths": (GITHUB, [GITHUB])}) == {
        "paths": (shown_name(GITHUB), [shown_name(GITHUB)])
    }
