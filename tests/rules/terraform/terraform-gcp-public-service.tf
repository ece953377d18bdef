resource "google_cloud_run_service_iam_member" "a" {
  role = "roles/run.invoker"
  # ruleid: terraform-gcp-public-service
  member = "allUsers"
}

resource "google_cloudfunctions2_function_iam_member" "b" {
  # ruleid: terraform-gcp-public-service
  member = "allUsers"
}

resource "google_cloud_run_service_iam_member" "c" {
  # ok: terraform-gcp-public-service
  member = "serviceAccount:app@example.iam.gserviceaccount.com"
}

resource "google_cloud_run_v2_service_iam_member" "d" {
  # ok: terraform-gcp-public-service
  member = var.caller
}
