# ruleid: terraform-gcp-open-firewall
resource "google_compute_firewall" "ssh" {
  allow {
    protocol = "tcp"
    ports    = ["443", "22"]
  }
  source_ranges = ["0.0.0.0/0"]
}

# ruleid: terraform-gcp-open-firewall
resource "google_compute_firewall" "all" {
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "all"
  }
}

# ok: terraform-gcp-open-firewall
resource "google_compute_firewall" "web" {
  allow {
    protocol = "tcp"
    ports    = ["443"]
  }
  source_ranges = ["0.0.0.0/0"]
}

# ok: terraform-gcp-open-firewall
resource "google_compute_firewall" "proxy" {
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
  source_ranges = ["35.235.240.0/20"]
}

# ok: terraform-gcp-open-firewall
resource "google_compute_firewall" "closed" {
  deny {
    protocol = "all"
  }
  source_ranges = ["0.0.0.0/0"]
}
