# SPDX-License-Identifier: GPL-2.0
#
# Front door of the tree; each room has its own build. KERNEL=REL chooses a
# kernel; W=1, C=2 and the like are passed on to the kernel's build.

KERNEL ?=
PREFIX ?= /usr/local
DESTDIR ?=

# The module is for the running kernel, if that can be built.
uname := $(shell uname -r)
running := $(wildcard /lib/modules/$(uname)/build/Makefile)
release := $(or $(KERNEL),$(if $(running),$(uname)))
kernel_option := $(if $(release),--kernel $(release))
why := $(if $(KERNEL),as KERNEL= says,$(if $(running),the running kernel,the \
	newest Debian 6.1 kernel with headers here; the running one, $(uname), has none))

help:
	@echo 'make demo          four paths, one connection, in a guest'
	@echo 'make check         all tests, in guests; CASES="basic_*" chooses'
	@echo 'make bench         beside TCP and MPTCP, in a guest; BENCH="paths4 ecn" chooses'
	@echo 'make bench-examples  step times of examples/, beside TCP'
	@echo 'make deps          install the Debian 12 packages that all of them need; those'
	@echo '                   with a guest do so themselves; DEPS="build guest checks" chooses'
	@echo 'make check-debug   the same on a kernel with KASAN, lockdep, kmemleak'
	@echo 'make check-style   kernel style, sparse, kernel-doc, sizes, shellcheck'
	@echo 'make modules       the module, as build/mrc.ko'
	@echo 'make user          mrcctl and the preload library'
	@echo 'make selftests     the test programs; examples: those of examples/'
	@echo 'make check-unit    tests of the pure parts, in user space'
	@echo 'make coverage      lines of the pure parts that they reach'
	@echo 'make fuzz          fuzzers; FUZZ_SECONDS=600 says for how long'
	@echo 'make install       module, tools, headers into DESTDIR, PREFIX (/usr/local)'
	@echo 'make uninstall     take them away again'
	@echo 'make dkms-install  hand the module to DKMS; dkms-uninstall takes it back'
	@echo 'make clean'
	@echo 'KERNEL=REL (or debug) chooses the kernel; modules takes W=1 and C=2.'

deps:
	@scripts/install-deps $(DEPS)

modules:
	+@ko=$$(scripts/build-module $(kernel_option)) && \
		ln -sfn "$${ko#$(CURDIR)/build/}" build/mrc.ko && \
		echo "$${ko#$(CURDIR)/}: for $$(basename "$$(dirname "$$ko")") ($(strip $(why)))"

user:
	$(MAKE) -C user

selftests: examples
	@$(MAKE) --no-print-directory -C selftests

examples:
	@$(MAKE) --no-print-directory -C examples

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

demo:
	@scripts/install-deps build guest
	@$(MAKE) --no-print-directory -s user
	@scripts/demo

bench:
	@scripts/install-deps build guest checks
	@$(MAKE) --no-print-directory -s user selftests
	@scripts/vm --timeout 3600 --results build/bench -- scripts/bench $(BENCH)

bench-examples:
	@scripts/install-deps build guest checks examples
	@$(MAKE) --no-print-directory -s user selftests
	@scripts/vm --timeout 3600 --results build/bench -- \
		scripts/bench-examples $(BENCH)

install: modules user
	@DESTDIR="$(DESTDIR)" scripts/install-module
	@$(MAKE) --no-print-directory -C user install \
		PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)"

uninstall:
	@DESTDIR="$(DESTDIR)" scripts/install-module --uninstall
	@$(MAKE) --no-print-directory -C user uninstall \
		PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)"

dkms-install dkms-uninstall:
	@DESTDIR="$(DESTDIR)" scripts/dkms $(if $(filter %-uninstall,$@),--uninstall)

clean:
	rm -rf build
	$(if $(wildcard user/Makefile),$(MAKE) -C user clean)
	$(if $(wildcard selftests/unit/Makefile),$(MAKE) -C selftests/unit clean)
	-@$(MAKE) --no-print-directory -C selftests clean
	@$(MAKE) --no-print-directory -C examples clean

.PHONY: help deps modules user selftests examples unit check-unit coverage fuzz check \
	check-debug check-style demo bench bench-examples install uninstall dkms-install \
	dkms-uninstall clean
export KERNEL
ifneq ($(CASES),)
export CASES
endif
ifneq ($(VM_ARGS),)
export VM_ARGS
endif
