# ruleid: terraform-database-unencrypted
resource "aws_db_instance" "silent" {
  engine = "postgres"
}

resource "aws_rds_cluster" "off" {
  # ruleid: terraform-database-unencrypted
  storage_encrypted = false
}

# ok: terraform-database-unencrypted
resource "aws_db_instance" "on" {
  storage_encrypted = true
}

# ok: terraform-database-unencrypted
resource "aws_db_instance" "replica" {
  replicate_source_db = aws_db_instance.on.identifier
}

# ok: terraform-database-unencrypted
resource "aws_rds_cluster" "restored" {
  snapshot_identifier = var.snapshot
}
