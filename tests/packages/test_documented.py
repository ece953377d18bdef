"""The page on dependencies names what is read."""

from pathlib import Path

from mergegate.packages.ecosystems import ECOSYSTEMS


def test_the_documentation_names_every_file_that_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "dependencies.md").read_text()
    names = [form.names[0] for one in ECOSYSTEMS.values() for form in one.locks]
    names += [form.names[0] for one in ECOSYSTEMS.values() for form in one.manifests]
    assert [name for name in names if f"`{name}`" not in page] == []
    assert [name for name in ECOSYSTEMS if f"\n| {name} |" not in page] == []
