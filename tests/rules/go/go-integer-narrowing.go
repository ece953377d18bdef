package numbers

import (
	"math"
	"os"
	"strconv"
)

func quantity(text string) (int32, error) {
	n, err := strconv.Atoi(text)
	// ruleid: go-integer-narrowing
	return int32(n), err
}

func port(text string) uint16 {
	n, _ := strconv.ParseInt(text, 10, 64)
	// ruleid: go-integer-narrowing
	return uint16(n)
}

func sized(text string) int32 {
	n, _ := strconv.ParseInt(text, 10, 32)
	// ok: go-integer-narrowing
	return int32(n)
}

func checked(text string) int32 {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0
	}
	// ok: go-integer-narrowing
	return int32(n)
}

func wide(text string) int64 {
	n, _ := strconv.Atoi(text)
	// ok: go-integer-narrowing
	return int64(n)
}

func sampled(text string, always bool) (int8, error) {
	n, err := strconv.Atoi(text)
	if !always {
		if n < 1 || n > 100 {
			return 0, err
		}
	}
	// ok: go-integer-narrowing
	return int8(n), err
}

func logged(text string, verbose bool) int8 {
	n, _ := strconv.Atoi(text)
	if verbose {
		print(n)
	}
	// ruleid: go-integer-narrowing
	return int8(n)
}

type server struct{ port uint16 }

func configured(text string) *server {
	n, _ := strconv.Atoi(text)
	// ok: go-integer-narrowing
	return &server{port: uint16(n)}
}

func spread(text string, keys []uint32) uint32 {
	n, _ := strconv.Atoi(text)
	parts := uint32(n)
	// ruleid: go-integer-narrowing
	buckets := make([]uint32, parts)
	// ruleid: go-integer-narrowing
	buckets[keys[0]%parts]++
	// ruleid: go-integer-narrowing
	return buckets[parts]
}

func opened(text, path string) error {
	mode, _ := strconv.ParseUint(text, 8, 64)
	// ruleid: go-integer-narrowing
	return os.Chmod(path, os.FileMode(uint32(mode)))
}

func counted(text string) {
	n, _ := strconv.Atoi(text)
	// ok: go-integer-narrowing
	println(int32(n))
}
