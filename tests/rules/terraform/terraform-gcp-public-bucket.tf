resource "google_storage_bucket_iam_member" "a" {
  role = "roles/storage.objectAdmin"
  # ruleid: terraform-gcp-public-bucket
  member = "allUsers"
}

resource "google_storage_bucket_iam_binding" "b" {
  # ruleid: terraform-gcp-public-bucket
  members = ["user:jane@example.org", "allAuthenticatedUsers"]
}

resource "google_storage_bucket_acl" "c" {
  # ruleid: terraform-gcp-public-bucket
  predefined_acl = "publicRead"
}

resource "google_storage_bucket_iam_member" "d" {
  # ok: terraform-gcp-public-bucket
  member = "serviceAccount:app@example.iam.gserviceaccount.com"
}

resource "google_storage_bucket_acl" "e" {
  # ok: terraform-gcp-public-bucket
  predefined_acl = "private"
}
