"""A schedule keeps one pull request with proved upgrades, where its commit's policy allows it."""

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.ci.jobs.conftest import Pull
from tests.conftest import Run
from tests.forges.git_store import GitStore
from tests.forges.github.hub import PERSON
from tests.sandbox.git.test_repository import commit, git

ALLOWED = "fixes: {upgrades: allow}\n"
OURS = "mergegate/upgrades"
WRITER = "ghs-resolver"


def manifest(**ranges: str) -> str:
    return json.dumps({"private": True, "dependencies": ranges}, indent=2) + "\n"


def lock(**versions: str) -> str:
    packages: dict[str, object] = {"": {"dependencies": dict.fromkeys(versions, "*")}}
    for name, version in versions.items():
        packages[f"node_modules/{name}"] = {"version": version}
    return json.dumps({"lockfileVersion": 3, "packages": packages}, indent=1)


def publish(folder: Path, package: str, fixed: str, id: str) -> None:
    """An advisory that nobody knew of."""
    events = [{"introduced": "0"}, {"fixed": fixed}]
    record = {
        "id": id,
        "modified": "2026-11-01T00:00:00Z",
        "affected": [
            {
                "package": {"ecosystem": "npm", "name": package},
                "ranges": [{"type": "SEMVER", "events": events}],
            }
        ],
        "database_specific": {"severity": "HIGH"},
    }
    (folder / "npm").mkdir(parents=True, exist_ok=True)
    (folder / "npm" / f"{package}-{fixed}.json").write_text(json.dumps(record))


class Watched:
    """The default branch, what is known of its packages, and the schedule that looks at it."""

    def __init__(self, pull: Pull) -> None:
        self.pull, self.hub = pull, pull.hub
        self.known = pull.root.parent / "known"
        git(pull.root, "switch", "-q", "main")
        publish(self.known, "qs", "6.7.3", "GHSA-qs-1")

    @property
    def store(self) -> GitStore:
        assert self.hub.store is not None
        return self.hub.store

    def push(self, **texts: str) -> None:
        """A commit on the default branch; ``__`` stands for a dot."""
        for key, text in texts.items():
            path = self.pull.root / key.replace("__", ".").replace("_lock", "-lock")
            path.write_text(text)
        self.hub.base = commit(self.pull.root, "push")

    def look(self, token: str = WRITER, *arguments: str, **environment: str) -> Run:
        number = self.pull.runs
        told = {
            "GITHUB_REF": "refs/heads/main",
            "MERGEGATE_ADVISORIES": str(self.known),
            "MERGEGATE_DATA_DIR": str(self.pull.root.parent / f"data-{number}"),
        }
        given = ("--only", "dependencies", *arguments)
        run = self.pull.ci(*given, token=token, name="schedule", environment=told | environment)
        assert run.code in {0, 1, 3}, run.err
        return run

    @property
    def tip(self) -> str | None:
        return self.hub.refs.get(OURS)

    @property
    def pulls(self) -> list[dict[str, Any]]:
        return [one for one in self.hub.pulls if one["head"]["ref"] == OURS]


@pytest.fixture
def watched(pull: Pull) -> Watched:
    found = Watched(pull)
    found.push(
        __mergegate__yml=ALLOWED,
        package__json=manifest(qs="^6.5.0"),
        package_lock__json=lock(qs="6.7.0"),
    )
    return found


def test_one_pull_request_holds_what_was_proved(watched: Watched) -> None:
    run = watched.look()
    [opened] = watched.pulls
    assert f"upgrades: {opened['html_url']}" in run.err
    assert watched.tip is not None
    assert watched.store.parents(watched.tip) == [watched.hub.base]
    assert watched.store.changed(watched.hub.base, watched.tip) == ["package.json"]
    after = watched.store.content(watched.tip, "package.json")
    assert after == manifest(qs="^6.7.3").encode()
    assert "in scope, applies" in watched.store.message(watched.tip)
    assert opened["title"] == "Upgrade a dependency with known vulnerabilities"
    assert opened["base"]["ref"] == "main"
    row = "| `qs` | `6.7.0` | `6.7.3` | `GHSA-qs-1` | `package.json` |"
    assert row in opened["body"]
    assert "`package-lock.json`: `npm install qs@6.7.3`" in opened["body"]
    assert watched.look().code == run.code
    assert watched.pulls == [opened]
    writes = [line for line in watched.hub.log if line.startswith("POST") and "/pulls" in line]
    assert len(writes) == 1
    assert not any(line.startswith("PATCH") and "/pulls" in line for line in watched.hub.log)


def test_what_is_known_later_renews_it_on_the_new_base(watched: Watched) -> None:
    watched.look()
    first = watched.tip
    watched.push(notes__txt="more\n")
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    watched.look()
    [renewed] = watched.pulls
    assert watched.tip not in {None, first}
    assert watched.store.parents(watched.tip or "") == [watched.hub.base]
    assert "`6.9.7`" in renewed["body"]
    assert "GHSA-qs-2" in renewed["body"]


def test_a_base_that_moved_elsewhere_leaves_the_branch_alone(watched: Watched) -> None:
    watched.look()
    first = watched.tip
    watched.push(notes__txt="more\n")
    watched.look()
    assert watched.tip == first


def test_a_branch_that_somebody_committed_to_is_left(watched: Watched) -> None:
    watched.look()
    assert watched.tip is not None
    theirs = watched.store.commit(watched.store.tree_of(watched.tip), [watched.tip], "theirs")
    watched.hub.refs[OURS] = theirs
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    [before] = [dict(one) for one in watched.pulls]
    run = watched.look()
    assert "somebody else has committed to mergegate/upgrades" in run.err
    assert watched.tip == theirs
    assert watched.pulls == [before]


def test_a_branch_of_that_name_that_is_not_ours_is_left(watched: Watched) -> None:
    watched.hub.refs[OURS] = watched.hub.base
    assert "somebody else" in watched.look().err
    assert watched.tip == watched.hub.base
    assert watched.pulls == []


def test_a_push_to_the_branch_while_it_is_renewed_is_not_lost(watched: Watched) -> None:
    watched.look()
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    theirs = watched.store.commit(watched.store.tree_of(watched.tip or ""), [], "theirs")

    def meanwhile() -> None:
        watched.hub.refs[OURS] = theirs

    watched.hub.interludes.append((r"^POST \S+/git/trees$", meanwhile))
    assert "moved on" in watched.look().err
    assert watched.tip == theirs


def test_it_is_closed_when_nothing_is_left_and_opened_when_something_is(watched: Watched) -> None:
    watched.look()
    upgraded = {"package__json": manifest(qs="^6.7.3"), "package_lock__json": lock(qs="6.7.3")}
    watched.push(**upgraded)
    run = watched.look()
    [closed] = watched.pulls
    assert f"{closed['html_url']} is closed" in run.err
    assert (closed["state"], watched.tip) == ("closed", None)
    assert "No upgrade is left" in closed["body"]
    assert "no upgrade is left" in watched.look().err
    watched.push(package__json=manifest(qs="^6.5.0"), package_lock__json=lock(qs="6.7.0"))
    watched.look()
    assert [one["state"] for one in watched.pulls] == ["closed", "open"]


@pytest.mark.parametrize("installed", ["^6.5.1", "^6.7.3"])
def test_a_manifest_that_a_step_changed_closes_nothing(watched: Watched, installed: str) -> None:
    watched.look()
    tip = watched.tip
    (watched.pull.root / "package.json").write_text(manifest(qs=installed))
    if installed == "^6.7.3":
        (watched.pull.root / "package-lock.json").write_text(lock(qs="6.7.3"))
    assert "is not known" in watched.look().err
    assert ([one["state"] for one in watched.pulls], watched.tip) == (["open"], tip)


def test_a_job_of_another_folder_leaves_what_is_open(watched: Watched) -> None:
    for folder, qs in (("web", "6.7.0"), ("api", "6.7.3")):
        (watched.pull.root / folder).mkdir()
        (watched.pull.root / folder / ".mergegate.yml").write_text(ALLOWED)
        (watched.pull.root / folder / "package.json").write_text(manifest(qs=f"^{qs}"))
        (watched.pull.root / folder / "package-lock.json").write_text(lock(qs=qs))
    watched.push()
    watched.look(WRITER, "--path", "web")
    tip = watched.tip
    [opened] = [dict(one) for one in watched.pulls]
    run = watched.look(WRITER, "--path", "api")
    assert "holds those of another folder" in run.err
    assert (watched.pulls, watched.tip) == ([opened], tip)


def test_what_a_person_closed_is_not_proposed_again_until_there_is_more(watched: Watched) -> None:
    watched.look()
    watched.pulls[0]["state"] = "closed"
    assert "somebody has closed" in watched.look().err
    assert len(watched.pulls) == 1
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    watched.look()
    assert [one["state"] for one in watched.pulls] == ["closed", "open"]


def test_after_a_merge_the_branch_serves_again(watched: Watched) -> None:
    watched.look()
    watched.pulls[0] |= {"state": "closed", "merged_at": "2026-11-02T00:00:00Z"}
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    watched.look()
    assert [one["state"] for one in watched.pulls] == ["closed", "open"]
    assert watched.store.parents(watched.tip or "") == [watched.hub.base]


def test_a_scan_that_is_incomplete_closes_nothing(watched: Watched) -> None:
    watched.look()
    tip = watched.tip
    empty = watched.pull.root.parent / "empty"
    empty.mkdir()
    run = watched.look(MERGEGATE_ADVISORIES=str(empty))
    assert run.code == 3
    assert "is not known" in run.err
    assert ([one["state"] for one in watched.pulls], watched.tip) == (["open"], tip)


def nothing(watched: Watched) -> None:
    assert (watched.pulls, watched.tip) == ([], None)
    assert not any("/git/" in line for line in watched.hub.log)


def test_without_a_word_in_the_policy_nothing_is_proposed(watched: Watched) -> None:
    watched.push(__mergegate__yml="version: 1\n")
    (watched.pull.root / ".mergegate.yml").write_text(ALLOWED)  # and not committed
    assert "upgrades" not in watched.look().err
    nothing(watched)


def test_what_was_not_searched_is_not_upgraded(watched: Watched) -> None:
    assert "dependencies were not searched" in watched.look(WRITER, "--only", "iac").err
    nothing(watched)


def test_without_a_token_the_log_says_so(watched: Watched) -> None:
    assert "there is no token that may" in watched.look("").err
    nothing(watched)


def test_only_the_default_branch_is_kept(watched: Watched) -> None:
    watched.hub.default = "trunk"
    assert "not the default branch" in watched.look().err
    nothing(watched)


def test_a_branch_that_moved_on_waits_for_its_next_schedule(watched: Watched) -> None:
    watched.hub.base = git(watched.pull.root, "rev-parse", "HEAD~1")
    assert "has moved on" in watched.look().err
    nothing(watched)


def test_a_token_that_may_not_write_is_told_what_it_lacks(watched: Watched) -> None:
    run = watched.look("ghs-usual")
    assert "could not keep the pull request with upgrades" in run.err
    assert "contents: write" in run.err
    assert (watched.pulls, watched.tip) == ([], None)


def test_a_pull_request_that_may_not_be_opened_leaves_no_branch(watched: Watched) -> None:
    watched.hub.may_open = False
    run = watched.look()
    assert "Allow GitHub Actions to create" in run.err
    assert (watched.pulls, watched.tip) == ([], None)
    watched.hub.may_open = True
    watched.look()
    assert len(watched.pulls) == 1


def test_a_pull_request_of_somebody_else_is_not_touched(watched: Watched) -> None:
    watched.look()
    theirs = {**watched.pulls[0], "number": 900, "user": PERSON.said, "title": "theirs"}
    watched.hub.pulls.append(theirs)
    publish(watched.known, "qs", "6.9.7", "GHSA-qs-2")
    watched.look()
    assert watched.pulls[1]["title"] == "theirs"
    assert "GHSA-qs-2" not in watched.pulls[1]["body"]


def test_the_texts_of_an_advisory_do_nothing(watched: Watched) -> None:
    hostile = (
        "`](http://x.example.org) <img src=x> | @octo closes #1\n/approve\n"
        "<!-- mergegate:upgrades x -->"
    )
    publish(watched.known, "qs", "6.7.2", hostile)
    watched.look()
    [opened] = watched.pulls
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").parse(opened["body"])
    kinds = [each.type for one in shown for each in (one, *(one.children or ()))]
    assert not {"image", "link_open", "html_inline"} & set(kinds)
    assert kinds.count("html_block") == 1  # our own marker
    assert "\n/approve" not in opened["body"]


def test_a_file_with_two_packages_is_proved_as_one(watched: Watched) -> None:
    publish(watched.known, "minimist", "1.2.6", "GHSA-min-1")
    watched.push(
        package__json=manifest(qs="^6.5.0", minimist="~1.2.0"),
        package_lock__json=lock(qs="6.7.0", minimist="1.2.0"),
    )
    watched.look()
    [opened] = watched.pulls
    assert opened["title"] == "Upgrade 2 dependencies with known vulnerabilities"
    after = watched.store.content(watched.tip or "", "package.json")
    assert after == manifest(qs="^6.7.3", minimist="~1.2.6").encode()


def test_a_patch_that_is_wanted_too_is_still_whole(watched: Watched) -> None:
    watched.look(WRITER, "--formats", "json,patch")
    patch = (watched.pull.root.parent / "report" / "mergegate.patch").read_text()
    assert '+    "qs": "^6.7.3"' in patch
    assert len(watched.pulls) == 1
