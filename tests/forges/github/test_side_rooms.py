"""Alerts, people, replies and the issue of the default branch."""

import base64
import gzip
import json
from dataclasses import replace

import pytest

from mergegate.core.change import Change
from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.github.client import Pace
from mergegate.forges.github.forge import Pull, pull_request_at, pull_request_of
from mergegate.forges.ports import Ledgers, Standing, Uploads
from tests.forges.github.conftest import PULL, PUSH, Site
from tests.forges.github.hub import ACTIONS, HEAD, LATER, NUMBER, PERSON, REPOSITORY, Answer
from tests.forges.github.saying import publication, summary

SARIF = json.dumps({"version": "2.1.0", "runs": [{"results": []}]})


def uploads(site: Site, token: str = "ghs-usual", change: Change = PULL) -> Uploads:
    found = site.forge(token, change).uploads
    assert found is not None
    return found


def ledger(site: Site) -> Ledgers:
    found = site.forge(change=PUSH).ledger
    assert found is not None
    return found


@pytest.mark.parametrize(("change", "ref"), [(PULL, "refs/pull/7/head"), (PUSH, "refs/heads/main")])
def test_sarif_goes_packed_to_its_ref_and_commit(site: Site, change: Change, ref: str) -> None:
    assert uploads(site, change=change).upload(publication(sarif=SARIF)) == ()
    (sent,) = site.hub.sarifs
    assert (sent["ref"], sent["commit_sha"]) == (ref, HEAD)
    assert gzip.decompress(base64.b64decode(sent["sarif"])).decode() == SARIF


def test_without_sarif_nothing_is_uploaded(site: Site) -> None:
    assert uploads(site).upload(publication()) == ()
    assert site.hub.sarifs == []


def test_a_private_repository_without_code_security_is_told_so(site: Site) -> None:
    site.hub.is_secured = False
    with pytest.raises(NotAllowed, match="Code scanning is off for this repository") as refused:
        uploads(site).upload(publication(sarif=SARIF))
    assert "Code Security" in refused.value.remedy


def test_a_token_without_security_events_is_told_to_grant_them(site: Site) -> None:
    with pytest.raises(NotAllowed, match="`security-events: write`"):
        uploads(site, "ghs-fork").upload(publication(sarif=SARIF))


@pytest.mark.parametrize(
    ("sarif", "said"),
    [
        ({"runs": [{}] * 21}, "more than 20 runs"),
        ({"runs": [{"results": [{}] * 25_001}]}, "more than 25,000 results"),
    ],
)
def test_sarif_over_a_limit_is_not_sent(site: Site, sarif: object, said: str) -> None:
    (left_out,) = uploads(site).upload(publication(sarif=json.dumps(sarif)))
    assert left_out.startswith("Code scanning was not updated") and said in left_out
    assert site.hub.sarifs == []


def test_what_code_scanning_drops_in_silence_is_said(site: Site) -> None:
    sarif = json.dumps({"runs": [{"results": [{}] * 6_000}]})
    said = uploads(site).upload(publication(sarif=sarif))
    assert said == ("Code scanning keeps 5,000 of 6,000 results",)
    assert len(site.hub.sarifs) == 1


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("admin", Standing.ADMIN),
        ("write", Standing.WRITE),
        ("read", Standing.READ),
        ("none", Standing.NONE),
        ("emperor", Standing.NONE),
    ],
)
def test_standing_is_github_s_word(site: Site, said: str, standing: Standing) -> None:
    site.hub.permissions["erin"] = said
    people = site.forge(change=PUSH).people
    assert people and people.standing("erin") is standing


def test_whoever_opened_or_committed_brought_the_pull_request(site: Site) -> None:
    site.hub.opener = "Ada"
    site.hub.wrote = [*["Grace"] * 120, None, "hopper[bot]"]
    authorship = site.forge().authorship
    assert authorship
    assert authorship.authors() == {"ada", "grace", "hopper[bot]", "web-flow"}
    site.hub.wrote = ["grace"] * 251
    with pytest.raises(ForgeError, match="250 commits at most"):
        authorship.authors()


@pytest.mark.parametrize("login", ["", "../../..", "a/b", "erin?x=1", "erin\n", "@erin", "é"])
def test_what_is_no_login_has_no_standing_and_is_not_asked_about(site: Site, login: str) -> None:
    people = site.forge(change=PUSH).people
    assert people and people.standing(login) is Standing.NONE
    assert site.requests == []


def test_a_stranger_has_no_standing(site: Site) -> None:
    people = site.forge(change=PUSH).people
    assert people and people.standing("nobody-there") is Standing.NONE


def test_a_refusal_to_say_is_no_standing_but_an_error(site: Site) -> None:
    site.hub.troubles.append(("permission", Answer(403, {"message": "Must have push access"})))
    people = site.forge(change=PUSH).people
    with pytest.raises(NotAllowed, match="Must have push access"):
        assert people and people.standing("erin")


def test_a_command_is_answered_and_acknowledged(site: Site) -> None:
    site.hub.comments.append({"id": 5, "body": "/mergegate rescan", "user": PERSON.said})
    replies = site.forge().replies
    assert replies is not None
    replies.reply("5", "Scanning again.")
    replies.acknowledge("5", done=True)
    replies.acknowledge("5", done=False)
    assert site.hub.comments[-1]["body"] == "Scanning again."
    assert site.hub.reactions == [(5, "+1"), (5, "confused")]


@pytest.mark.parametrize("comment_id", ["", "5/../6", "five", "٥"])
def test_a_comment_without_a_number_is_not_answered(site: Site, comment_id: str) -> None:
    replies = site.forge().replies
    assert replies is not None
    with pytest.raises(ForgeError, match="no number"):
        replies.reply(comment_id, "x")
    with pytest.raises(ForgeError, match="no number"):
        replies.acknowledge(comment_id, done=True)


def test_one_issue_is_opened_edited_closed_and_reopened(site: Site) -> None:
    room = ledger(site)
    address = room.post("main fails", "3 findings", open=True)
    assert room.post("main fails", "2 findings", open=True) == address
    assert room.post("main passes", "None left", open=False) == address
    assert site.hub.issues[0]["state"] == "closed"
    assert room.post("main fails", "1 finding", open=True) == address
    (issue,) = site.hub.issues
    assert (issue["state"], issue["labels"]) == ("open", [{"name": "mergegate"}])
    assert issue["body"].startswith("1 finding\n")


def test_an_issue_that_says_it_already_is_not_written(site: Site) -> None:
    room = ledger(site)
    room.post("main fails", "3 findings", open=True)
    room.post("main fails", "3 findings", open=True)
    assert not any(line.startswith("PATCH") for line in site.requests)


def test_no_issue_is_opened_to_say_that_all_is_well(site: Site) -> None:
    assert ledger(site).post("main passes", "", open=False) == ""
    assert site.hub.issues == []


@pytest.mark.parametrize(
    "changed",
    [
        {"user": {**PERSON.said, "login": ACTIONS.login}},
        {"pull_request": {"url": "https://github.example.org"}},
        {"body": "> quoted `<!-- mergegate:ledger -->`"},
    ],
    ids=["another author", "a pull request", "a quotation"],
)
def test_an_issue_that_merely_looks_like_ours_is_left_alone(site: Site, changed: object) -> None:
    theirs = {
        "number": 5,
        "title": "x",
        "body": "<!-- mergegate:ledger -->",
        "state": "open",
        "user": ACTIONS.said,
        "html_url": "https://github.example.org/5",
    } | dict(changed)  # type: ignore[call-overload]
    site.hub.issues.append(theirs)
    ledger(site).post("main fails", "3 findings", open=True)
    assert len(site.hub.issues) == 2
    assert theirs["title"] == "x"


def test_a_token_without_issues_is_told_to_grant_them(site: Site) -> None:
    room = site.forge("ghs-fork", replace(PUSH, run_url="")).ledger
    with pytest.raises(NotAllowed, match="`issues: write`"):
        assert room and room.post("main fails", summary(), open=True)


@pytest.mark.parametrize(
    ("owner", "sha", "state", "found"),
    [
        ("mallory/shop", HEAD, "open", NUMBER),
        ("mallory/Shop", HEAD, "open", NUMBER),
        ("mallory/other", HEAD, "open", None),
        ("mallory/shop", LATER, "open", None),
        ("mallory/shop", HEAD, "closed", None),
    ],
)
def test_the_pull_request_of_a_run_is_found_by_its_head(
    site: Site, owner: str, sha: str, state: str, found: int | None
) -> None:
    head = {"sha": sha, "ref": "topic", "repo": {"full_name": owner}}
    base = {"sha": LATER, "ref": "main"}
    site.hub.pulls = [{"number": NUMBER, "state": state, "head": head, "base": base}]
    pull = pull_request_of(
        REPOSITORY,
        head=HEAD,
        head_repository="mallory/shop",
        branch="topic",
        token="ghs-usual",
        api_url=site.api_url,
        pace=Pace(sleep=site.clock.sleep, now=site.clock.now),
    )
    assert (pull and (pull.number, pull.base_branch)) == (found and (found, "main"))


@pytest.mark.parametrize(
    ("sha", "state", "home", "found"),
    [
        (HEAD, "open", REPOSITORY, False),
        (HEAD, "open", "mallory/shop", True),
        (HEAD, "closed", REPOSITORY, None),
        (LATER, "open", REPOSITORY, None),
    ],
)
def test_the_pull_request_of_a_deployed_commit_is_found(
    site: Site, sha: str, state: str, home: str, found: bool | None
) -> None:
    head = {"sha": sha, "ref": "topic", "repo": {"full_name": home}}
    base = {"sha": LATER, "ref": "main"}
    row = {"number": NUMBER, "state": state, "head": head, "base": base, "commits": [HEAD]}
    site.hub.pulls = [row]
    pull = pull_request_at(
        REPOSITORY,
        head=HEAD,
        token="ghs-usual",
        api_url=site.api_url,
        pace=Pace(sleep=site.clock.sleep, now=site.clock.now),
    )
    expected = Pull(
        number=NUMBER, base=LATER, base_branch="main", branch="topic", from_fork=bool(found)
    )
    assert pull == (None if found is None else expected)
