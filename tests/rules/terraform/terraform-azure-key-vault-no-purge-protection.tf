# ruleid: terraform-azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "silent" {
  name = "vault"
}

resource "azurerm_key_vault" "off" {
  # ruleid: terraform-azure-key-vault-no-purge-protection
  purge_protection_enabled = false
}

# ok: terraform-azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "on" {
  purge_protection_enabled = true
}

# ok: terraform-azure-key-vault-no-purge-protection
resource "azurerm_key_vault" "chosen" {
  purge_protection_enabled = var.protect
}
