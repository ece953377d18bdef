resource "aws_db_instance" "a" {
  engine = "postgres"
  # ruleid: terraform-database-public
  publicly_accessible = true
}

resource "aws_redshift_cluster" "b" {
  # ruleid: terraform-database-public
  publicly_accessible = true
}

resource "aws_db_instance" "c" {
  # ok: terraform-database-public
  publicly_accessible = false
}

resource "aws_db_instance" "d" {
  # ok: terraform-database-public
  publicly_accessible = var.public
}
