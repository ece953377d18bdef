# ruleid: terraform-azure-database-open-firewall
resource "azurerm_mssql_firewall_rule" "a" {
  name             = "all"
  start_ip_address = "0.0.0.0"
  end_ip_address   = "255.255.255.255"
}

# ruleid: terraform-azure-database-open-firewall
resource "azurerm_postgresql_flexible_server_firewall_rule" "b" {
  end_ip_address   = "255.255.255.255"
  start_ip_address = "0.0.0.0"
}

# ok: terraform-azure-database-open-firewall
resource "azurerm_mssql_firewall_rule" "azure_services" {
  start_ip_address = "0.0.0.0"
  end_ip_address   = "0.0.0.0"
}

# ok: terraform-azure-database-open-firewall
resource "azurerm_mssql_firewall_rule" "office" {
  start_ip_address = "192.0.2.1"
  end_ip_address   = "192.0.2.9"
}
