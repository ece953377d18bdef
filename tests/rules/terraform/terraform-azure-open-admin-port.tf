resource "azurerm_network_security_rule" "a" {
  direction              = "Inbound"
  access                 = "Allow"
  protocol               = "Tcp"
  # ruleid: terraform-azure-open-admin-port
  destination_port_range = "22"
  source_address_prefix  = "*"
}

resource "azurerm_network_security_group" "b" {
  security_rule {
    direction              = "Inbound"
    access                 = "Allow"
    # ruleid: terraform-azure-open-admin-port
    destination_port_range = "3389"
    source_address_prefix  = "Internet"
  }
  security_rule {
    direction              = "Inbound"
    access                 = "Deny"
    # ok: terraform-azure-open-admin-port
    destination_port_range = "*"
    source_address_prefix  = "*"
  }
  security_rule {
    direction              = "Outbound"
    access                 = "Allow"
    # ok: terraform-azure-open-admin-port
    destination_port_range = "22"
    source_address_prefix  = "*"
  }
  security_rule {
    direction              = "Inbound"
    access                 = "Allow"
    # ok: terraform-azure-open-admin-port
    destination_port_range = "443"
    source_address_prefix  = "*"
  }
}

resource "azurerm_network_security_rule" "c" {
  direction              = "Inbound"
  access                 = "Allow"
  # ok: terraform-azure-open-admin-port
  destination_port_range = "22"
  source_address_prefix  = "192.0.2.0/24"
}
