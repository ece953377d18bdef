"""Markdown of Lighthouse becomes prose and references."""

from mergegate.site.audit.checks.judge import prose, references


def test_learn_more_goes_and_other_links_keep_their_words() -> None:
    text = (
        "[Reduce its latency](https://a.example/l) with `gzip`. "
        "[Learn more about it](https://a.example/m)."
    )
    assert prose(text) == "Reduce its latency with gzip."


def test_references_are_https_alone_and_each_once() -> None:
    text = (
        "[a](https://a.example/) [b](http://b.example/) [c](https://a.example/) [d](javascript:x)"
    )
    assert references(text) == ("https://a.example/",)
