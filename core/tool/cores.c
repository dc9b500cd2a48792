/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap cores: the cores that an order chooses, on a machine or on a bare hierarchy. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/slots_tasks.h"
#include "order/order_parse.h"
#include "tool/tool.h"

/* More than any machine has; a list of that many is still printed at once. */
#define CORES_MAX 16777216

/* The order inside a node. As on a machine, level numbers count all levels or those inside. */
static int inside_order(const char *text, const struct smap_hierarchy *all,
                        const struct smap_hierarchy *inside, struct smap_order *order,
                        struct smap_error *err)
{
    struct smap_order whole;
    size_t numbers;
    smap_order_check(&numbers, text, NULL);
    if (numbers > 0 && numbers != all->count)
        return smap_order_parse(order, text, inside, err);
    int rc = smap_order_parse(&whole, text, all, err);
    if (rc == SMAP_OK)
        *order = smap_order_inside_node(&whole, all->node_levels);
    return rc;
}

/* On a bare hierarchy a core is its logical number. */
static int bare_slots(const struct args *args, uint64_t tasks, struct smap_slots *slots,
                      struct smap_error *err)
{
    struct smap_hierarchy all, hierarchy;
    struct smap_order order;
    int rc = args_hierarchy(args, tasks, &all, err);
    if (rc != SMAP_OK)
        return rc;
    hierarchy = smap_hierarchy_inside_node(&all);
    if (hierarchy.count == 0)
        return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%.100s: no level inside a node",
                         args->request.hierarchy);
    order = smap_order_natural(hierarchy.count);
    if (args->request.order)
        rc = inside_order(args->request.order, &all, &hierarchy, &order, err);
    uint64_t cores = smap_hierarchy_product(&hierarchy), count = tasks ? tasks : cores;
    if (rc == SMAP_OK && cores > CORES_MAX)
        rc = smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%.100s: more than %d cores",
                       args->request.hierarchy, CORES_MAX);
    if (rc == SMAP_OK && count > cores)
        rc = smap_fail(err, SMAP_EINVAL, "--ntasks=%" PRIu64 ": there are %" PRIu64 " cores", count,
                       cores);
    if (rc != SMAP_OK)
        return rc;
    uint64_t *core = calloc(count, sizeof(*core));
    slots->first = calloc(count + 1, sizeof(*slots->first));
    slots->cpus = calloc(count, sizeof(*slots->cpus));
    slots->core = calloc(count, sizeof(*slots->core));
    rc = core && slots->first && slots->cpus && slots->core
             ? smap_order_cores(core, count, &hierarchy, &order, err)
             : smap_nomem(err);
    for (uint64_t i = 0; rc == SMAP_OK && i < count; i++) {
        slots->first[i + 1] = i + 1;
        slots->cpus[i] = slots->core[i] = (unsigned)core[i];
    }
    slots->count = rc == SMAP_OK ? count : 0;
    free(core);
    return rc;
}

static int machine_slots(const struct args *args, uint64_t tasks, struct smap_slots *slots,
                         struct smap_error *err)
{
    struct smap_slot_request request = {.order = args->request.order,
                                        .hierarchy = args->request.hierarchy,
                                        .count = tasks,
                                        .strict = args->strict};
    struct smap_topology *topology = NULL;
    uint64_t cpus_per_task;
    int rc = args_number("--nodes", args->nodes, &request.nodes, err);
    if (rc == SMAP_OK)
        rc = args_number("--cpus-per-task", args->cpus_per_task, &cpus_per_task, err);
    if (rc == SMAP_OK)
        rc = args_number("--threads-per-core", args->threads_per_core, &request.threads_per_core,
                         err);
    if (rc == SMAP_OK)
        rc = args_topology(&topology, args, err);
    if (rc == SMAP_OK)
        rc = smap_topology_task_slots(slots, topology, &request, cpus_per_task, 0, err);
    smap_topology_destroy(topology);
    return rc;
}

/* Slurm's map_cpu takes one cpu per task: the first of each core. */
static void print_map_cpu(const struct smap_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        printf("%s%u", i ? "," : "", slots->cpus[slots->first[i]]);
    putchar('\n');
}

static char *cpu_list(const struct smap_slots *slots, size_t i)
{
    struct smap_text text = {0};
    for (size_t c = slots->first[i]; c < slots->first[i + 1]; c++)
        smap_text_add(&text, "%s%u", c > slots->first[i] ? "," : "", slots->cpus[c]);
    return smap_text_take(&text);
}

static int print_rows(const struct smap_slots *slots, const char *format, struct smap_error *err)
{
    static const char *const columns[] = {"task", "core", "cpus", NULL};
    struct table *table = table_create(columns);
    table_text_column(table, "cpus");
    for (size_t i = 0; i < slots->count; i++) {
        char *cpus = cpu_list(slots, i);
        table_add(table, "%zu", i);
        table_add(table, "%u", slots->core[i]);
        table_add(table, "%s", cpus ? cpus : "");
        free(cpus);
    }
    int rc = table_print(table, format, err);
    table_destroy(table);
    return rc;
}

int command_cores(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", "map_cpu", NULL};
    struct smap_error err = {""};
    struct smap_slots slots = {0};
    const char *format;
    uint64_t tasks;
    int rc = args_format(args, formats, &format, &err);
    if (rc == SMAP_OK)
        rc = args_tasks(args, &tasks, &err);
    if (rc == SMAP_OK) {
        bool bare = args->request.hierarchy && !args->topology;
        rc =
            bare ? bare_slots(args, tasks, &slots, &err) : machine_slots(args, tasks, &slots, &err);
    }
    if (rc == SMAP_OK && !args->topology && !args->request.hierarchy &&
        strcmp(format, "table") == 0)
        printf("topology of this host: %s\n", slots.shape);
    if (rc == SMAP_OK && strcmp(format, "map_cpu") == 0)
        print_map_cpu(&slots);
    else if (rc == SMAP_OK)
        rc = print_rows(&slots, format, &err);
    smap_slots_clear(&slots);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
