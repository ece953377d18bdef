resource "aws_db_instance" "a" {
  # ruleid: terraform-hardcoded-database-password
  password = "no-real-pass"
}

resource "azurerm_linux_virtual_machine" "b" {
  # ruleid: terraform-hardcoded-database-password
  admin_password = "no-real-pass"
}

resource "aws_db_instance" "c" {
  # ok: terraform-hardcoded-database-password
  password = var.password
}

resource "aws_db_instance" "d" {
  # ok: terraform-hardcoded-database-password
  password = random_password.db.result
}

resource "aws_db_instance" "e" {
  # ok: terraform-hardcoded-database-password
  password = "changeme"
}
