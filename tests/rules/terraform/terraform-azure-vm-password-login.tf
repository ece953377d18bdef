resource "azurerm_linux_virtual_machine" "a" {
  # ruleid: terraform-azure-vm-password-login
  disable_password_authentication = false
}

resource "azurerm_virtual_machine" "b" {
  os_profile_linux_config {
    # ruleid: terraform-azure-vm-password-login
    disable_password_authentication = false
  }
}

resource "azurerm_linux_virtual_machine" "c" {
  # ok: terraform-azure-vm-password-login
  disable_password_authentication = true
}

resource "azurerm_linux_virtual_machine" "d" {
  # ok: terraform-azure-vm-password-login
  disable_password_authentication = var.keys_only
}
