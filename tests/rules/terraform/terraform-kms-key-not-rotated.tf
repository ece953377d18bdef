# ruleid: terraform-kms-key-not-rotated
resource "aws_kms_key" "silent" {
  description = "data"
}

resource "aws_kms_key" "off" {
  # ruleid: terraform-kms-key-not-rotated
  enable_key_rotation = false
}

# ok: terraform-kms-key-not-rotated
resource "aws_kms_key" "on" {
  enable_key_rotation = true
}

# ok: terraform-kms-key-not-rotated
resource "aws_kms_key" "signing" {
  key_usage                = "SIGN_VERIFY"
  customer_master_key_spec = "RSA_4096"
}
