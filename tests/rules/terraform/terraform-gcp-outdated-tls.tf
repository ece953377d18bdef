resource "google_compute_ssl_policy" "a" {
  # ruleid: terraform-gcp-outdated-tls
  min_tls_version = "TLS_1_0"
}

resource "google_compute_region_ssl_policy" "b" {
  # ruleid: terraform-gcp-outdated-tls
  min_tls_version = "TLS_1_1"
}

resource "google_compute_ssl_policy" "c" {
  # ok: terraform-gcp-outdated-tls
  min_tls_version = "TLS_1_2"
}

resource "google_compute_ssl_policy" "d" {
  # ok: terraform-gcp-outdated-tls
  min_tls_version = var.tls
}
