resource "aws_eks_cluster" "a" {
  vpc_config {
    # ruleid: terraform-eks-public-endpoint
    public_access_cidrs = ["0.0.0.0/0"]
  }
}

resource "aws_eks_cluster" "b" {
  vpc_config {
    # ruleid: terraform-eks-public-endpoint
    public_access_cidrs = ["192.0.2.0/24", "0.0.0.0/0"]
  }
}

resource "aws_eks_cluster" "c" {
  vpc_config {
    # ok: terraform-eks-public-endpoint
    public_access_cidrs = ["192.0.2.0/24"]
  }
}

resource "aws_eks_cluster" "d" {
  vpc_config {
    endpoint_public_access = false
    # ok: terraform-eks-public-endpoint
    public_access_cidrs = var.cidrs
  }
}
