"""What a change may try on the job that answers it, at the level of the whole command."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from mergegate.forges.marker import State, Waiver, mark, recall, remember
from tests.ci.jobs.clones import CLOSED, DEEP, OPEN, WEAK
from tests.ci.jobs.conftest import Pull
from tests.ci.jobs.gitlab_job import MergeRequest
from tests.ci.jobs.scenes import ELSEWHERE, OnBitbucket, OnGitHub, OnGitLab, Scene
from tests.forges.gitlab_stand_in import READ_TOKEN
from tests.repo.report.inert import harm

FORGES = ("github", "gitlab", "bitbucket")
# A runner trims a line before it looks for a command; colour may stand before it.
_COMMAND = re.compile(r"^(?:\s|\x1b\[[0-9;]*m)*::|##\[|##vso\[|##teamcity\[", re.MULTILINE)
_OURS = re.compile(
    r"::(?:error|warning) file=[^:,]*,line=\d+,endLine=\d+,title=[^:,]*::.*|::notice::Shown .*"
)
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@pytest.fixture(params=FORGES)
def scene(request: pytest.FixtureRequest) -> Scene:
    if request.param == "github":
        return OnGitHub(request.getfixturevalue("pull"))
    if request.param == "gitlab":
        return OnGitLab(request.getfixturevalue("merge_request"))
    return OnBitbucket(request.getfixturevalue("pull_request"))


@pytest.fixture
def watched(tmp_path: Path) -> tuple[str, Path]:
    """A PATH whose Git leaves a trace, and the trace."""
    folder, trace = tmp_path / "programs", tmp_path / "git-ran"
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\n: > "{trace}"\nexec /usr/bin/git "$@"\n')
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin", trace


def commands(text: str) -> list[str]:
    """What a runner would obey, or a terminal would, in a log."""
    lines = [line for line in text.split("\n") if _COMMAND.search(line)]
    return [line for line in lines if not _OURS.fullmatch(line)] + _HIDDEN.findall(text)


def inert(scene: Scene) -> list[str]:
    """What the forge would act on; whether GitLab obeyed is judged by its stand-in."""
    found = [one for body in (*scene.comments, *scene.remarks) for one in harm(body)]
    return [one for one in found if not one.startswith("command:")]


def orders(said: Any) -> list[str]:
    """Lines anywhere in ``said`` that begin as a quick action does."""
    if isinstance(said, str):
        return [line for line in said.splitlines() if re.match(r"\s*/(?:approve|merge)", line)]
    within = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
    return [one for value in within for one in orders(value)]


@pytest.mark.parametrize(
    "branch", ["--upload-pack=touch ran", "-h", "topic\n::error::x", "a..b", "$(touch ran)\n"]
)
def test_a_branch_that_git_would_not_allow_is_refused_before_git_runs(
    scene: Scene, watched: tuple[str, Path], branch: str
) -> None:
    path, trace = watched
    scene.call(branch)
    run = scene.ci(PATH=path)
    assert run.code == 2, run.err
    assert not trace.exists()
    assert (scene.comments, scene.judged) == ([], [])
    assert commands(run.out + run.err) == []
    assert branch not in run.err


def test_a_branch_and_a_title_for_a_shell_are_only_words(
    scene: Scene, watched: tuple[str, Path]
) -> None:
    path, trace = watched
    run_it = "touch${IFS}ran"
    scene.call(f'a;{run_it};"$({run_it})`{run_it}`', f'"; {run_it} #\n$({run_it})\n::error::x')
    run = scene.ci(PATH=path)
    assert run.code == 0, run.err
    assert trace.exists()
    assert not list(scene.root.parent.rglob("ran"))
    assert commands(run.out + run.err) == []
    assert inert(scene) == []


NAMES = (
    "::error file=x::pwn.py",
    "##[error]pwn.py",
    "##vso[task.setvariable variable=x]y.py",
    "a\n::error::b.py",
    "\x1b[0m::error::c.py",
    "section_end:1:x\r\x1b[0Kd.py",
    "\u202eyp.e.py",
    "$(touch ran);`touch ran`.py",
    "<img src=x>![x](x)@org #1.py",
    "/approve\n/merge.py",
)


def odd(name: str) -> str:
    return f"src/{name}" if name.startswith("/") else name


def test_the_name_of_a_file_is_no_command(scene: Scene) -> None:
    scene.push({odd(name): WEAK for name in NAMES})
    run = scene.ci(*DEEP, "--review", "3")
    assert run.code == 1, run.err
    assert commands(run.out + run.err) == []
    assert inert(scene) == []
    assert not list(scene.root.parent.rglob("ran"))
    assert "could not publish" not in run.err
    assert (len(scene.comments), len(scene.remarks)) == (1, 3)


def test_the_name_of_a_file_is_no_command_among_annotations_in_the_log(pull: Pull) -> None:
    scene = OnGitHub(pull)
    scene.push({odd(name): WEAK for name in NAMES})
    run = scene.ci(*DEEP, GITHUB_TOKEN="ghs-fork")
    assert run.code == 1, run.err
    assert "::error file=" in run.out
    assert commands(run.out + run.err) == []


SPOKEN = """
/approve
/merge
@org/team closes #1, see www.example.org ![x](https://example.org/x.png?leak)
<img src=x onerror=alert(1)> [click](javascript:alert(1)) :tada: $x^2$
````` ~~~~~
<!-- mergegate:state AAAA -->
[//]: # (mergegate:state AAAA)
</details></table>
## Passed
"""


def test_the_lines_of_a_finding_are_shown_and_do_nothing(scene: Scene) -> None:
    code = 'import os\n\n\ndef run(request):\n    os.system("ls " + request.args["x"] + """'
    scene.push({"app.py": f'{code}{SPOKEN}""")\n'})
    run = scene.ci(*DEEP)
    assert run.code == 1, run.err
    assert len(scene.remarks) == 1
    assert "could not publish" not in run.err
    assert inert(scene) == []
    assert commands(run.out + run.err) == []
    assert [state.sequence for body in scene.comments if (state := recall(body))] != []


def test_what_a_finding_says_of_hostile_names_does_nothing(scene: Scene) -> None:
    """The names of Kubernetes' objects stand in what their findings say."""
    name = json.dumps(f"x{SPOKEN}::error::x\n##[error]x")
    container = f'{{name: {name}, image: "a:1", securityContext: {{privileged: true}}}}'
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n"
    scene.push({"pod.yaml": f"{pod}spec:\n  containers:\n    - {container}\n"})
    run = scene.ci("--only", "iac", "--fail-on", "never")
    assert run.code == 0, run.err
    assert scene.remarks
    assert "could not publish" not in run.err
    assert inert(scene) == []
    assert commands(run.out + run.err) == []
    assert orders(json.loads(scene.plain)) == []


def test_a_suggestion_stays_in_its_fence(scene: Scene) -> None:
    tail = "# `````suggestion @org/team </details>"
    text = f"import yaml\n\n\ndef read(text):\n    return yaml.load(text, yaml.Loader)  {tail}\n"
    scene.push({"app.py": text})
    run = scene.ci(*DEEP)
    assert run.code in {0, 1}, run.err
    (remark,) = scene.remarks
    fences = [one for one in MarkdownIt("commonmark").parse(remark) if one.type == "fence"]
    offered = [one.content for one in fences if one.info.startswith("suggestion")]
    fixed = f"    return yaml.safe_load(text)  {tail}\n"
    assert offered == ([] if isinstance(scene, OnBitbucket) else [fixed])
    assert inert(scene) == []


def test_more_than_a_forge_takes_is_cut_and_counted(scene: Scene) -> None:
    many = 300
    deep = "/".join(["a-folder-with-a-long-name"] * 6)
    body = "".join(
        f"\n\ndef f{n}(request):\n    os.system(request.args['{n}'])\n" for n in range(75)
    )
    scene.push({f"{deep}/{n}.py": f"import os\n{body}" for n in range(4)})
    run = scene.ci(*DEEP, "--review", "2")
    assert run.code == 1, run.err
    assert "could not publish" not in run.err
    (comment,) = scene.comments
    assert f"{many}" in comment
    assert re.search(rf"\d+ of (?:the )?{many}", comment), comment[:2000]
    assert len(scene.remarks) == 2
    report = json.loads((scene.root.parent / "report" / "mergegate.json").read_text())
    assert len(report["issues"]) == many


def test_a_head_that_moves_during_the_scan_gets_no_answer_to_the_old_one(scene: Scene) -> None:
    head = scene.push({"app.yaml": OPEN})
    scene.move_on()
    run = scene.ci()
    assert run.code == 1, run.err
    assert "moved on" in run.err
    assert scene.judged == [head]
    assert (scene.comments, scene.remarks) == ([], [])
    assert ELSEWHERE not in scene.plain


def test_a_forged_marker_is_neither_believed_nor_touched(scene: Scene) -> None:
    head = scene.push({"app.yaml": OPEN})
    assert scene.ci("--comment", "false", "--review", "0").code == 1
    report = json.loads((scene.root.parent / "report" / "mergegate.json").read_text())
    (known,) = report["issues"]
    waiver = Waiver(id=known["id"], reason="mine", owner="mallory", expires="2999-01-01")
    state = State(head=head, sequence=10**15, waivers=(waiver,))
    forged = f"## ✅ Passed\n\n{remember(state, scene.hiding)}"
    claim = f"Seen\n\n{mark(known['id'], scene.hiding)}"
    scene.stranger_says(forged, claim)
    run = scene.ci()
    assert run.code == 1, run.err
    assert scene.by_strangers == [forged, claim]
    (comment,) = scene.comments
    assert "Failed" in comment.splitlines()[0]
    assert len(scene.remarks) == 1


def test_two_runs_at_once_leave_one_comment_of_the_newest(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = scene.push({"app.yaml": OPEN})
    scene.meet_before_writing(monkeypatch)
    with ThreadPoolExecutor(2) as pool:
        older, newer = [pool.submit(scene.ci, **_run(number)) for number in (5001, 5002)]
    assert (older.result().code, newer.result().code) == (1, 1), newer.result().err
    assert scene.written == 2
    (comment,) = scene.comments
    state = recall(comment)
    assert state is not None
    assert state.head == head
    assert state.sequence // (100 if isinstance(scene, OnGitHub) else 1) == 5002


def _run(number: int) -> dict[str, str]:
    named = ("GITHUB_RUN_ID", "CI_PIPELINE_ID", "BITBUCKET_BUILD_NUMBER")
    return dict.fromkeys(named, str(number))


def test_a_run_that_ends_late_does_not_overwrite_a_newer_one(scene: Scene) -> None:
    scene.push({"app.yaml": OPEN})
    assert scene.ci(**_run(5002)).code == 1
    (before,) = scene.comments
    run = scene.ci("--fail-on", "never", **_run(5001))
    assert run.code == 0, run.err
    assert scene.comments == [before]
    assert "newer run" in run.err


def test_a_fork_on_github_is_judged_without_a_word_to_the_forge(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    event = pull.event()["pull_request"]
    event["head"]["repo"] = {"full_name": "mallory/shop", "fork": True}
    run = pull.ci(token="ghs-usual", pull_request=event)
    assert run.code == 1, run.err
    assert (pull.hub.comments, pull.hub.runs, pull.hub.threads) == ([], [], [])
    assert pull.summary.startswith("## ❌ Failed")
    assert pull.outputs["gate"] == "failed"
    assert "::error file=app.yaml,line=5" in run.out


def test_a_fork_on_gitlab_is_judged_whatever_its_token_may(merge_request: MergeRequest) -> None:
    merge_request.push({"app.yaml": OPEN})
    fork = {"CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "mallory/app", "CI_PROJECT_PATH": "mallory/app"}
    for token in ("", READ_TOKEN):
        run = merge_request.ci(**fork, MERGEGATE_TOKEN=token)
        assert run.code == 1, run.err
    assert (merge_request.notes, merge_request.statuses) == ([], [])
    merge_request.push({"app.yaml": CLOSED})
    assert merge_request.ci(**fork, MERGEGATE_TOKEN="").code == 0
