package store

import "os"

func write(path string, bytes []byte) {
	// ruleid: go-world-writable-file
	os.Chmod(path, 0777)
	// ruleid: go-world-writable-file
	os.Chmod(path, 0o666)
	// ok: go-world-writable-file
	os.Chmod(path, 0600)
	// ok: go-world-writable-file
	os.Chmod(path, 0755)
	// The process's umask removes the rights of others here.
	// ok: go-world-writable-file
	os.MkdirAll(path, 0777)
}
