resource "aws_lambda_function_url" "a" {
  function_name = aws_lambda_function.a.function_name
  # ruleid: terraform-lambda-url-without-login
  authorization_type = "NONE"
}

resource "aws_lambda_function_url" "b" {
  # ruleid: terraform-lambda-url-without-login
  authorization_type = "NONE"
  cors {
    allow_origins = ["*"]
  }
}

resource "aws_lambda_function_url" "c" {
  # ok: terraform-lambda-url-without-login
  authorization_type = "AWS_IAM"
}

resource "aws_lambda_function_url" "d" {
  # ok: terraform-lambda-url-without-login
  authorization_type = var.authorization
}
