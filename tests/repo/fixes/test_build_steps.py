"""Instructions and steps of Dockerfiles, changed as a whole or left alone."""

import pytest

from mergegate.repo.fixes import build_steps
from mergegate.repo.fixes.recipe import Steps
from tests.repo.fixes.infrastructure import made


@pytest.mark.parametrize(
    ("steps", "instruction", "expected"),
    [
        (
            build_steps.author_as_label,
            "MAINTAINER a <b@c.d>",
            'LABEL org.opencontainers.image.authors="a <b@c.d>"',
        ),
        (build_steps.author_as_label, "MAINTAINER $A", None),
        (build_steps.list_in_json, "SHELL ['a', '-c']", 'SHELL ["a", "-c"]'),
        (build_steps.list_in_json, "HEALTHCHECK CMD ['a']", 'HEALTHCHECK CMD ["a"]'),
        (build_steps.list_in_json, "RUN ['a', \"b\"]", None),
        (build_steps.list_in_json, "RUN ['a'] && b", None),
        (build_steps.assigned_variable, "ENV A b c", 'ENV A="b c"'),
        (build_steps.assigned_variable, "ENV A /b:$C", 'ENV A="/b:$C"'),
        (build_steps.assigned_variable, "ENV A it's", None),
        (build_steps.assigned_variable, "ENV A", None),
        (
            build_steps.answers_for_the_build,
            "ENV DEBIAN_FRONTEND noninteractive",
            "ARG DEBIAN_FRONTEND=noninteractive",
        ),
        (build_steps.answers_for_the_build, "ENV DEBIAN_FRONTEND=noninteractive A=b", None),
        (build_steps.into_folder, "COPY a b /c", "COPY a b /c/"),
        (build_steps.into_folder, 'COPY ["a", "b", "/c"]', None),
        (build_steps.files_copied, "ADD a /b", "COPY a /b"),
        (
            build_steps.without_package_lists,
            "RUN a && b",
            "RUN a && b \\\n    && rm -rf /var/lib/apt/lists/*",
        ),
        (
            build_steps.without_package_lists,
            "RUN a \\\n  && b",
            "RUN a \\\n  && b \\\n  && rm -rf /var/lib/apt/lists/*",
        ),
        (build_steps.without_package_lists, 'RUN ["a"]', None),
        (build_steps.without_package_lists, "RUN <<EOF\na\nEOF", None),
        (build_steps.without_package_lists, "RUN a # b", None),
        (
            build_steps.without_package_cache,
            "RUN yum install -y a",
            "RUN yum install -y a \\\n    && yum clean all",
        ),
        (build_steps.without_package_cache, "RUN make", None),
        (
            build_steps.without_apk_cache,
            "RUN apk -q add a && apk add b",
            "RUN apk -q add --no-cache a && apk add --no-cache b",
        ),
        (
            build_steps.without_pip_cache,
            "RUN python -m pip install a",
            "RUN python -m pip install --no-cache-dir a",
        ),
        (build_steps.without_pip_cache, "RUN pip download a", None),
        (build_steps.without_instruction, "CMD a", ""),
    ],
)
def test_instruction_is_changed_or_left_alone(
    steps: Steps, instruction: str, expected: str | None
) -> None:
    new = made(steps, "dockerfile", f"FROM a:1\n{instruction}\nRUN end\n", instruction)
    written = f"{expected}\n" if expected else ""
    assert new == (None if expected is None else f"FROM a:1\n{written}RUN end\n")
