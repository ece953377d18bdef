"""The commands on a host's database, in this process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from mergegate.cli.main import main


@dataclass(frozen=True)
class Host:
    """A host whose data lies in ``folder``."""

    folder: Path

    def run(
        self, *arguments: str, stdin: str = "", env: Mapping[str, str | None] = {}
    ) -> tuple[str, str]:
        """Standard output and standard error; raises what the command raises."""
        own = {"MERGEGATE_DATA_DIR": str(self.folder), "MERGEGATE_DATABASE_URL": None}
        done = CliRunner().invoke(
            main,
            arguments,
            input=stdin,
            env={**own, **env},
            catch_exceptions=False,
            standalone_mode=False,
        )
        assert done.exit_code == 0, done.output
        return done.stdout, done.stderr
