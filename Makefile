.PHONY: check scan lock release

check:  ## all that continuous integration checks
	./run test

scan:  ## scan this repository
	./run scan

lock:  ## renew the locked dependencies
	./run lock

# Into dist/vVERSION; nothing is published (docs/releasing.md). DRY_RUN=no cuts the version here as well.
DRY_RUN ?= yes
IMAGES ?= yes
QUICK ?= no
BASE ?=
ADVISORIES ?=
OUT ?= dist/v$(VERSION)

release:  ## VERSION=X.Y.Z: rehearse a release, from the changelog to what users paste
	./run release "$(VERSION)" --dry-run "$(DRY_RUN)" --images "$(IMAGES)" --quick "$(QUICK)" --out "$(OUT)" \
		$(if $(BASE),--base "$(BASE)") $(if $(ADVISORIES),--advisories "$(ADVISORIES)")
