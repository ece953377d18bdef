package shop

import "strconv"

func port(text string) (uint16, error) {
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, err
	}
	// ruleid: go-integer-narrowing
	return uint16(number), nil
}

func both(text string) (int32, int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	// ruleid: go-integer-narrowing
	return int32(number), number, err
}
