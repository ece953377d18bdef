# ruleid: terraform-s3-public-access-block-disabled
resource "aws_s3_bucket_public_access_block" "open" {
  bucket                  = aws_s3_bucket.data.id
  block_public_acls       = false
  block_public_policy     = false
  ignore_public_acls      = true
  restrict_public_buckets = true
}

# ruleid: terraform-s3-public-access-block-disabled
resource "aws_s3_bucket_public_access_block" "one" {
  bucket                  = aws_s3_bucket.data.id
  restrict_public_buckets = false
}

# ok: terraform-s3-public-access-block-disabled
resource "aws_s3_bucket_public_access_block" "closed" {
  bucket                  = aws_s3_bucket.data.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

# ok: terraform-s3-public-access-block-disabled
resource "aws_s3_bucket_public_access_block" "chosen" {
  bucket            = aws_s3_bucket.data.id
  block_public_acls = var.block
}
