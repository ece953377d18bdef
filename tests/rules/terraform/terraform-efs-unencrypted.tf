# ruleid: terraform-efs-unencrypted
resource "aws_efs_file_system" "silent" {
  creation_token = "example"
}

resource "aws_efs_file_system" "off" {
  # ruleid: terraform-efs-unencrypted
  encrypted = false
}

# ok: terraform-efs-unencrypted
resource "aws_efs_file_system" "on" {
  encrypted = true
}

# ok: terraform-efs-unencrypted
resource "aws_efs_file_system" "chosen" {
  encrypted = var.encrypted
}
