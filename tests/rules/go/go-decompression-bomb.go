package unpack

import (
	"compress/gzip"
	"io"
	"net/http"
	"os"
)

func unpack(in io.Reader, out io.Writer) error {
	reader, err := gzip.NewReader(in)
	// ruleid: go-decompression-bomb
	_, err = io.Copy(out, reader)
	// ruleid: go-decompression-bomb
	all, err := io.ReadAll(reader)
	// ok: go-decompression-bomb
	_, err = io.CopyN(out, reader, 10<<20)
	// ok: go-decompression-bomb
	part, err := io.ReadAll(io.LimitReader(reader, 10<<20))
	// ok: go-decompression-bomb
	_, err = io.Copy(out, in)
	return err
}

func show(out http.ResponseWriter, request *http.Request) {
	reader, _ := gzip.NewReader(request.Body)
	// ok: go-decompression-bomb
	io.Copy(out, reader)
	file, _ := os.Create("kept")
	// ruleid: go-decompression-bomb
	io.Copy(file, reader)
	// ruleid: go-decompression-bomb
	all, _ := io.ReadAll(reader)
}

func (archive *Archive) show(path string, out http.ResponseWriter) {
	reader, _ := gzip.NewReader(archive.file)
	// ok: go-decompression-bomb
	io.Copy(out, reader)
}
