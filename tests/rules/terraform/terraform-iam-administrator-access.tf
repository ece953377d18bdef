resource "aws_iam_role_policy_attachment" "a" {
  role = aws_iam_role.ci.name
  # ruleid: terraform-iam-administrator-access
  policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"
}

resource "aws_iam_user_policy_attachment" "b" {
  user = aws_iam_user.ci.name
  # ruleid: terraform-iam-administrator-access
  policy_arn = "arn:aws:iam::aws:policy/IAMFullAccess"
}

resource "aws_iam_role_policy_attachment" "c" {
  role = aws_iam_role.ci.name
  # ok: terraform-iam-administrator-access
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

resource "aws_iam_role_policy_attachment" "d" {
  role = aws_iam_role.ci.name
  # ok: terraform-iam-administrator-access
  policy_arn = aws_iam_policy.deploy.arn
}
