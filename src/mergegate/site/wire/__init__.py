"""What the API's results of the site tools share."""
