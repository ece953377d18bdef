resource "azurerm_storage_container" "a" {
  # ruleid: terraform-azure-storage-public
  container_access_type = "blob"
}

resource "azurerm_storage_account" "b" {
  # ruleid: terraform-azure-storage-public
  allow_nested_items_to_be_public = true
}

resource "azurerm_storage_container" "c" {
  # ok: terraform-azure-storage-public
  container_access_type = "private"
}

resource "azurerm_storage_account" "d" {
  # ok: terraform-azure-storage-public
  allow_nested_items_to_be_public = false
}
