# ruleid: terraform-cloudtrail-log-validation
resource "aws_cloudtrail" "silent" {
  name           = "trail"
  s3_bucket_name = "logs"
}

resource "aws_cloudtrail" "off" {
  # ruleid: terraform-cloudtrail-log-validation
  enable_log_file_validation = false
}

# ok: terraform-cloudtrail-log-validation
resource "aws_cloudtrail" "on" {
  enable_log_file_validation = true
}

# ok: terraform-cloudtrail-log-validation
resource "aws_cloudtrail" "chosen" {
  enable_log_file_validation = var.validate
}
