resource "aws_iam_policy" "a" {
  policy = jsonencode({
    Statement = [
      # ruleid: terraform-iam-policy-allows-everything
      { Effect = "Allow", Action = "*", Resource = "*" },
      # ok: terraform-iam-policy-allows-everything
      { Effect = "Deny", Action = "*", Resource = "*" },
      # ok: terraform-iam-policy-allows-everything
      { Effect = "Allow", Action = ["s3:*"], Resource = "*" },
      # ok: terraform-iam-policy-allows-everything
      { Effect = "Allow", Action = "*", Resource = "arn:aws:s3:::example" },
    ]
  })
}

data "aws_iam_policy_document" "b" {
  # ruleid: terraform-iam-policy-allows-everything
  statement {
    actions   = ["*"]
    resources = ["*"]
  }
  # ok: terraform-iam-policy-allows-everything
  statement {
    effect    = "Deny"
    actions   = ["*"]
    resources = ["*"]
  }
  # ok: terraform-iam-policy-allows-everything
  statement {
    actions   = ["s3:GetObject"]
    resources = ["*"]
  }
}

resource "aws_iam_role_policy" "c" {
  policy = <<EOF
{
  "Statement": [
    # ruleid: terraform-iam-policy-allows-everything
    {"Effect": "Allow", "Action": "*", "Resource": "*"}
  ]
}
EOF
}
