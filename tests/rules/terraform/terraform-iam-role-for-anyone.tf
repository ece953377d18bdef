resource "aws_iam_role" "a" {
  assume_role_policy = jsonencode({
    Statement = [
      # ruleid: terraform-iam-role-for-anyone
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" } },
      # ruleid: terraform-iam-role-for-anyone
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = "*" },
      # ok: terraform-iam-role-for-anyone
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } },
      # ok: terraform-iam-role-for-anyone
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = "*", Condition = { StringEquals = { "aws:PrincipalOrgID" = "o-example" } } },
      # ok: terraform-iam-role-for-anyone
      { Effect = "Deny", Action = "sts:AssumeRole", Principal = "*" },
    ]
  })
}
