package archive

import (
	"archive/tar"
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
)

func unzip(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		path := filepath.Join(target, entry.Name)
		// ruleid: go-zip-slip
		out, err := os.Create(path)
	}
	return nil
}

func untar(archive *tar.Reader, target string) error {
	header, err := archive.Next()
	// ruleid: go-zip-slip
	return os.MkdirAll(filepath.Join(target, header.Name), 0o755)
}

func checked(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		path := filepath.Join(target, entry.Name)
		if !strings.HasPrefix(path, filepath.Clean(target)+"/") {
			return errEscapes
		}
		// ok: go-zip-slip
		out, err := os.Create(path)
	}
	return nil
}

func refused(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		if strings.Contains(entry.Name, "..") {
			return errEscapes
		}
		// ok: go-zip-slip
		out, err := os.Create(filepath.Join(target, entry.Name))
	}
	return nil
}

func flat(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		// ok: go-zip-slip
		out, err := os.Create(filepath.Join(target, filepath.Base(entry.Name)))
	}
	return nil
}

func listed(folder []os.DirEntry) {
	for _, file := range folder {
		// ok: go-zip-slip
		os.Create(filepath.Join("copy", file.Name()))
	}
}
