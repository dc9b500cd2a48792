/* SPDX-License-Identifier: BSD-3-Clause */
/* What every unit test includes: CMocka with the headers it wants before it, and random
 * numbers that bring a failing instance back on every machine. */
#ifndef STENCILMAP_UNIT_H
#define STENCILMAP_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* setjmp.h, stdarg.h, stddef.h and stdint.h must come first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "grid/instance.h"

/* A number in [low, high]. */
static inline uint32_t unit_between(uint64_t *state, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(smap_random(state) % (high - low + 1));
}

/* Adds to a text that has room for so much; where it has not, the test fails. */
__attribute__((format(printf, 3, 4))) static inline void unit_append(char text[], size_t size,
                                                                     const char *format, ...)
{
    size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(text + length, size - length, format, args);
    va_end(args);
    assert_true(more >= 0 && (size_t)more < size - length);
}

/* A struct smap_instance made of what the tests keep together, with members of the same names. */
#define UNIT_INSTANCE(in)                                                                          \
    (&(const struct smap_instance){&(in)->grid, (in)->stencil, (in)->sizes, NULL})

#endif
