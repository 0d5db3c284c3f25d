# SPDX-License-Identifier: GPL-2.0
#
# How the pure rooms are compiled in user space, unchanged: an archive of all
# their sources and of the kernel's code they need. Included by the unit tests
# and by the fuzzers, which set O (where to build) and SANITIZE.
#
#   PURE="reliable/psn.c"  limits the kernel sources (default: all pure)
#   LINUX_SRC=DIR          unpacked kernel source to take headers from

unit := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
tree := $(abspath $(unit)/../..)
Q ?= @

ifneq ($(MAKECMDGOALS),clean)
linux := $(shell $(unit)/linux-src)
ifeq ($(linux),)
$(error no kernel source for the unit tests)
endif
endif

PURE ?= $(patsubst $(tree)/kernel/%,%,$(foreach room,reliable wire rate sched,\
	$(wildcard $(tree)/kernel/$(room)/*.c)))

CFLAGS ?= -O1 -g
ALL_CFLAGS = -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
	-Wno-sign-compare -Werror -fno-strict-aliasing \
	-fno-omit-frame-pointer $(SANITIZE) $(CFLAGS) -MMD -MP \
	-I$(unit) -I$(unit)/include -I$(tree)/kernel -I$(tree)/include/uapi \
	-D'fallthrough=__attribute__((__fallthrough__))' \
	-DMRC_SIPHASH_H='"$(linux)/include/linux/siphash.h"' \
	-isystem $(linux)/tools/include \
	-isystem $(linux)/tools/testing/selftests

pure_objs := $(PURE:%.c=$(O)/kernel/%.o) $(O)/linux/rbtree.o \
	$(O)/linux/siphash.o

$(O)/kernel/%.o: $(tree)/kernel/%.c $(unit)/pure.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(O)/linux/rbtree.o: $(linux)/tools/lib/rbtree.c $(unit)/pure.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -w -c -o $@ $<

$(O)/linux/siphash.o: $(linux)/lib/siphash.c $(unit)/pure.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -D'EXPORT_SYMBOL(name)=extern int exported' \
		-w -c -o $@ $<

$(O)/pure.a: $(pure_objs)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

-include $(wildcard $(O)/*.d $(O)/linux/*.d $(O)/kernel/*/*.d)
