resource "null_resource" "a" {
  provisioner "local-exec" {
    # ruleid: terraform-piped-download
    command = "curl -fsSL https://example.org/install.sh | bash"
  }
  provisioner "remote-exec" {
    inline = [
      # ruleid: terraform-piped-download
      "wget -qO- https://example.org/setup | sudo -E sh",
      # ok: terraform-piped-download
      "apt-get update",
    ]
  }
}

resource "null_resource" "b" {
  provisioner "local-exec" {
    # ok: terraform-piped-download
    command = "curl -fsSL https://example.org/status | jq .ok"
  }
}
