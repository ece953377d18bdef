"""Forges, package registries, pipelines and tools of developers."""

from mergegate.core.severity import Confidence
from mergegate.secrets import checksums
from mergegate.secrets.detector import Shape, token

MEDIUM = Confidence.MEDIUM

DETECTORS = (
    token(
        "artifactory-token",
        "Artifactory API key",
        "Artifactory",
        Shape(
            "AKC",
            "AKC[a-zA-Z0-9]{60,80}",
            MEDIUM,
            hit="AKCp8<alnum:68>",
            near_miss="AKCp8<alnum:40>",
        ),
        lookalike=True,
    ),
    token(
        "atlassian-token",
        "Atlassian API token",
        "Atlassian",
        Shape(
            "ATATT3 ATCTT3",
            "AT[AC]TT3[A-Za-z0-9_=-]{60,250}",
            hit="ATATT3<alnum:180>=<hex:8>",
            near_miss="ATATT3<alnum:30>",
        ),
    ),
    token(
        "azure-devops-token",
        "Azure DevOps token",
        "Azure DevOps",
        Shape(
            "~AZDO",
            "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
            hit="<alnum:76>AZDO<alnum:4>",
            near_miss="<alnum:40>AZDO<alnum:4>",
        ),
    ),
    token(
        "bitbucket-app-password",
        "Bitbucket app password",
        "Bitbucket",
        Shape(
            "ATBB",
            "ATBB[A-Za-z0-9]{24}[A-F0-9]{8}",
            hit="ATBB<alnum:24><HEX:8>",
            near_miss="ATBB<alnum:24><lower:8>",
        ),
    ),
    token(
        "buildkite-token",
        "Buildkite token",
        "Buildkite",
        Shape("bkua_", "bkua_[a-f0-9]{40}", hit="bkua_<hex:40>", near_miss="bkua_<hex:20>"),
    ),
    token(
        "circleci-token",
        "CircleCI token",
        "CircleCI",
        Shape(
            "CCIPAT_",
            "CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}",
            hit="CCIPAT_<alnum:22>_<hex:40>",
            near_miss="CCIPAT_<alnum:22>_<hex:20>",
        ),
    ),
    token(
        "crates-token",
        "crates registry token",
        "the crate registry",
        Shape(
            "cio[A-Za-z0-9]{32}",
            "cio[A-Za-z0-9]{32}",
            MEDIUM,
            hit="cio<alnum:32>",
            near_miss="cio<alnum:40>",
        ),
        lookalike=True,
    ),
    token(
        "docker-token",
        "Docker access token",
        "Docker",
        Shape(
            "dckr_pat_ dckr_oat_",
            "dckr_[po]at_[A-Za-z0-9_-]{27,32}",
            hit="dckr_pat_<alnum:27>",
            near_miss="dckr_pat_<alnum:12>",
        ),
    ),
    token(
        "figma-token",
        "Figma token",
        "Figma",
        Shape("figd_", r"figd_[\w-]{38,44}", hit="figd_<alnum:40>", near_miss="figd_<alnum:20>"),
    ),
    token(
        "github-token",
        "GitHub token",
        "GitHub",
        Shape(
            "ghp_ gho_ ghu_ ghs_ ghr_",
            plugin="GitHubTokenDetector",
            proof=checksums.has_base62_crc32,
            unproven=MEDIUM,
            hit="ghp_<alnum:30><crc62>",
            near_miss="ghp_<x:36>",
        ),
        Shape(
            "github_pat_",
            "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
            hit="github_pat_<alnum:22>_<alnum:59>",
            near_miss="github_pat_<alnum:22>_<alnum:30>",
        ),
    ),
    token(
        "gitlab-token",
        "GitLab token",
        "GitLab",
        Shape(
            "glpat- gldt- glft- glsoat- glrt- GR1348941 glcbt- glimt- glptt- glagent- gloas-",
            plugin="GitLabTokenDetector",
            hit="glpat-<alnum:20>",
            near_miss="glpat-<1:20>",
        ),
    ),
    token(
        "linear-key",
        "Linear API key",
        "Linear",
        Shape(
            "lin_api_",
            "lin_api_[A-Za-z0-9]{40}",
            hit="lin_api_<alnum:40>",
            near_miss="lin_api_<alnum:20>",
        ),
    ),
    token(
        "npm-token",
        "npm access token",
        "npm",
        Shape(
            "npm_",
            "npm_[A-Za-z0-9]{36}",
            proof=checksums.has_base62_crc32,
            unproven=MEDIUM,
            hit="npm_<alnum:30><crc62>",
            near_miss="npm_package_config_some_value_that_is_long_name",
        ),
    ),
    token(
        "nuget-key",
        "NuGet API key",
        "NuGet",
        Shape(
            "oy2[a-z0-9]{20}",
            "oy2[a-z0-9]{43}",
            MEDIUM,
            hit="oy2<base36:43>",
            near_miss="oy2<base36:30>",
        ),
        lookalike=True,
    ),
    token(
        "postman-key",
        "Postman API key",
        "Postman",
        Shape(
            "PMAK-",
            "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
            hit="PMAK-<hex:24>-<hex:34>",
            near_miss="PMAK-<hex:24>-<hex:10>",
        ),
    ),
    token(
        "pypi-token",
        "PyPI token",
        "PyPI",
        Shape(
            "pypi-AgE",
            plugin="PypiTokenDetector",
            proof=checksums.is_pypi_macaroon,
            hit="pypi-AgEIcHlwaS5vcmc<alnum:140>",
            near_miss="pypi-AgEIcHlwaS5vcmc<alnum:40>",
        ),
    ),
    token(
        "readme-key",
        "ReadMe API key",
        "ReadMe",
        Shape("rdme_", "rdme_[a-z0-9]{70}", hit="rdme_<base36:70>", near_miss="rdme_<base36:30>"),
    ),
    token(
        "rubygems-key",
        "RubyGems API key",
        "RubyGems",
        Shape(
            "rubygems_",
            "rubygems_[a-f0-9]{48}",
            hit="rubygems_<hex:48>",
            near_miss="rubygems_<hex:20>",
        ),
    ),
)
