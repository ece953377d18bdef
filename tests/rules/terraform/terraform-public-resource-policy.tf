resource "aws_sqs_queue_policy" "a" {
  policy = jsonencode({
    Statement = [
      # ruleid: terraform-public-resource-policy
      { Effect = "Allow", Principal = "*", Action = "sqs:SendMessage", Resource = "*" },
      # ok: terraform-public-resource-policy
      { Effect = "Allow", Principal = "*", Action = "sqs:SendMessage", Resource = "*", Condition = { ArnEquals = { "aws:SourceArn" = var.topic } } },
    ]
  })
}

resource "aws_s3_bucket_policy" "b" {
  policy = jsonencode({
    Statement = [
      # ruleid: terraform-public-resource-policy
      { Effect = "Allow", Principal = { AWS = "*" }, Action = "s3:*", Resource = "*" },
      # ok: terraform-public-resource-policy
      { Effect = "Allow", Principal = "*", Action = "s3:GetObject", Resource = "*" },
      # ok: terraform-public-resource-policy
      { Effect = "Deny", Principal = "*", Action = "s3:*", Resource = "*" },
    ]
  })
}
