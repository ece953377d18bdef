"""What all results of the API share."""
