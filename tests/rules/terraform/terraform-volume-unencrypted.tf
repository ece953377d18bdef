resource "aws_ebs_volume" "a" {
  size = 10
  # ruleid: terraform-volume-unencrypted
  encrypted = false
}

resource "aws_instance" "b" {
  root_block_device {
    # ruleid: terraform-volume-unencrypted
    encrypted = false
  }
}

resource "aws_ebs_volume" "c" {
  # ok: terraform-volume-unencrypted
  encrypted = true
}

resource "aws_instance" "d" {
  root_block_device {
    # ok: terraform-volume-unencrypted
    encrypted = var.encrypted
  }
}
