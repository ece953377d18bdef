"""What scripts of workflows take in comes by variables, quoted as the shell needs it."""

import pytest

from mergegate.repo.fixes import workflows
from tests.repo.fixes.infrastructure import made

TITLE = "${{ github.event.issue.title }}"
HEAD = "jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"


def scripted(script: str, head: str = HEAD, more: str = "") -> str | None:
    """What becomes of a step's script, without the variables that it gets."""
    text = f"{head}      - name: x\n        run: |\n          {script}\n{more}"
    new = made(workflows.text_by_environment, "yaml", text, "name: x")
    if new is None:
        return None
    above, _, below = new.partition("        run: |\n")
    assert "ISSUE_TITLE: ${{ github.event.issue.title }}" in above
    return below.removesuffix(more).strip()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"echo {TITLE}", 'echo "${ISSUE_TITLE}"'),
        (f'echo "a {TITLE}"', 'echo "a ${ISSUE_TITLE}"'),
        (f"echo 'a {TITLE}' b", "echo 'a '\"${ISSUE_TITLE}\"'' b"),
        (f'a="$(echo {TITLE})"', 'a="$(echo "${ISSUE_TITLE}")"'),
        (f'a="$(echo "{TITLE}")"', 'a="$(echo "${ISSUE_TITLE}")"'),
        (f"echo 'it' \"it's {TITLE}\"", "echo 'it' \"it's ${ISSUE_TITLE}\""),
        (f"(a); echo {TITLE}", '(a); echo "${ISSUE_TITLE}"'),
        (f"echo \\' {TITLE}", 'echo \\\' "${ISSUE_TITLE}"'),
        (f"echo '\\' {TITLE}", "echo '\\' \"${ISSUE_TITLE}\""),
        (f"cat <<EOF\n          {TITLE}\n          EOF", None),
        (f"echo `echo {TITLE}`", None),
        (f"case a in b) echo {TITLE};; esac", None),
        (f"echo 'a # b' {TITLE}", None),
        (f"echo $ISSUE_TITLE $GIVEN_ISSUE_TITLE $PASTED_ISSUE_TITLE {TITLE}", None),
    ],
)
def test_the_shell_takes_text_as_one_word(script: str, expected: str | None) -> None:
    assert scripted(script) == expected


def test_other_shells_are_left_alone() -> None:
    for runner in ("windows-latest", "${{ matrix.os }}", "self-hosted"):
        assert scripted(f"echo {TITLE}", HEAD.replace("ubuntu-latest", runner)) is None
    assert scripted(f"echo {TITLE}", more="        shell: python\n") is None
    assert scripted(f"echo {TITLE}", HEAD.replace("ubuntu", "windows"), "        shell: bash\n")


def test_options_are_still_taken_apart_and_variables_are_used_as_they_are() -> None:
    given = "${{ github.event.inputs.options }}"
    script = f"a {given} ${{{{ env.MODE }}}} ${{{{ github.sha }}}} ${{{{ secrets.KEY }}}}"
    text = f"{HEAD}      - run: |\n          {script}\n"
    new = made(workflows.text_by_environment, "yaml", text, "run")
    assert new == (
        f"{HEAD}      - run: |\n"
        "          a ${OPTIONS} ${MODE} ${{ github.sha }} ${{ secrets.KEY }}\n"
        f"        env:\n          OPTIONS: {given}\n"
    )


def test_a_value_that_would_begin_with_a_quote_is_left_alone() -> None:
    text = f"{HEAD}      - run: {TITLE} b\n"
    assert made(workflows.text_by_environment, "yaml", text, "run") is None


@pytest.mark.parametrize(
    ("step", "changed"),
    [
        ("run: make", True),
        ("uses: actions/setup-go@v5", True),
        ("uses: actions/labeler@v5", False),
        ("run: gh pr comment 1", False),
        ("run: git push", False),
        ("uses: ./own", False),
    ],
)
def test_the_token_is_narrowed_where_the_steps_are_known(step: str, *, changed: bool) -> None:
    text = f"{HEAD}      - {step}\n"
    new = made(workflows.read_only_token, "yaml", text, "jobs")
    assert new == (f"permissions:\n  contents: read\n\n{text}" if changed else None)


def test_a_script_of_countless_expressions_is_left_alone() -> None:
    assert scripted(f"echo {TITLE} " + "${{ a }}" * 50) is None
