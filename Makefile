.PHONY: check scan lock

check:  ## all that continuous integration checks
	./run test

scan:  ## scan this repository
	./run scan

lock:  ## renew the locked dependencies
	./run lock
