resource "aws_elasticache_replication_group" "a" {
  # ruleid: terraform-elasticache-unencrypted
  transit_encryption_enabled = false
  # ruleid: terraform-elasticache-unencrypted
  at_rest_encryption_enabled = false
}

resource "aws_elasticache_replication_group" "b" {
  # ok: terraform-elasticache-unencrypted
  transit_encryption_enabled = true
  # ok: terraform-elasticache-unencrypted
  at_rest_encryption_enabled = var.encrypted
}
