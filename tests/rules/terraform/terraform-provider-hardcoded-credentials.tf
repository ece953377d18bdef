provider "aws" {
  region = "eu-central-1"
  # ruleid: terraform-provider-hardcoded-credentials
  secret_key = "not/a/real/key/of/anyone/000000000000000"
}

provider "azurerm" {
  # ruleid: terraform-provider-hardcoded-credentials
  client_secret = "no-real-value-at-all-00000"
}

provider "aws" {
  # ok: terraform-provider-hardcoded-credentials
  access_key = var.access_key
  # ok: terraform-provider-hardcoded-credentials
  secret_key = "mock_secret_key"
}

provider "azurerm" {
  # ok: terraform-provider-hardcoded-credentials
  client_secret = "${var.client_secret}"
}
