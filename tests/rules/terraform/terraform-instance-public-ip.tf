resource "aws_instance" "a" {
  # ruleid: terraform-instance-public-ip
  associate_public_ip_address = true
}

resource "aws_launch_template" "b" {
  network_interfaces {
    # ruleid: terraform-instance-public-ip
    associate_public_ip_address = true
  }
}

resource "aws_instance" "c" {
  # ok: terraform-instance-public-ip
  associate_public_ip_address = false
}

resource "aws_instance" "d" {
  # ok: terraform-instance-public-ip
  associate_public_ip_address = var.public
}
