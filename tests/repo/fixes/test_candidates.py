"""Candidates by somebody who did not build the gates: no bad one passes, and few good ones fail."""

from tests.repo.fixes.candidates import HIDDEN, NOT_FOUND, PASSED, candidates, judged

REFUSED = {
    # `shell=False` is what the default says: the gate takes it for another word.
    "python-subprocess-shell/convert.py/2",
    # The values change places, which harms nothing in this function alone.
    "python-timing-unsafe-compare/webhook.py/2",
}
"""Good ones that are refused: each is a fix that nobody is offered, and no harm."""


def test_every_candidate_fits_its_file() -> None:
    apart = {"python-yaml-load/settings.py/19"}
    for one in candidates():
        text = one.flawed.text
        is_once = all(text.count(edit["old"]) == 1 for edit in one.edits)
        assert is_once or one.name in apart, one.name


def test_no_bad_candidate_passes_and_few_good_ones_are_refused() -> None:
    several = judged(candidates())
    unseen = {one.name for one in several if one.outcome in {NOT_FOUND, HIDDEN, "not asked"}}
    assert not unseen
    assert not [one.name for one in several if not one.good and one.outcome == PASSED]
    assert {one.name for one in several if one.good and one.outcome != PASSED} == REFUSED
