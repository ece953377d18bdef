"""What is kept of the content of ConfigMaps and Secrets."""

from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import DocumentKind
from tests.repo.infrastructure.reading import answers


def manifest(kind: str, part: str, *entries: str) -> str:
    """An object with entries in its payload."""
    lines = "".join(f"  {one}\n" for one in entries)
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: portal}}\n{part}:\n{lines}"


def test_of_payloads_only_short_settings_and_marks_are_kept() -> None:
    files = {
        "a.yaml": manifest(
            "ConfigMap", "data", "a: b", f"long: {'x' * 300}", "file: |\n    one\n    two"
        ),
        "b.yaml": manifest("Secret", "stringData", "username: portal", "password: orange-portal"),
        "c.yaml": manifest("Secret", "data", "password: b3Jhbmdl"),
    }
    found = documents.fact(answers(documents.DocumentEngine(), files))
    parts = [
        (part.keys, [one.text for one in part.children])
        for _, root in found.of(DocumentKind.KUBERNETES)
        for part in (root["data"], root["stringData"])
        if part.present
    ]
    assert parts == [(("a",), ["b"]), (("password",), ["***"])]
