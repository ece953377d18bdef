resource "google_container_cluster" "a" {
  # ruleid: terraform-gcp-gke-legacy-authorization
  enable_legacy_abac = true
}

resource "google_container_cluster" "b" {
  name = "b"
  # ruleid: terraform-gcp-gke-legacy-authorization
  enable_legacy_abac = true
}

resource "google_container_cluster" "c" {
  # ok: terraform-gcp-gke-legacy-authorization
  enable_legacy_abac = false
}

resource "google_container_cluster" "d" {
  # ok: terraform-gcp-gke-legacy-authorization
  enable_legacy_abac = var.legacy
}
