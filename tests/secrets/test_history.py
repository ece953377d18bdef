from mergegate.core.tree import Role
from mergegate.secrets.fact import AddedLine, history
from tests.secrets.mint import SAMPLES
from tests.secrets.test_assignments import PASSWORD
from tests.secrets.test_corpus import LEAKS

FIRST, SECOND = "a" * 40, "b" * 40


def test_secret_of_a_commit_is_told_with_commit_and_line() -> None:
    added = [
        AddedLine(FIRST, "app.py", 7, "import os"),
        AddedLine(FIRST, "app.py", 12, f'TOKEN = "{SAMPLES["github-token"]}"'),
        AddedLine(SECOND, "app.py", 12, 'TOKEN = os.environ["TOKEN"]'),
    ]
    found = [(past.commit, past.path, past.match.line) for past in history(added)]
    assert found == [(FIRST, "app.py", 12)]


def test_key_of_many_lines_is_one_secret() -> None:
    key = next(leak.text for leak in LEAKS if leak.path.endswith("id_rsa"))
    added = [AddedLine(FIRST, "id_rsa", n, line) for n, line in enumerate(key.split("\n"), 1)]
    assert [past.match.detector for past in history(added)] == ["private-key"]


def test_path_explains_away_in_history_too() -> None:
    line = f"password: {PASSWORD}"
    added = [AddedLine(FIRST, path, 1, line) for path in ("conf.yml", "conf.example.yml")]
    assert [past.path for past in history(added)] == ["conf.yml"]


def test_role_is_asked_for_by_path() -> None:
    added = [AddedLine(FIRST, "tests/x.py", 1, SAMPLES["npm-token"])]
    roles = [past.role for past in history(added, lambda path: Role.TEST)]
    assert roles == [Role.TEST]


def test_bytes_that_are_no_text_are_survived() -> None:
    added = [AddedLine(FIRST, "x", 1, "\udcff\0 password = 1")]
    assert list(history(added)) == []
