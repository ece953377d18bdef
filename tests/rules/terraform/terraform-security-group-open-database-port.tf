resource "aws_security_group" "a" {
  ingress {
    # ruleid: terraform-security-group-open-database-port
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8", "0.0.0.0/0"]
  }
  ingress {
    # ok: terraform-security-group-open-database-port
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8"]
  }
  ingress {
    # ok: terraform-security-group-open-database-port
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  egress {
    # ok: terraform-security-group-open-database-port
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group_rule" "range" {
  type              = "ingress"
  security_group_id = aws_security_group.a.id
  # ruleid: terraform-security-group-open-database-port
  from_port         = 5000
  to_port           = 6000
  protocol          = "tcp"
  ipv6_cidr_blocks  = ["::/0"]
}

resource "aws_vpc_security_group_ingress_rule" "single" {
  security_group_id = aws_security_group.a.id
  # ruleid: terraform-security-group-open-database-port
  from_port         = 5432
  to_port           = 5432
  ip_protocol       = "tcp"
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_security_group_rule" "out" {
  type              = "egress"
  security_group_id = aws_security_group.a.id
  # ok: terraform-security-group-open-database-port
  from_port         = 5432
  to_port           = 5432
  protocol          = "tcp"
  cidr_blocks       = ["0.0.0.0/0"]
}
