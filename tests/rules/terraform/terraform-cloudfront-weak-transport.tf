resource "aws_cloudfront_distribution" "a" {
  default_cache_behavior {
    # ruleid: terraform-cloudfront-weak-transport
    viewer_protocol_policy = "allow-all"
  }
  viewer_certificate {
    # ruleid: terraform-cloudfront-weak-transport
    minimum_protocol_version = "TLSv1"
  }
}

resource "aws_cloudfront_distribution" "b" {
  default_cache_behavior {
    # ok: terraform-cloudfront-weak-transport
    viewer_protocol_policy = "redirect-to-https"
  }
  viewer_certificate {
    # ok: terraform-cloudfront-weak-transport
    minimum_protocol_version = "TLSv1.2_2021"
  }
}
