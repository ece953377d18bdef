"""``mergegate replay`` and ``mergegate verify``: a verdict that was given, held to its grounds."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mergegate.core.render.wording import whole
from mergegate.core.score import FailOn
from mergegate.core.severity import Aspect
from mergegate.repo.report.formats import FORMATS
from mergegate.terminal.exits import FAILED, INCOMPLETE, code_of
from mergegate.terminal.output import complain, outputs, report_options, write_all
from mergegate.terminal.parts import parts_of


@click.command(epilog="Exit codes: as of `mergegate scan`; 3 when the report came out otherwise.")
@click.argument("file", type=click.Path(path_type=Path))
@report_options(FORMATS)
@click.option(
    "--fail-on",
    type=click.Choice([one.value for one in FailOn]),
    help="Ask for another verdict than the bundle's run did.",
)
def replay(file: Path, formats: Sequence[str], output: Path | None, fail_on: str | None) -> None:
    """Draw the report of the bundle FILE again, without engines; tell what differs.

    \b
    Examples:
      mergegate scan --format bundle=mergegate.bundle.json
      mergegate replay mergegate.bundle.json
    """
    from mergegate.repo.bundle import replay as drawn_again  # noqa: PLC0415 - it loads all checks
    from mergegate.site.deployment.reading import read_section  # noqa: PLC0415

    wanted = outputs(formats, output, FORMATS)
    drawn = drawn_again(file, read_section, FailOn(fail_on) if fail_on else None)
    write_all(drawn.report, wanted, FORMATS)
    if drawn.differences:
        complain(drawn.differences)
        sys.exit(INCOMPLETE)
    sys.exit(code_of(whole(drawn.report).gate))


@click.command(epilog="Exit codes: 0 it holds, 1 it does not, 2 usage or bad input.")
@click.argument("attestation", type=click.Path(path_type=Path))
@click.option("--commit", required=True, help="The commit that is to be deployed, in full.")
@click.option(
    "--only",
    metavar="PARTS",
    help="The parts of the scan that have to have been made, where not all are wanted.",
)
@click.option(
    "--policy-digest", metavar="SHA256", help="The policy that has to have been in force."
)
@click.option(
    "--bundle",
    "bundle_file",
    type=click.Path(path_type=Path),
    help="The bundle that the verdict rests on: it is replayed.",
)
def verify(
    attestation: Path,
    commit: str,
    only: str | None,
    policy_digest: str | None,
    bundle_file: Path | None,
) -> None:
    """Tell whether ATTESTATION says that COMMIT passed, and rests on what you hold.

    Who signed it is for the forge's own tool to tell: run `gh attestation verify` or `cosign
    verify-blob-attestation` first.

    \b
    Examples:
      mergegate verify mergegate.intoto.json --commit "$(git rev-parse HEAD)"
      mergegate verify mergegate.intoto.json --commit "$SHA" --bundle mergegate.bundle.json
      mergegate verify mergegate.intoto.json --commit "$SHA" --only code,secrets
    """
    doubts = [
        *_doubts(attestation, commit, parts_of(only), policy_digest),
        *_unfounded(attestation, bundle_file),
    ]
    complain(doubts)
    if doubts:
        sys.exit(FAILED)
    click.echo(f"{commit} passed.")


_GROUNDS = {
    "commits": "another commit",
    "passed": "another verdict",
    "levels": "other gates that passed",
    "parts": "other parts that were scanned",
    "policy": "another policy",
}
"""Parts of a statement that a bundle tells as well."""


def _doubts(
    attestation: Path, commit: str, parts: frozenset[Aspect], policy: str | None
) -> Iterator[str]:
    from mergegate.repo.attestation import read  # noqa: PLC0415 - it loads all checks

    said = read(attestation)
    if commit not in said.commits:
        yield f"it is not about {commit}"
    if not said.passed:
        yield "the verdict is not that it passed"
    if parts - said.parts:
        named = ",".join(sorted(said.parts))
        yield f"only a part was scanned: `--only {named}` asks for no more"
    if policy is not None and policy != said.policy:
        yield f"the policy in force was {said.policy}"


def _unfounded(attestation: Path, bundle: Path | None) -> Iterator[str]:
    if bundle is None:
        return
    from mergegate.repo.attestation import of, read  # noqa: PLC0415
    from mergegate.repo.bundle import replay as drawn_again  # noqa: PLC0415
    from mergegate.site.deployment.reading import read_section  # noqa: PLC0415

    drawn = drawn_again(bundle, read_section)
    said, grounds = read(attestation), of(drawn.report)
    if hashlib.sha256(bundle.read_bytes()).hexdigest() not in said.bundles:
        yield f"it rests on another bundle than {bundle}"
    for field, what in _GROUNDS.items():
        if getattr(said, field) != getattr(grounds, field):
            yield f"the bundle tells of {what}"
    yield from drawn.differences
