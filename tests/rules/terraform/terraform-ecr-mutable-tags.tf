resource "aws_ecr_repository" "a" {
  name = "a"
  # ruleid: terraform-ecr-mutable-tags
  image_tag_mutability = "MUTABLE"
}

resource "aws_ecr_repository" "b" {
  # ruleid: terraform-ecr-mutable-tags
  image_tag_mutability = "MUTABLE"
  name                 = "b"
}

resource "aws_ecr_repository" "c" {
  # ok: terraform-ecr-mutable-tags
  image_tag_mutability = "IMMUTABLE"
}

resource "aws_ecr_repository" "d" {
  # ok: terraform-ecr-mutable-tags
  image_tag_mutability = var.mutability
}
