package cache

import (
	"os"
	"path/filepath"
)

func store(bytes []byte) {
	// ruleid: go-predictable-temp-file
	os.WriteFile("/tmp/cache.bin", bytes, 0o600)
	// ruleid: go-predictable-temp-file
	file, err := os.Create(filepath.Join(os.TempDir(), "orders.csv"))
	// ok: go-predictable-temp-file
	file, err = os.CreateTemp("", "orders-*.csv")
	// ok: go-predictable-temp-file
	file, err = os.Create("/var/lib/example/cache.bin")
	// ok: go-predictable-temp-file
	bytes, err = os.ReadFile("/tmp/cache.bin")
}
