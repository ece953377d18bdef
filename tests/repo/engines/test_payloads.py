"""Settings of programs inside other files: which are read, and where their lines stand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents import DocumentEngine
from mergegate.repo.facts.documents import DocumentKind, FileDocuments
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.stage import Stage

_CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
_PLAY = "- hosts: a\n  tasks:\n  - copy:\n      dest: /etc/nginx/a.conf\n      content: |\n"
_LIST = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n"
_COMPOSE = "services: {a: {image: b}}\nconfigs:\n  a:\n    content: |\n"
_SERVER = "server {\n  ssl_protocols TLSv1;\n}\n"


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def _read(folder: Path, context: EngineContext, text: str, path: str) -> FileDocuments:
    location = folder / "read"
    location.write_text(text, "utf-8")
    language = "dockerfile" if path == "Dockerfile" else None
    file = SourceFile(
        path=path, location=location, size=len(text), digest="0" * 64, language=language
    )
    return DocumentEngine().examine([file], context).answers[file.key]


def _settings(found: FileDocuments) -> list[tuple[str, int]]:
    """What of another program was read, with the lines of nginx's protocols."""
    apart = {DocumentKind.KUBERNETES, DocumentKind.COMPOSE, DocumentKind.ANSIBLE}
    return [
        (one.kind.value, one.root.at("server", "ssl_protocols").line)
        for one in found.documents
        if one.kind not in apart
    ]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.yaml", f"{_CONFIG_MAP}  default.conf: |\n{_indented(_SERVER, 4)}", 7),
        ("a.yaml", f"{_CONFIG_MAP}  default.conf: |-\n\n{_indented(_SERVER, 4)}", 8),
        ("a.yaml", f'{_CONFIG_MAP}  a.conf: "server {{\\n ssl_protocols TLSv1;\\n}}"\n', 5),
        ("a.yaml", f"{_LIST}  data:\n    a.conf: |\n{_indented(_SERVER, 6)}", 9),
        ("compose.yaml", f"{_COMPOSE}{_indented(_SERVER, 6)}", 6),
        ("play.yml", f"{_PLAY}{_indented(_SERVER, 8)}", 7),
        ("Dockerfile", f"FROM a\nCOPY <<EOF /etc/nginx/a.conf\n{_SERVER}EOF\nUSER b\n", 4),
        ("Dockerfile", f"FROM a\nCOPY --chmod=644 <<-'E' \\\n  /a.conf\n{_SERVER}E\n", 5),
        ("Dockerfile", f"FROM a\nRUN cat > /etc/nginx/a.conf <<EOF\n{_SERVER}EOF\n", 4),
        ("Dockerfile", f"FROM a\nRUN tee /etc/nginx/a.conf <<EOF\n{_SERVER}EOF\n", 4),
    ],
)
def test_settings_in_another_file_have_its_lines(
    tmp_path: Path, context: EngineContext, path: str, text: str, line: int
) -> None:
    """They are read as the file that they become, wherever they are written."""
    assert _settings(_read(tmp_path, context, text, path)) == [("nginx", line)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", f"{_CONFIG_MAP}  a.txt: |\n    server: it serves\n    location: here\n"),
        ("a.yaml", f"{_CONFIG_MAP}  a.conf: |\n    server {{\n      ssl_protocols TLSv1;\n"),
        ("a.yaml", f"{_CONFIG_MAP}  ansible.cfg: |\n    [defaults]\n    host_key_checking = no\n"),
        ("a.yaml", f"apiVersion: v1\nkind: Other\ndata:\n  a.conf: |\n{_indented(_SERVER, 4)}"),
        ("Dockerfile", f"FROM a\nRUN <<EOF\n{_SERVER}EOF\n"),
        ("Dockerfile", f"FROM a\nCOPY <<A <<B /etc/nginx/\n{_SERVER}A\n{_SERVER}B\n"),
        ("Dockerfile", "FROM a\nRUN cat > /etc/ssh/sshd_config <<EOF\nPermitRootLogin yes\nEOF\n"),
    ],
)
def test_other_payloads_are_left_alone(
    tmp_path: Path, context: EngineContext, path: str, text: str
) -> None:
    """What only looks alike, breaks off, or is judged by other rules is not read."""
    assert _settings(_read(tmp_path, context, text, path)) == []


def test_large_settings_of_a_config_map_are_not_kept(
    tmp_path: Path, context: EngineContext
) -> None:
    """The manifest holds short settings alone, whatever was read of the long ones."""
    text = f"{_CONFIG_MAP}  level: debug\n  a.conf: |\n{_indented(_SERVER, 4)}"
    manifest, server = _read(tmp_path, context, text, "a.yaml").documents
    assert manifest.root["data"].keys == ("level",)
    assert server.kind is DocumentKind.NGINX
