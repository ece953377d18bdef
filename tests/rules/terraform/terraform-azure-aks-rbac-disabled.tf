resource "azurerm_kubernetes_cluster" "a" {
  # ruleid: terraform-azure-aks-rbac-disabled
  role_based_access_control_enabled = false
}

resource "azurerm_kubernetes_cluster" "b" {
  name = "b"
  # ruleid: terraform-azure-aks-rbac-disabled
  role_based_access_control_enabled = false
}

resource "azurerm_kubernetes_cluster" "c" {
  # ok: terraform-azure-aks-rbac-disabled
  role_based_access_control_enabled = true
}

resource "azurerm_kubernetes_cluster" "d" {
  # ok: terraform-azure-aks-rbac-disabled
  role_based_access_control_enabled = var.rbac
}
