package numbers

import (
	"math"
	"strconv"
)

func quantity(text string) (int32, error) {
	n, err := strconv.Atoi(text)
	// ruleid: go-integer-narrowing-kept
	return int32(n), err
}

func port(text string) uint16 {
	n, _ := strconv.ParseInt(text, 10, 64)
	// ruleid: go-integer-narrowing-kept
	return uint16(n)
}

func sized(text string) int32 {
	n, _ := strconv.ParseInt(text, 10, 32)
	// ok: go-integer-narrowing-kept
	return int32(n)
}

func checked(text string) int32 {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0
	}
	// ok: go-integer-narrowing-kept
	return int32(n)
}

func wide(text string) int64 {
	n, _ := strconv.Atoi(text)
	// ok: go-integer-narrowing-kept
	return int64(n)
}

func sampled(text string, always bool) (int8, error) {
	n, err := strconv.Atoi(text)
	if !always {
		if n < 1 || n > 100 {
			return 0, err
		}
	}
	// ok: go-integer-narrowing-kept
	return int8(n), err
}

func logged(text string, verbose bool) int8 {
	n, _ := strconv.Atoi(text)
	if verbose {
		print(n)
	}
	// ruleid: go-integer-narrowing-kept
	return int8(n)
}

type server struct{ port uint16 }

func configured(text string) *server {
	n, _ := strconv.Atoi(text)
	return &server{
		// ruleid: go-integer-narrowing-kept
		port: uint16(n),
	}
}
