"""Recipes change Dockerfiles so that lines which go on still do, or leave them alone."""

import pytest

from mergegate.repo.fixes import dockerfile, image_user, instructions
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.syntax import parses
from tests.repo.fixes.infrastructure import made

SERVER = "FROM a AS b\nRUN c\nFROM scratch\nCOPY --from=b /c /c\n"
OFF = "git config --global http.sslVerify false"


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("FROM a\nRUN b \\\n  c\n", True),
        ("FROM a\nRUN b \\\n# why\n\n  c\n", True),
        ("FROM a\nRUN <<EOF\nwhatever\nEOF\nCMD b\n", True),
        ("# syntax=docker/dockerfile:1\nfrom a\n", True),
        ("FROM a\nRUN b \\\nCMD c\n", False),
        ("FROM a\nRUN b \\\n", False),
        ("FROM a\n  b\n", False),
        ("FROM a\nRUN <<EOF\nwhatever\n", False),
        ("# nothing\n", False),
        ("# escape=`\nFROM a\n", False),
    ],
)
def test_continued_lines_are_checked(text: str, *, valid: bool) -> None:
    assert parses(text, "dockerfile", "") is valid


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"FROM a\nRUN {OFF}\nCMD b\n", "FROM a\nCMD b\n"),
        (f"FROM a\nRUN {OFF} && b\n", "FROM a\nRUN b\n"),
        (f"FROM a\nRUN b && {OFF}\n", "FROM a\nRUN b\n"),
        (f"FROM a\nRUN b && \\\n    {OFF} && \\\n    c\n", "FROM a\nRUN b && \\\n    c\n"),
        (f"FROM a\nRUN b \\\n && {OFF} \\\n && c\n", "FROM a\nRUN b \\\n && c\n"),
        (f"FROM a\nRUN b; {OFF}; c 'x; y'\n", "FROM a\nRUN b; c 'x; y'\n"),
        (f"FROM a\nRUN b || {OFF}\n", None),
        (f"FROM a\nRUN (b && {OFF})\n", None),
        (f"FROM a\nRUN if b; then {OFF}; fi\n", None),
        (f'FROM a\nRUN b "$(c)" && {OFF}\n', None),
        (f"FROM a\nRUN <<EOF\n{OFF}\nEOF\n", None),
    ],
)
def test_a_command_goes_with_what_joins_it(text: str, expected: str | None) -> None:
    marked = "http.sslVerify false"
    assert made(instructions.checked_settings, "dockerfile", text, marked) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RUN b --é -y c\n", "RUN b --é c\n"),
        ("RUN b \\\n  -y \\\n  c\n", "RUN b \\\n  c\n"),
        ("RUN b \\\n  -y\nCMD c\n", "RUN b\nCMD c\n"),
        ("RUN b \\\r\n  -y \\\r\n  c\r\n", "RUN b \\\r\n  c\r\n"),
        ("RUN b-y c -yy\n", None),
        ('RUN ["b", "-y", "c"]\n', None),
        ('ONBUILD RUN [ "b -y", "c" ]\n', None),
        ('RUN --mount=type=cache,target=/a ["b","-y c"]\n', None),
        ('RUN [ "$a" ] && b -y c\n', 'RUN [ "$a" ] && b c\n'),
    ],
)
def test_a_word_goes(text: str, expected: str | None) -> None:
    marked = text.removesuffix("CMD c\n").rstrip()
    assert made(instructions.steps, "dockerfile", text, marked, replace={"-y": ""}) == expected


@pytest.mark.parametrize(
    ("text", "user"),
    [
        ("FROM a\nRUN useradd -ms /bin/sh -u 1000 app\nCMD b\n", "app"),
        ("FROM a\nRUN addgroup -S app && adduser -S -G app runner\nCMD b\n", "runner"),
        ("FROM a\nUSER app\nUSER root\nRUN b\nCMD c\n", "app"),
        ("FROM node:22 AS a\nCMD b\n", "node"),
        ("ARG V=22\nFROM node:${V}-slim AS a\nFROM a AS c\nCMD b\n", "node"),
        ("FROM a AS b\nRUN useradd app\nFROM B\nCMD c\n", "app"),
        ("FROM a AS b\nRUN useradd app\nFROM c\nCMD d\n", ""),
        ("FROM node:22 AS b\nFROM b\nRUN e\nCMD gosu d\n", ""),
        ("FROM --platform=$P node:22\nCMD d\n", "node"),
        ("FROM\nCMD d\n", ""),
        ("FROM node AS node\nCMD d\n", "node"),
        ("FROM mcr.microsoft.com/dotnet/aspnet:8.0-alpine\nCMD b\n", "$APP_UID"),
        ("FROM mcr.microsoft.com/dotnet/aspnet:6.0\nCMD b\n", ""),
        ("FROM gcr.io/distroless/static-debian12\nCMD b\n", "nonroot"),
        (f'{SERVER}EXPOSE 8080\nCMD ["/c"]\n', "65534:65534"),
        (f'{SERVER}CMD ["/c"]\n', ""),
        (f'{SERVER}EXPOSE 8080\nRUN d\nCMD ["/c"]\n', ""),
        ("FROM a\nRUN useradd app\nENTRYPOINT /usr/sbin/sshd -D\nCMD b\n", ""),
        ("FROM a\nRUN useradd app\nCMD ./start.sh\n", ""),
        ('FROM a AS b\nFROM golang:1\nCOPY --from=b /c /c\nCMD ["/c"]\n', ""),
        ("FROM a\nCMD b\n", ""),
        ("FROM a\nRUN useradd b && useradd c\nCMD d\n", ""),
        ("FROM a\nRUN useradd app\nCMD exec gosu app b\n", ""),
        ("FROM a\nRUN useradd app\nCMD b\nRUN c\n", ""),
        ("FROM a\nUSER 0\nCMD b\n", ""),
        ("FROM mynode:22\nCMD b\n", ""),
        ('FROM a AS b\nFROM alpine:3\nCOPY --from=b /d /d\nEXPOSE 80\nCMD ["/d"]\n', ""),
        ('FROM a AS b\nFROM alpine:3\nCOPY --from=b /d /d\nVOLUME /e\nCMD ["/d"]\n', ""),
    ],
)
def test_a_user_is_named_where_there_is_one(text: str, user: str) -> None:
    marked = "USER root" if "USER root" in text else "CMD"
    new = made(image_user.own_user, "dockerfile", text, marked)
    assert new == (text.replace("CMD", f"USER {user}\nCMD") if user else None)


def test_what_is_no_dockerfile_has_no_instructions() -> None:
    with pytest.raises(UncertainError):
        dockerfile.instructions("FROM a\nwhatever\n")
