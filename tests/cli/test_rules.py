from click.testing import CliRunner

from mergegate.cli.rules import rules
from mergegate.repo.checks import all_rules


def test_a_reader_of_the_pipe_gets_one_line_for_each_rule() -> None:
    """Such as ``grep``; an identifier that is folded is found by none."""
    heading, *lines = CliRunner().invoke(rules, []).stdout.splitlines()
    assert heading.split() == ["Rule", "Severity", "Weakness", "Category", "Title"]
    assert [line.split()[0] for line in lines] == list(all_rules())
