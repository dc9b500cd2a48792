/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's layouts. Three lines: a value of --distribution; places per node as characters ('0' + n);
 * the number of tasks. */
#include "base/text.h"
#include "fuzz.h"
#include "step/layout.h"

enum { NODES_MAX = 32, TASKS_MAX = 600 };

static void check_layout(const struct smap_layout_rule *rule, const uint32_t capacity[],
                         uint32_t nodes, uint32_t tasks)
{
    uint32_t *node_of_rank = malloc(tasks * sizeof(*node_of_rank)); /* no rank is left out */
    uint32_t count[NODES_MAX] = {0}, room = 0;
    struct smap_nodesizes *sizes = NULL;
    REQUIRE(node_of_rank);
    memset(node_of_rank, 0xff, tasks * sizeof(*node_of_rank));
    REQUIRE(smap_layout_nodes(node_of_rank, rule, capacity, nodes, tasks, NULL) == SMAP_OK);
    for (uint32_t r = 0; r < tasks; r++) {
        REQUIRE(node_of_rank[r] < nodes);
        count[node_of_rank[r]]++;
        if (r > 0 && (rule->distribution == SMAP_BLOCK || rule->distribution == SMAP_PACK))
            REQUIRE(node_of_rank[r - 1] <= node_of_rank[r]);
    }
    for (uint32_t i = 0; i < nodes; i++)
        room += capacity[i];
    /* Nobody is crowded while there is room; planes of one are the exception, as in Slurm. */
    for (uint32_t i = 0; i < nodes && room >= tasks && rule->plane != 1; i++)
        REQUIRE(count[i] <= capacity[i]);
    if (smap_layout_sizes(&sizes, node_of_rank, tasks, nodes, NULL) == SMAP_OK)
        for (uint32_t i = 0; i < nodes; i++)
            REQUIRE(smap_nodesizes_size(sizes, i) == count[i]);
    else
        REQUIRE(tasks < nodes);
    smap_nodesizes_destroy(sizes);
    free(node_of_rank);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text;
    const char *distribution = fuzz_line(&rest), *places = fuzz_line(&rest);
    const char *number = fuzz_line(&rest);
    struct smap_error err = {""};
    struct smap_layout_rule rule;
    uint32_t capacity[NODES_MAX], nodes = 0;
    uint64_t tasks = 0;
    if (smap_layout_rule_parse(&rule, distribution ? distribution : "", &err) != SMAP_OK)
        fuzz_check_error(err.text, sizeof(err.text));
    else {
        REQUIRE((rule.distribution == SMAP_PLANE) == (rule.plane > 0));
        for (; places && *places && nodes < NODES_MAX; places++)
            capacity[nodes++] = (uint8_t)(*places - '0') % 60 + 1;
        if (number && nodes && smap_scan_uint(&number, TASKS_MAX, &tasks) && tasks > 0)
            check_layout(&rule, capacity, nodes, (uint32_t)tasks);
    }
    free(text);
    return 0;
}
