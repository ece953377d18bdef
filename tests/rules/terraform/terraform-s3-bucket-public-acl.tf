resource "aws_s3_bucket" "site" {
  bucket = "example-site"
  # ruleid: terraform-s3-bucket-public-acl
  acl = "public-read"
}

resource "aws_s3_bucket_acl" "drop" {
  bucket = aws_s3_bucket.site.id
  # ruleid: terraform-s3-bucket-public-acl
  acl = "public-read-write"
}

resource "aws_s3_bucket_acl" "private" {
  bucket = aws_s3_bucket.site.id
  # ok: terraform-s3-bucket-public-acl
  acl = "private"
}

resource "aws_s3_bucket_acl" "logs" {
  bucket = aws_s3_bucket.site.id
  # ok: terraform-s3-bucket-public-acl
  acl = "log-delivery-write"
}

resource "aws_s3_bucket" "chosen" {
  # ok: terraform-s3-bucket-public-acl
  acl = var.acl
}
