/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/dims.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "grid/grid.h"
#include "tool/tool.h"

static bool argument(const char *text, uint64_t max, uint64_t *value)
{
    const char *cursor = text;
    return smap_scan_uint(&cursor, max, value) && *cursor == '\0' && *value > 0;
}

/* "9x8" alone, for scripts; the other formats give it the name dims. */
static int print(const uint32_t dims[], size_t d, const char *format, struct smap_error *err)
{
    static const char *const columns[] = {"dims", NULL};
    int rc = SMAP_OK;
    char *grid = smap_dims_format(dims, d, false);
    if (!grid)
        return smap_nomem(err);
    if (strcmp(format, "table") == 0) {
        puts(grid);
    } else {
        struct smap_table *table = smap_table_create(columns);
        smap_table_text_column(table, "dims");
        smap_table_add(table, "%s", grid);
        rc = table_print(table, format, err);
        smap_table_destroy(table);
    }
    free(grid);
    return rc;
}

int command_dims(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    const char *format;
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
    int rc = args_format(formats, &format, args, &err);
    smap_dims_balanced(dims, (uint32_t)p, (size_t)d);
    if (rc == SMAP_OK)
        rc = print(dims, (size_t)d, format, &err);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
