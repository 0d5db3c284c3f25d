# SPDX-License-Identifier: GPL-2.0
#
# Front door of the tree; each room has its own build. KERNEL=REL chooses a
# kernel; W=1, C=2 and the like are passed on to the kernel's build.

KERNEL ?=
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)

# Outside a guest the module is for the running kernel, if that can be built.
running := $(wildcard /lib/modules/$(shell uname -r)/build/Makefile)
release := $(or $(KERNEL),$(if $(running),$(shell uname -r)))
kernel_option := $(if $(release),--kernel $(release))

help:
	@echo 'make deps          install the Debian 12 packages all this needs'
	@echo 'make demo          four paths, one connection, in a guest (also does deps)'
	@echo 'make check         all tests, in guests (also does deps); CASES="basic_*" chooses'
	@echo 'make check-debug   the same on a kernel with KASAN, lockdep, kmemleak'
	@echo 'make check-style   kernel style, sparse, kernel-doc, sizes, shellcheck'
	@echo 'make modules       the module, as build/mrc.ko'
	@echo 'make user          mrcctl and the preload library'
	@echo 'make selftests     the test programs'
	@echo 'make check-unit    tests of the pure parts, in user space'
	@echo 'make coverage      lines of the pure parts that they reach'
	@echo 'make fuzz          fuzzers; FUZZ_SECONDS=600 says for how long'
	@echo 'make install       module and tools into DESTDIR, PREFIX'
	@echo 'make dkms-install  hand the module to DKMS'
	@echo 'make clean'
	@echo 'KERNEL=REL (or debug) chooses the kernel; modules takes W=1 and C=2.'

deps:
	@scripts/install-deps

modules:
	+@ko=$$(scripts/build-module $(kernel_option)) && \
		ln -sfn "$${ko#$(CURDIR)/build/}" build/mrc.ko && echo "$$ko"

user:
	$(MAKE) -C user

selftests:
	@$(MAKE) --no-print-directory -C selftests

check-unit unit:
	$(MAKE) -C selftests/unit check

coverage:
	@$(MAKE) --no-print-directory -s -C selftests/unit coverage

fuzz:
	@$(MAKE) --no-print-directory -s -C selftests/fuzz fuzz

check:
	@scripts/check

check-debug:
	@KERNEL=debug scripts/check

check-style:
	@scripts/check-style

demo: deps
	@$(MAKE) --no-print-directory -s user selftests
	@scripts/demo

install: modules user
	install -D -m 644 build/mrc.ko \
		"$(DESTDIR)/lib/modules/$$(basename "$$(dirname "$$(readlink -f build/mrc.ko)")")/updates/mrc.ko"
	$(if $(DESTDIR),,depmod -a $(release))
	$(MAKE) -C user install PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)"

dkms-install:
	@command -v dkms >/dev/null || { echo 'dkms is not installed' >&2; exit 1; }
	install -d /usr/src/mrc-$(VERSION)
	cp -r Kbuild kernel include dkms.conf /usr/src/mrc-$(VERSION)/
	dkms install mrc/$(VERSION)

clean:
	rm -rf build
	$(if $(wildcard user/Makefile),$(MAKE) -C user clean)
	$(if $(wildcard selftests/unit/Makefile),$(MAKE) -C selftests/unit clean)
	-@$(MAKE) --no-print-directory -C selftests clean

.PHONY: help deps modules user selftests unit check-unit coverage fuzz check \
	check-debug check-style demo install dkms-install clean
export KERNEL
ifneq ($(CASES),)
export CASES
endif
ifneq ($(VM_ARGS),)
export VM_ARGS
endif
