/* SPDX-License-Identifier: BSD-3-Clause */
#include "dims.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "grid.h"
#include "text.h"
#include "tool.h"

static bool argument(const char *text, uint64_t max, uint64_t *value)
{
    const char *cursor = text;
    return smap_scan_uint(&cursor, max, value) && *cursor == '\0' && *value > 0;
}

int command_dims(const struct args *args)
{
    struct smap_error err = {""};
    uint64_t p, d;
    uint32_t dims[SMAP_DIMS_MAX];
    if (args->rest_count != 2) {
        smap_fail(&err, SMAP_EINVAL, "dims takes two numbers, tasks and dimensions: dims 72 2");
        tool_fail(&err, SMAP_EINVAL);
        return EXIT_USAGE;
    }
    if (!argument(args->rest[0], SMAP_TASKS_MAX, &p))
        return tool_fail(&err, smap_fail(&err, SMAP_EINVAL, "dims: '%.60s' is no number of tasks",
                                         args->rest[0]));
    if (!argument(args->rest[1], SMAP_DIMS_MAX, &d))
        return tool_fail(&err, smap_fail(&err, SMAP_EINVAL,
                                         "dims: '%.60s' is no number of dimensions from 1 to %d",
                                         args->rest[1], SMAP_DIMS_MAX));
    smap_dims_balanced((uint32_t)p, (size_t)d, dims);
    for (size_t i = 0; i < d; i++)
        printf("%s%" PRIu32, i ? "x" : "", dims[i]);
    putchar('\n');
    return EXIT_DONE;
}
