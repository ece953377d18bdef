resource "google_sql_database_instance" "a" {
  settings {
    ip_configuration {
      # ruleid: terraform-gcp-database-without-tls
      require_ssl = false
    }
  }
}

resource "google_sql_database_instance" "b" {
  settings {
    ip_configuration {
      # ruleid: terraform-gcp-database-without-tls
      ssl_mode = "ALLOW_UNENCRYPTED_AND_ENCRYPTED"
    }
  }
}

resource "google_sql_database_instance" "c" {
  settings {
    ip_configuration {
      # ok: terraform-gcp-database-without-tls
      ssl_mode = "ENCRYPTED_ONLY"
    }
  }
}

resource "google_sql_database_instance" "d" {
  settings {
    ip_configuration {
      # ok: terraform-gcp-database-without-tls
      require_ssl = true
    }
  }
}
