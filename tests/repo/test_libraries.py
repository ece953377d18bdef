"""What is wrong with certain libraries alone is unsure where nothing in the tree names one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mergegate

RULE = "javascript-nosql-injection"
ROUTES = """\
router.delete('/items', async (req, res) => {
  await new ItemsService(schema).deleteMany(req.body);
});
"""


def put(repo: Path, path: str, content: str | dict[str, Any]) -> None:
    file = repo / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))


def told(mergegate: Mergegate, repo: Path) -> str:
    run = mergegate("scan", repo, "--offline", "--format", "json", "--only", "code")
    (found,) = [one for one in run.json["issues"] if one["ruleId"] == RULE]
    return f"{found['severity']}/{found['confidence']}"


def test_without_a_library_that_it_is_true_of_it_is_unsure_and_never_silent(
    mergegate: Mergegate, repo: Path
) -> None:
    put(repo, "api/routes.js", ROUTES)
    put(repo, "package.json", {"dependencies": {"express": "5.0.0", "knex": "3.1.0"}})
    assert told(mergegate, repo) == "medium/low"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("package.json", {"dependencies": {"mongodb": "6.0.0"}}),
        ("packages/data/package.json", {"dependencies": {"mongoose": "8.0.0"}}),
        ("packages/data/package.json", {"dependencies": {"@nestjs/mongoose": "10.0.0"}}),
        ("packages/data/package.json", {"dependencies": {"driver": "npm:mongodb@6.0.0"}}),
        ("packages/data/package.json", {"peerDependencies": {"typeorm": "*"}}),
        ("yarn.lock", '\nmongodb@^6.0.0:\n  version "6.0.0"\n'),
        ("package-lock.json", {"packages": {"node_modules/a/node_modules/mongodb": {}}}),
        ("pnpm-lock.yaml", "packages:\n  '@typegoose/typegoose@12.0.0':\n    resolution: {}\n"),
        ("data/client.ts", "import { MongoClient } from 'mongodb';\n"),
        ("data/client.js", "const { Client } = await import('npm:mongodb@6');\n"),
        ("data/client.js", 'const data = require(\n  "@prisma/client/edge",\n);\n'),
        ("data/client.js", "connect('mongodb+srv://data.example.org/shop');\n"),
        ("data/store.js", "export const users = app.locals.db.collection('users');\n"),
        ("data/page.vue", "<script>\nimport Store from 'nedb';\n</script>\n"),
    ],
)
def test_wherever_the_tree_names_one_it_counts_in_full(
    mergegate: Mergegate, repo: Path, path: str, content: str | dict[str, Any]
) -> None:
    put(repo, "api/routes.js", ROUTES)
    put(repo, "package.json", {"dependencies": {"express": "5.0.0"}})
    put(repo, path, content)
    assert told(mergegate, repo) == "high/medium"


def test_where_nothing_says_what_is_installed_it_counts_in_full(
    mergegate: Mergegate, repo: Path
) -> None:
    put(repo, "api/routes.js", ROUTES)
    put(repo, "web/package.json", {"dependencies": {"vue": "3.0.0"}})
    assert told(mergegate, repo) == "high/medium"


def test_where_a_manifest_was_not_read_it_counts_in_full(mergegate: Mergegate, repo: Path) -> None:
    put(repo, "api/routes.js", ROUTES)
    put(repo, "package.json", {"dependencies": {"express": "5.0.0"}})
    put(repo, ".mergegate.yml", "paths:\n  exclude: [packages/**]\n")
    put(repo, "packages/data/package.json", {"dependencies": {"mongodb": "6.0.0"}})
    assert told(mergegate, repo) == "high/medium"


def test_what_only_watches_a_library_shows_no_use_of_it(mergegate: Mergegate, repo: Path) -> None:
    put(repo, "api/routes.js", ROUTES)
    put(repo, "package.json", {"dependencies": {"express": "5.0.0"}})
    watching = '"@opentelemetry/instrumentation-mongodb@0.52.0":\n  version "0.52.0"\n'
    put(repo, "yarn.lock", f'{watching}"@prisma/instrumentation@6.8.2":\n  version "6.8.2"\n')
    assert told(mergegate, repo) == "medium/low"
