"""Access policies and audit logs of CloudFormation templates: rights that are too wide."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, listed
from mergegate.repo.checks.infrastructure.cloudformation import (
    Resource,
    is_off,
    resources,
    statements,
)
from mergegate.repo.facts.documents import Documents, Node


@check("iac-cloudformation-iam-wildcard", Severity.HIGH, "CWE-269")
def iam_wildcard(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A policy allows every action on every resource: its holder is administrator.

    Title: Policy allows everything

    Medium: for all actions of IAM, which lead to the same

    Remedy: List the actions and resources that are used.

    Reference: https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html
    """
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
                    wrong = f"{resource.name} allows {what} on every resource"
                    severity = Severity.HIGH if every else Severity.MEDIUM
                    yield resource.told(rule, statement.node["Action"], wrong, severity)


def _identity_policies(resource: Resource) -> Iterator[Node]:
    kind = resource.node["Type"].text
    if kind in {"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"}:
        yield resource.properties["PolicyDocument"]
    elif kind in {"AWS::IAM::Role", "AWS::IAM::User", "AWS::IAM::Group"}:
        for policy in resource.properties["Policies"].items:
            yield policy["PolicyDocument"]
    elif kind == "AWS::Serverless::Function":
        yield from resource.properties["Policies"].each


@check("iac-cloudformation-administrator-policy", Severity.MEDIUM, "CWE-269")
def administrator_policy(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A role, user, group or function is given AdministratorAccess or IAMFullAccess.

    Title: Administrator policy attached

    Remedy: Attach policies with the rights that are used.

    Reference: https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html
    """
    for resource in resources(documents):
        given = [*resource.properties["ManagedPolicyArns"].items, *_sam_policies(resource)]
        for policy in given:
            name = policy.text.rpartition("/")[2]
            if name in {"AdministratorAccess", "IAMFullAccess"}:
                yield resource.told(rule, policy, f"{resource.name} is given {name}")
                break


def _sam_policies(resource: Resource) -> tuple[Node, ...]:
    serverless = resource.node["Type"].text == "AWS::Serverless::Function"
    return resource.properties["Policies"].each if serverless else ()


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


@check("iac-cloudformation-public-policy", Severity.HIGH, "CWE-284")
def public_policy(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A policy of a bucket, queue, topic, key, secret or domain allows everyone, unconditionally.

    Search domains inside a VPC are left alone.

    Title: Resource policy open to everyone

    Medium: where a bucket policy only allows reading objects, as for a website

    Remedy: Name the accounts or services in Principal, or add a Condition.

    Reference: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    """
    for resource in resources(documents, *_POLICIES):
        policy = resource.properties[_POLICIES[resource.node["Type"].text]]
        if resource.properties["VPCOptions"].present:
            continue
        for statement in statements(policy):
            if statement.allows and statement.is_for_anyone:
                reads = statement.actions <= {"s3:getobject", "s3:getobjectversion"}
                wrong = (
                    f"The policy of {resource.name} allows everyone "
                    f"{listed(sorted(statement.actions))}"
                )
                severity = Severity.MEDIUM if reads else Severity.HIGH
                yield resource.told(rule, statement.node["Principal"], wrong, severity)


@check("iac-cloudformation-imdsv1", Severity.MEDIUM, "CWE-918")
def imdsv1(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """Instances answer metadata requests without a token (IMDSv1).

    One forged request from a web application then returns the role's credentials.

    Title: Instance metadata without session tokens

    Low: where the launch template says nothing

    Remedy: Set `HttpTokens: required` in MetadataOptions.

    Reference: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
    """
    for template in resources(documents, "AWS::EC2::LaunchTemplate"):
        options = template.properties.at("LaunchTemplateData", "MetadataOptions")
        tokens = options["HttpTokens"]
        asked = tokens.text == "optional"
        if (asked or not tokens.present) and options["HttpEndpoint"].text != "disabled":
            wrong = (
                f"Instances of {template.name} give their role's credentials to unsigned requests"
            )
            severity = Severity.MEDIUM if asked else Severity.LOW
            yield template.told(rule, tokens, wrong, severity)


@check("iac-cloudformation-audit-log-weak", Severity.MEDIUM, "CWE-778")
def audit_log_weak(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """CloudTrail is turned off, or its log files are not validated.

    Title: Audit log turned off or unprotected

    Low: where log files are only not validated

    Remedy: Set IsLogging, IsMultiRegionTrail and EnableLogFileValidation to true.

    Reference: https://docs.aws.amazon.com/awscloudtrail/latest/userguide/best-practices-security.html
    """
    for trail in resources(documents, "AWS::CloudTrail::Trail"):
        logging = trail.properties["IsLogging"]
        validation = trail.properties["EnableLogFileValidation"]
        if logging.is_false:
            wrong = f"{trail.name} records nothing"
            yield trail.told(rule, logging, wrong)
        elif is_off(validation):
            wrong = f"Changed or deleted log files of {trail.name} go unnoticed"
            yield trail.told(rule, validation, wrong, Severity.LOW)
