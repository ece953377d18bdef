"""Who may do what, by the policies of CloudFormation templates, and whether it is recorded."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.cloudformation_resources import (
    Resource,
    is_off,
    resources,
    statements,
)
from mergegate.repo.checks.infrastructure.reading import ELSEWHERE, DocumentRule, listed
from mergegate.repo.facts.documents import Documents, Node

_IAM = "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html"

_WILDCARD = DocumentRule(
    id="iac-cloudformation-iam-wildcard",
    title="Policy allows everything",
    severity=Severity.HIGH,
    milder={**ELSEWHERE, Severity.MEDIUM: "for all actions of IAM, which lead to the same"},
    remedy="List the actions and resources that are used.",
    cwe=("CWE-269",),
    references=(_IAM,),
)


@check(_WILDCARD)
def iam_wildcard(documents: Documents) -> Iterator[Finding]:
    """A policy allows every action on every resource: its holder is administrator."""
    for resource in resources(documents):
        for policy in _identity_policies(resource):
            for statement in statements(policy):
                every = bool(statement.actions & {"*", "*:*"})
                if (
                    statement.allows
                    and statement.is_on_everything
                    and (every or "iam:*" in statement.actions)
                ):
                    what = "every action" if every else "every action of IAM"
                    yield _WILDCARD.broken(
                        resource.file,
                        statement.node["Action"].line,
                        f"{resource.name} allows {what} on every resource",
                        Severity.HIGH if every else Severity.MEDIUM,
                    )


def _identity_policies(resource: Resource) -> Iterator[Node]:
    kind = resource.node["Type"].text
    if kind in {"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"}:
        yield resource.properties["PolicyDocument"]
    elif kind in {"AWS::IAM::Role", "AWS::IAM::User", "AWS::IAM::Group"}:
        for policy in resource.properties["Policies"].items:
            yield policy["PolicyDocument"]
    elif kind == "AWS::Serverless::Function":
        yield from resource.properties["Policies"].each


_TRUST = DocumentRule(
    id="iac-cloudformation-role-for-anyone",
    title="Role that every AWS account may assume",
    severity=Severity.CRITICAL,
    remedy="Name the account, service or federation in Principal, and add a Condition.",
    cwe=("CWE-284",),
    references=(
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html",
    ),
)


@check(_TRUST)
def role_for_anyone(documents: Documents) -> Iterator[Finding]:
    """A role's trust policy lets anyone with an AWS account assume it, unconditionally."""
    for role in resources(documents, "AWS::IAM::Role"):
        for statement in statements(role.properties["AssumeRolePolicyDocument"]):
            if statement.allows and statement.is_for_anyone:
                yield _TRUST.broken(
                    role.file,
                    statement.node["Principal"].line,
                    f"Anyone with an AWS account can assume {role.name} and all its rights",
                )


_ADMINISTRATOR = DocumentRule(
    id="iac-cloudformation-administrator-policy",
    title="Administrator policy attached",
    severity=Severity.MEDIUM,
    remedy="Attach policies with the rights that are used.",
    cwe=("CWE-269",),
    references=(_IAM,),
)


@check(_ADMINISTRATOR)
def administrator_policy(documents: Documents) -> Iterator[Finding]:
    """A role, user, group or function is given AdministratorAccess or IAMFullAccess."""
    for resource in resources(documents):
        given = [*resource.properties["ManagedPolicyArns"].items, *_sam_policies(resource)]
        for policy in given:
            name = policy.text.rpartition("/")[2]
            if name in {"AdministratorAccess", "IAMFullAccess"}:
                yield _ADMINISTRATOR.broken(
                    resource.file, policy.line, f"{resource.name} is given {name}"
                )
                break


def _sam_policies(resource: Resource) -> tuple[Node, ...]:
    serverless = resource.node["Type"].text == "AWS::Serverless::Function"
    return resource.properties["Policies"].each if serverless else ()


_OPEN_POLICY = DocumentRule(
    id="iac-cloudformation-public-policy",
    title="Resource policy open to everyone",
    severity=Severity.HIGH,
    milder={
        **ELSEWHERE,
        Severity.MEDIUM: "where a bucket policy only allows reading objects, as for a website",
    },
    remedy="Name the accounts or services in Principal, or add a Condition.",
    cwe=("CWE-284",),
    references=(
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html",
    ),
)
_POLICIES = {
    "AWS::S3::BucketPolicy": "PolicyDocument",
    "AWS::SQS::QueuePolicy": "PolicyDocument",
    "AWS::SNS::TopicPolicy": "PolicyDocument",
    "AWS::KMS::Key": "KeyPolicy",
    "AWS::SecretsManager::ResourcePolicy": "ResourcePolicy",
    "AWS::ECR::Repository": "RepositoryPolicyText",
    "AWS::Elasticsearch::Domain": "AccessPolicies",
    "AWS::OpenSearchService::Domain": "AccessPolicies",
    "AWS::EFS::FileSystem": "FileSystemPolicy",
}


@check(_OPEN_POLICY)
def public_policy(documents: Documents) -> Iterator[Finding]:
    """A policy of a bucket, queue, topic, key, secret or domain allows everyone, unconditionally.

    Search domains inside a VPC are left alone.
    """
    for resource in resources(documents, *_POLICIES):
        policy = resource.properties[_POLICIES[resource.node["Type"].text]]
        if resource.properties["VPCOptions"].present:
            continue
        for statement in statements(policy):
            if statement.allows and statement.is_for_anyone:
                reads = statement.actions <= {"s3:getobject", "s3:getobjectversion"}
                yield _OPEN_POLICY.broken(
                    resource.file,
                    statement.node["Principal"].line,
                    f"The policy of {resource.name} allows everyone "
                    f"{listed(sorted(statement.actions))}",
                    Severity.MEDIUM if reads else Severity.HIGH,
                )


_INVOKE = DocumentRule(
    id="iac-cloudformation-lambda-invoke-open",
    title="Function that everyone may invoke",
    severity=Severity.HIGH,
    remedy="Name the account or service in Principal, with SourceArn or SourceAccount.",
    cwe=("CWE-284",),
    references=("https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html",),
)


@check(_INVOKE)
def lambda_invoke_open(documents: Documents) -> Iterator[Finding]:
    """A permission lets every AWS account invoke a function.

    Those that belong to a function address are that check's business.
    """
    limits = ("SourceArn", "SourceAccount", "PrincipalOrgID", "FunctionUrlAuthType")
    for permission in resources(documents, "AWS::Lambda::Permission"):
        principal = permission.properties["Principal"]
        limited = any(permission.properties[limit].present for limit in limits)
        if principal.is_literal and principal.text == "*" and not limited:
            yield _INVOKE.broken(
                permission.file,
                principal.line,
                f"{permission.name} lets every AWS account invoke the function",
            )


_METADATA = DocumentRule(
    id="iac-cloudformation-imdsv1",
    title="Instance metadata without session tokens",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "where the launch template says nothing"},
    remedy="Set `HttpTokens: required` in MetadataOptions.",
    cwe=("CWE-918",),
    references=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html",
    ),
)


@check(_METADATA)
def imdsv1(documents: Documents) -> Iterator[Finding]:
    """Instances answer metadata requests without a token (IMDSv1).

    One forged request from a web application then returns the role's credentials.
    """
    for template in resources(documents, "AWS::EC2::LaunchTemplate"):
        options = template.properties.at("LaunchTemplateData", "MetadataOptions")
        tokens = options["HttpTokens"]
        asked = tokens.text == "optional"
        if (asked or not tokens.present) and options["HttpEndpoint"].text != "disabled":
            yield _METADATA.broken(
                template.file,
                tokens.line or template.line,
                f"Instances of {template.name} give their role's credentials to unsigned requests",
                Severity.MEDIUM if asked else Severity.LOW,
            )


_TRAIL = DocumentRule(
    id="iac-cloudformation-audit-log-weak",
    title="Audit log turned off or unprotected",
    severity=Severity.MEDIUM,
    milder={**ELSEWHERE, Severity.LOW: "where log files are only not validated"},
    remedy="Set IsLogging, IsMultiRegionTrail and EnableLogFileValidation to true.",
    cwe=("CWE-778",),
    references=(
        "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/best-practices-security.html",
    ),
)


@check(_TRAIL)
def audit_log_weak(documents: Documents) -> Iterator[Finding]:
    """CloudTrail is turned off, or its log files are not validated."""
    for trail in resources(documents, "AWS::CloudTrail::Trail"):
        logging = trail.properties["IsLogging"]
        if logging.is_false:
            wrong = f"{trail.name} records nothing"
            yield _TRAIL.broken(trail.file, logging.line, wrong)
        elif is_off(trail.properties["EnableLogFileValidation"]):
            line = trail.line_of("EnableLogFileValidation")
            wrong = f"Changed or deleted log files of {trail.name} go unnoticed"
            yield _TRAIL.broken(trail.file, line, wrong, Severity.LOW)
