resource "google_project_iam_member" "a" {
  # ruleid: terraform-gcp-basic-role
  role   = "roles/editor"
  member = "serviceAccount:app@example.iam.gserviceaccount.com"
}

resource "google_project_iam_binding" "b" {
  # ruleid: terraform-gcp-basic-role
  role = "roles/owner"
}

resource "google_project_iam_member" "c" {
  # ok: terraform-gcp-basic-role
  role = "roles/storage.objectViewer"
}

resource "google_project_iam_member" "d" {
  # ok: terraform-gcp-basic-role
  role = var.role
}
