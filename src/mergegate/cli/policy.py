"""``mergegate policy``: the schema of `.mergegate.yml`, and whether a file keeps to it."""

import json
from pathlib import Path

import click

from mergegate.repo.policy import policy_from
from mergegate.repo.settings import POLICY_FILE, Policy


@click.command()
@click.argument("file", default=POLICY_FILE, type=click.Path(path_type=Path))
@click.option("--schema", is_flag=True, help="Print the JSON Schema instead.")
def policy(file: Path, schema: bool) -> None:
    """Check the policy in FILE, or print the schema of policies.

    \b
    Examples:
      mergegate policy
      mergegate policy --schema > mergegate-policy.schema.json
    """
    if schema:
        click.echo(json.dumps(Policy.model_json_schema(by_alias=True), indent=2))
        return
    found = policy_from(file)
    click.echo(f"{file} is valid: {len(found.suppressions)} suppressions.")
