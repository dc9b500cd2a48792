/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap cores: the cores that an order chooses, on a machine or on a bare hierarchy. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tool/tool.h"

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
    static const char *const with_gpus[] = {"task", "core", "cpus", "gpu", NULL};
    struct smap_table *table = smap_table_create(slots->gpu ? with_gpus : columns);
    smap_table_text_column(table, "cpus");
    for (size_t i = 0; i < slots->count; i++) {
        char *cpus = cpu_list(slots, i);
        smap_table_add(table, "%zu", i);
        smap_table_add(table, "%u", slots->core[i]);
        smap_table_add(table, "%s", cpus ? cpus : "");
        if (slots->gpu)
            smap_table_add(table, "%" PRIu32, slots->gpu[i]);
        free(cpus);
    }
    int rc = table_print(table, format, err);
    smap_table_destroy(table);
    return rc;
}

int command_cores(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", "map_cpu", NULL};
    struct smap_error err = {""};
    struct smap_slots slots = {0};
    struct smap_slot_request request = {
        .order = args->request.order, .hierarchy = args->request.hierarchy, .strict = args->strict};
    const char *format;
    int rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK && args->cpu_bind) {
        rc = strcmp(format, "map_cpu") != 0
                 ? command_binding(args, format, &err)
                 : smap_fail(&err, SMAP_EINVAL,
                             "--format=map_cpu: not one of table, csv, json where --cpu-bind is "
                             "shown");
        return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
    }
    if (rc == SMAP_OK)
        rc = args_number(args->tasks, &request.count, "--ntasks", &err);
    if (rc == SMAP_OK)
        rc = args_number(args->nodes, &request.nodes, "--nodes", &err);
    if (rc == SMAP_OK)
        rc = args_slots(&slots, &request, args, &err);
    if (rc == SMAP_ENOTSUP && args->tasks)
        rc = args_blame("--ntasks", args->tasks, rc, &err);
    if (rc == SMAP_OK && strcmp(format, "table") == 0)
        args_print_numbering(args, slots.shape);
    if (rc == SMAP_OK && strcmp(format, "map_cpu") == 0)
        print_map_cpu(&slots);
    else if (rc == SMAP_OK)
        rc = print_rows(&slots, format, &err);
    smap_slots_clear(&slots);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
