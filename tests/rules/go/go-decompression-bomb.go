package unpack

import (
	"compress/gzip"
	"io"
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
