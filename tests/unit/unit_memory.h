/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out: one request of calloc or malloc by what is linked into a test fails, and
 * what it is about to do must say so. The test is linked with --wrap for both functions
 * (tests/CMakeLists.txt). With the sanitizers there may be no arithmetic on NULL and no leak. */
#ifndef STENCILMAP_UNIT_MEMORY_H
#define STENCILMAP_UNIT_MEMORY_H

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "unit.h"

void *__real_calloc(size_t count, size_t size);
void *__real_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);

static unsigned memory_left; /* after so many requests, less one, the next fails; 0: none does */

static inline int memory_fails(void)
{
    return memory_left > 0 && --memory_left == 0;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_malloc(size_t size)
{
    return memory_fails() ? NULL : __real_malloc(size);
}

/* Calls attempt with ever more memory, until it is enough. */
static inline void memory_runs_out(int (*attempt)(struct smap_error *err))
{
    enum { REQUESTS_MAX = 10000 };
    unsigned request = 0;
    int rc = SMAP_ENOMEM;
    while (rc != SMAP_OK && ++request < REQUESTS_MAX) {
        struct smap_error err = {""};
        memory_left = request;
        rc = attempt(&err);
        memory_left = 0;
        if (rc != SMAP_OK && strcmp(err.text, "out of memory") != 0)
            fail_msg("request %u fails: %d, '%s'", request, rc, err.text);
    }
    assert_in_range(request, 2, REQUESTS_MAX - 1); /* at least one was made, and failed */
}

#endif
