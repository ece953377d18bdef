resource "aws_lb_listener" "a" {
  # ruleid: terraform-load-balancer-outdated-tls
  ssl_policy = "ELBSecurityPolicy-2016-08"
}

resource "aws_lb_listener" "b" {
  # ruleid: terraform-load-balancer-outdated-tls
  ssl_policy = "ELBSecurityPolicy-TLS-1-1-2017-01"
}

resource "aws_lb_listener" "c" {
  # ok: terraform-load-balancer-outdated-tls
  ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}

resource "aws_lb_listener" "d" {
  # ok: terraform-load-balancer-outdated-tls
  ssl_policy = "ELBSecurityPolicy-TLS-1-2-2017-01"
}
