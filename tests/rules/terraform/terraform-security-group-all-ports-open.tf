resource "aws_security_group" "a" {
  ingress {
    from_port   = 0
    to_port     = 0
    # ruleid: terraform-security-group-all-ports-open
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ingress {
    from_port = 0
    to_port   = 0
    # ok: terraform-security-group-all-ports-open
    protocol  = "-1"
    self      = true
  }
  egress {
    from_port   = 0
    to_port     = 0
    # ok: terraform-security-group-all-ports-open
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_vpc_security_group_ingress_rule" "all" {
  security_group_id = aws_security_group.a.id
  # ruleid: terraform-security-group-all-ports-open
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_ingress_rule" "web" {
  security_group_id = aws_security_group.a.id
  from_port         = 443
  to_port           = 443
  # ok: terraform-security-group-all-ports-open
  ip_protocol       = "tcp"
  cidr_ipv4         = "0.0.0.0/0"
}
