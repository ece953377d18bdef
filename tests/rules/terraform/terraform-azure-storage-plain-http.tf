resource "azurerm_storage_account" "a" {
  # ruleid: terraform-azure-storage-plain-http
  https_traffic_only_enabled = false
}

resource "azurerm_storage_account" "b" {
  # ruleid: terraform-azure-storage-plain-http
  enable_https_traffic_only = false
}

resource "azurerm_storage_account" "c" {
  # ok: terraform-azure-storage-plain-http
  https_traffic_only_enabled = true
}

resource "azurerm_storage_account" "d" {
  # ok: terraform-azure-storage-plain-http
  https_traffic_only_enabled = var.https
}
