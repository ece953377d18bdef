module "a" {
  # ruleid: terraform-module-not-pinned
  source = "git::https://git.example.org/network.git"
}

module "b" {
  # ruleid: terraform-module-not-pinned
  source = "github.com/example/network?ref=main"
}

module "c" {
  # ok: terraform-module-not-pinned
  source = "git::https://git.example.org/network.git?ref=v1.2.0"
}

module "d" {
  # ok: terraform-module-not-pinned
  source = "./network"
}

module "e" {
  # ok: terraform-module-not-pinned
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.1.0"
}
