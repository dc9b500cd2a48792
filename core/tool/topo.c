/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap topo: the levels that --rank-order can name on a machine. */

#include <inttypes.h>
#include <stdlib.h>

#include "tool/tool.h"

static int describe(struct smap_table *table, const struct smap_topology *topology,
                    struct smap_error *err)
{
    size_t smallest, largest;
    char *shape = smap_topology_text(topology, SMAP_LEAF_AUTO);
    if (!shape)
        return smap_nomem(err);
    smap_topology_threads(&smallest, &largest, topology);
    smap_table_add(table, "%s", shape);
    smap_table_add(table, "%s", smap_topology_is_regular(topology, SMAP_LEAF_AUTO) ? "yes" : "no");
    smap_table_add(table, "%zu", smap_topology_core_count(topology));
    smap_table_add(table, "%zu", smap_topology_cpu_count(topology));
    if (smallest == largest)
        smap_table_add(table, "%zu", smallest);
    else
        smap_table_add(table, "%zu..%zu", smallest, largest);
    free(shape);
    return SMAP_OK;
}

int command_topo(const struct args *args)
{
    static const char *const columns[] = {"levels", "regular", "cores", "cpus", "threads", NULL};
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct smap_error err = {""};
    struct smap_topology *topology = NULL;
    struct smap_table *table = smap_table_create(columns);
    const char *format;
    int rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK)
        rc = args_topology(&topology, args, &err);
    if (rc == SMAP_OK)
        rc = describe(table, topology, &err);
    if (rc == SMAP_OK)
        rc = table_print(table, format, &err);
    smap_topology_destroy(topology);
    smap_table_destroy(table);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
