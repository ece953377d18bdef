resource "azurerm_storage_account" "a" {
  # ruleid: terraform-azure-outdated-tls
  min_tls_version = "TLS1_0"
}

resource "azurerm_mssql_server" "b" {
  # ruleid: terraform-azure-outdated-tls
  minimum_tls_version = "1.1"
}

resource "azurerm_storage_account" "c" {
  # ok: terraform-azure-outdated-tls
  min_tls_version = "TLS1_2"
}

resource "example_gateway" "d" {
  # ok: terraform-azure-outdated-tls
  min_tls_version = "1.0"
}
