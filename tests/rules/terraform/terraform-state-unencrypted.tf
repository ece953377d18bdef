terraform {
  backend "s3" {
    bucket = "state"
    # ruleid: terraform-state-unencrypted
    encrypt = false
  }
}

terraform {
  backend "s3" {
    # ruleid: terraform-state-unencrypted
    encrypt = false
    key     = "network"
  }
}

terraform {
  backend "s3" {
    # ok: terraform-state-unencrypted
    encrypt = true
  }
}

resource "example_disk" "a" {
  # ok: terraform-state-unencrypted
  encrypt = false
}
