// SPDX-License-Identifier: GPL-2.0
/*
 * The body of the tracepoints that trace.h declares; nothing is called here.
 */
#define CREATE_TRACE_POINTS
#include "observe/trace.h"
