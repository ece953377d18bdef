resource "google_sql_database_instance" "a" {
  settings {
    ip_configuration {
      authorized_networks {
        name = "all"
        # ruleid: terraform-gcp-database-open-network
        value = "0.0.0.0/0"
      }
      authorized_networks {
        # ok: terraform-gcp-database-open-network
        value = "192.0.2.0/24"
      }
    }
  }
}

resource "google_sql_database_instance" "b" {
  settings {
    ip_configuration {
      authorized_networks {
        # ruleid: terraform-gcp-database-open-network
        value = "0.0.0.0/0"
      }
    }
    database_flags {
      name = "max_connections"
      # ok: terraform-gcp-database-open-network
      value = "100"
    }
  }
}
