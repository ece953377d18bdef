"""The command: looks, predicts, prints, and on request writes the corrected files."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from mergegate.core.errors import TargetError, UsageError
from mergegate.doctor.files import Checkout
from mergegate.doctor.machine import Sign, install, signs
from mergegate.doctor.predict import KINDS, corrected, predict
from mergegate.doctor.predict.prediction import Outcome, Scene
from mergegate.doctor.predict.settings import LARGEST_BYTES, Settings, parse_settings
from mergegate.doctor.printing import Shown, as_json, predictions_list, show
from mergegate.repo.policy import tree_policy
from mergegate.repo.policy_file import read_policy
from mergegate.repo.settings import MODEL_PROVIDER, POLICY_FILE, ModelPolicy, folders
from mergegate.repo.toolbox import advisories_status, engine_versions
from mergegate.sandbox.files.stage import read_regular
from mergegate.terminal.exits import FAILED, INCOMPLETE, PASSED
from mergegate.terminal.listing import FORMAT


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(predictions_list(KINDS.values()), nl=False)
        context.exit()


@click.command(
    epilog="Exit codes: 0 all is well, 1 something in CI will break, 2 usage, 3 a scan here would "
    "be incomplete."
)
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    help="JSON as the platform's API answers: branch protection, rulesets, project, variables.",
)
@click.option("--fix-ci", is_flag=True, help="Write the corrected CI files.")
@click.option("--fix", is_flag=True, help="Install what the site tools lack here.")
@FORMAT
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list,
    help="List everything that is predicted, in Markdown.",
)  # fmt: skip
def doctor(path: Path, settings_file: Path | None, fix_ci: bool, fix: bool, style: str) -> None:
    """Check this machine, then predict what will go wrong in the CI of the repository at PATH.

    Reads the GitHub workflows, GitLab pipeline and Bitbucket pipelines that run Mergegate, and
    prints them corrected. Nothing is written without --fix-ci, nothing installed without --fix.

    \b
    Examples:
      mergegate doctor
      gh api repos/OWNER/NAME/branches/main/protection > settings.json
      mergegate doctor --settings settings.json
      mergegate doctor --fix-ci
      mergegate doctor --fix
    """
    if not path.is_dir():
        raise TargetError(f"{path} is not a folder", remedy="Give the path of a repository.")
    checkout = Checkout.at(path)
    policy = read_policy(tree_policy(path / POLICY_FILE) or b"").policy
    scene = Scene(
        files=checkout.ci_files(),
        settings=_settings(settings_file),
        branch=checkout.branch,
        provider=checkout.provider,
        commits_fixes=policy.fixes.commits == "allow",
        proposes_upgrades=policy.fixes.upgrades == "allow",
    )
    if fix:
        install(lambda told: click.echo(told, err=True))
    shown = _examined(scene, checkout, policy.model, fix_ci=fix_ci)
    if style == "json":
        click.echo(json.dumps(as_json(shown), indent=2))
    else:
        show(shown)
    sys.exit(_code(shown))


def _examined(scene: Scene, checkout: Checkout, model: ModelPolicy, *, fix_ci: bool) -> Shown:
    looked = (*signs(engine_versions(), advisories_status), *_model(model))
    changes = corrected(scene)
    if fix_ci and changes:
        checkout.write(changes, scene.files)
        scene = replace(scene, files={**scene.files, **changes})
        return Shown(looked, scene, predict(scene), {}, written=tuple(sorted(changes)))
    return Shown(looked, scene, predict(scene), changes)


def _model(wish: ModelPolicy) -> tuple[Sign, ...]:
    """What the policy and the environment want of a language model."""
    if not wish.provider and MODEL_PROVIDER not in os.environ:
        return ()
    from mergegate.doctor.model import model_signs  # noqa: PLC0415 - few have one

    return model_signs(wish, os.environ, folders().models)


def _settings(file: Path | None) -> Settings:
    if file is None:
        return Settings()
    try:
        content = read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error
    return parse_settings(content, str(file))


def _code(shown: Shown) -> int:
    if any(sign.alarming for sign in shown.signs):
        return INCOMPLETE
    broken = any(one.outcome is Outcome.BREAKS for one in shown.predictions)
    return FAILED if broken else PASSED
