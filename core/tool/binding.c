/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap cores --cpu-bind: where a list of srun's puts the tasks, and what is odd about it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tool/binding.h"
#include "tool/tool.h"

#define NO_LEAF UINT32_MAX

const unsigned *binding_cpus(const struct binding *b, size_t task, size_t *count)
{
    size_t entry = task % b->list.count;
    *count = b->list.first[entry + 1] - b->list.first[entry];
    return b->list.cpus + b->list.first[entry];
}

uint32_t binding_first_leaf(const struct binding *b, size_t task)
{
    size_t count;
    const unsigned *cpus = binding_cpus(b, task, &count);
    uint32_t first = NO_LEAF;
    for (size_t i = 0; i < count; i++)
        if (b->leaf_of_cpu[cpus[i]] < first)
            first = b->leaf_of_cpu[cpus[i]];
    return first;
}

static int find_shape(struct binding *b, const struct args *args, struct smap_error *err)
{
    const struct smap_slot_request told = {.hierarchy = args->request.hierarchy};
    struct smap_topology *topology = NULL;
    if (args->request.hierarchy && !args->topology) {
        int rc = args_refuse_restriction(args, err);
        return rc == SMAP_OK ? smap_told_shape(&b->shape, &told, err) : rc;
    }
    int rc = args_topology(&topology, args, err);
    if (rc == SMAP_OK)
        rc = smap_topology_shape(&b->shape, topology, SMAP_LEAF_PU, 0, err);
    smap_topology_destroy(topology);
    return rc;
}

/* All cpus of the list are cpus of the machine. */
static int find_leaves(struct binding *b, struct smap_error *err)
{
    b->leaf_of_cpu = malloc(SMAP_CPUS_MAX * sizeof(*b->leaf_of_cpu));
    if (!b->leaf_of_cpu)
        return smap_nomem(err);
    memset(b->leaf_of_cpu, 0xff, SMAP_CPUS_MAX * sizeof(*b->leaf_of_cpu));
    for (size_t i = 0; i < b->shape.leaves; i++)
        if (b->shape.cpus[b->shape.leaf[i].first] < SMAP_CPUS_MAX)
            b->leaf_of_cpu[b->shape.cpus[b->shape.leaf[i].first]] = (uint32_t)i;
    for (size_t i = 0; i < b->list.first[b->list.count]; i++)
        if (b->leaf_of_cpu[b->list.cpus[i]] == NO_LEAF)
            return args_no_such_cpu(b->list.cpus[i], &b->shape, err);
    return SMAP_OK;
}

static int binding_init(struct binding *b, const struct args *args, struct smap_error *err)
{
    uint64_t tasks = 0;
    *b = (struct binding){.tasks = 0};
    int rc = args_number(args->tasks, &tasks, "--ntasks", err);
    if (rc == SMAP_OK && (args->request.order || args->cpus_per_task || args->threads_per_core ||
                          args->ntasks_per_socket))
        rc = smap_fail(err, SMAP_EINVAL,
                       "says itself which cpus each task gets; leave out the other options about "
                       "cores");
    if (rc == SMAP_OK)
        rc = smap_cpubind_parse(&b->list, args->cpu_bind, err);
    if (rc != SMAP_OK)
        return rc;
    b->tasks = tasks ? (size_t)tasks : b->list.count;
    rc = find_shape(b, args, err);
    return rc == SMAP_OK ? find_leaves(b, err) : rc;
}

static void binding_clear(struct binding *b)
{
    smap_cpubind_clear(&b->list);
    smap_shape_clear(&b->shape);
    free(b->leaf_of_cpu);
}

/* Levels that have a column: those outside of the cores, and of a bare hierarchy outside of its
 * leaves. */
static bool has_column(const struct smap_shape *shape, size_t level)
{
    const char *name = shape->level[level].label.name;
    return level + 1 < shape->count && strcmp(name, "core") != 0;
}

void binding_level_name(char name[SMAP_NAME_SIZE], const struct smap_shape *shape, size_t level)
{
    const char *given = shape->level[level].label.name;
    if (given[0])
        memcpy(name, given, SMAP_NAME_SIZE);
    else
        snprintf(name, SMAP_NAME_SIZE, "level%u", (unsigned)level % 100);
}

size_t binding_objects(unsigned object[], const struct binding *b, size_t task, size_t level)
{
    size_t cpus, count = 0;
    const unsigned *cpu = binding_cpus(b, task, &cpus);
    for (size_t i = 0; i < cpus; i++) {
        unsigned here = b->shape.level[level].object[b->leaf_of_cpu[cpu[i]]];
        size_t k = 0;
        while (k < count && object[k] != here)
            k++;
        if (k == count)
            object[count++] = here;
    }
    return count;
}

/* A row for each task; scratch has room for the cpus of any. */
static void add_task(struct smap_table *table, const struct binding *b, size_t task,
                     unsigned scratch[])
{
    struct smap_text cpus = {0};
    size_t count;
    const unsigned *cpu = binding_cpus(b, task, &count);
    for (size_t i = 0; i < count; i++)
        smap_text_add(&cpus, "%s%u", i ? "," : "", cpu[i]);
    char *list = smap_text_take(&cpus);
    smap_table_add(table, "%zu", task);
    smap_table_add(table, "%u", b->shape.leaf[binding_first_leaf(b, task)].core);
    smap_table_add(table, "%s", list ? list : "");
    free(list);
    for (size_t l = 0; l < b->shape.count; l++) {
        if (!has_column(&b->shape, l))
            continue;
        char *objects = args_cpus_text(scratch, binding_objects(scratch, b, task, l));
        smap_table_add(table, "%s", objects ? objects : "");
        free(objects);
    }
}

static int print_tasks(const struct binding *b, const char *format, struct smap_error *err)
{
    const char *columns[3 + SMAP_LEVELS_MAX + 1] = {"task", "core", "cpus"};
    char names[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    size_t count = 3;
    unsigned *scratch = calloc(b->shape.leaves + 1, sizeof(*scratch));
    if (!scratch)
        return smap_nomem(err);
    for (size_t l = 0; l < b->shape.count; l++) {
        binding_level_name(names[l], &b->shape, l);
        if (has_column(&b->shape, l))
            columns[count++] = names[l];
    }
    struct smap_table *table = smap_table_create(columns);
    for (size_t i = 2; i < count; i++)
        smap_table_text_column(table, columns[i]);
    for (size_t task = 0; task < b->tasks; task++)
        add_task(table, b, task, scratch);
    int rc = table_print(table, format, err);
    smap_table_destroy(table);
    free(scratch);
    return rc;
}

static void print_numbering(const struct binding *b, const struct args *args)
{
    char *shape = smap_shape_text(&b->shape, " ");
    args_print_numbering(args, shape ? shape : "");
    free(shape);
}

int command_binding(const struct args *args, const char *format, struct smap_error *err)
{
    struct binding b;
    int rc = binding_init(&b, args, err);
    if (rc != SMAP_OK)
        rc = args_blame("--cpu-bind", args->cpu_bind, rc, err);
    if (rc == SMAP_OK && strcmp(format, "table") == 0)
        print_numbering(&b, args);
    if (rc == SMAP_OK)
        rc = print_tasks(&b, format, err);
    if (rc == SMAP_OK && strcmp(format, "table") == 0)
        rc = binding_print_crossings(&b, args, err);
    if (rc == SMAP_OK)
        rc = binding_print_notes(&b, err);
    binding_clear(&b);
    return rc;
}
