package memory

import (
	"math"
	"unsafe"
)

func bits(f float64, p *int) uint64 {
	// ruleid: go-unsafe-pointer
	raw := *(*uint64)(unsafe.Pointer(&f))
	// ruleid: go-unsafe-pointer
	address := uintptr(unsafe.Pointer(p))
	// ok: go-unsafe-pointer
	size := unsafe.Sizeof(f)
	// ok: go-unsafe-pointer
	return math.Float64bits(f)
}
