# ruleid: terraform-load-balancer-plain-http
resource "aws_lb_listener" "a" {
  port     = 80
  protocol = "HTTP"
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.a.arn
  }
}

# ruleid: terraform-load-balancer-plain-http
resource "aws_alb_listener" "b" {
  protocol = "HTTP"
  default_action {
    type = "forward"
  }
}

# ok: terraform-load-balancer-plain-http
resource "aws_lb_listener" "redirecting" {
  protocol = "HTTP"
  default_action {
    type = "redirect"
    redirect {
      protocol    = "HTTPS"
      status_code = "HTTP_301"
    }
  }
}

# ok: terraform-load-balancer-plain-http
resource "aws_lb_listener" "tls" {
  protocol = "HTTPS"
  default_action {
    type = "forward"
  }
}
