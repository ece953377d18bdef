resource "aws_instance" "a" {
  metadata_options {
    # ruleid: terraform-imdsv1-allowed
    http_tokens = "required"
  }
}

resource "aws_launch_template" "b" {
  metadata_options {
    http_endpoint = "enabled"
    # ruleid: terraform-imdsv1-allowed
    http_tokens = "required"
  }
}

resource "aws_instance" "c" {
  metadata_options {
    # ok: terraform-imdsv1-allowed
    http_tokens = "required"
  }
}

resource "aws_instance" "d" {
  metadata_options {
    # ok: terraform-imdsv1-allowed
    http_tokens = var.tokens
  }
}
