/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/nodetable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "stepd/cpumask.h"

enum column { TASK, RANK, COORDS, LEVELS, CPUS, NUMA, GPU, COLUMNS };

static const char *const titles[COLUMNS] = {"task", "rank", "coords", "levels",
                                            "cpus", "numa", "gpu"};

struct row {
    char *cell[COLUMNS]; /* NULL: nothing to say in this column */
};

static char *number(uint32_t value)
{
    struct smap_text text = {0};
    smap_text_add(&text, "%" PRIu32, value);
    return smap_text_take(&text);
}

/* Where in the levels of the order the task sits: "1,0,3". */
static char *levels(const struct bind_outcome *outcome, size_t task)
{
    struct smap_text text = {0};
    const struct smap_slots *slots = &outcome->slots;
    const uint32_t *coordinate = &slots->coordinates[outcome->slot[task] * slots->levels];
    for (size_t i = 0; i < slots->levels; i++)
        smap_text_add(&text, "%s%" PRIu32, i ? "," : "", coordinate[i]);
    return smap_text_take(&text);
}

static char *numa(const struct smap_topology *topology, const struct cpumask *mask)
{
    struct smap_text text = {0};
    size_t count, nodes = 0;
    unsigned *cpus = cpumask_cpus(mask, &count);
    unsigned *node = calloc(count ? count : 1, sizeof(*node));
    if (cpus && node)
        nodes = smap_topology_numa_nodes(node, count, topology, cpus, count);
    for (size_t i = 0; i < nodes; i++)
        smap_text_add(&text, "%s%u", i ? "," : "", node[i]);
    free(cpus);
    free(node);
    return smap_text_take(&text);
}

/* The GPUs that are nearest to a task; NULL where nobody has looked for any. */
static char *gpus(const struct smap_topology *topology, const struct cpumask *mask)
{
    struct smap_text text = {0};
    size_t count;
    unsigned *cpus = cpumask_cpus(mask, &count);
    uint32_t *gpu = calloc(count ? count : 1, sizeof(*gpu));
    bool known = smap_topology_gpu_count(topology) > 0 && cpus && gpu &&
                 smap_topology_gpus(gpu, topology, cpus, count, NULL) == SMAP_OK;
    for (uint32_t g = 0; known && g < SMAP_GPUS_MAX; g++)
        for (size_t i = 0; i < count; i++)
            if (gpu[i] == g) {
                smap_text_add(&text, "%s%" PRIu32, text.length ? "," : "", g);
                break;
            }
    free(cpus);
    free(gpu);
    return known ? smap_text_take(&text) : NULL;
}

static struct row row_of(const struct nodetable *t, size_t task)
{
    struct row row = {{NULL}};
    struct cpumask mask;
    row.cell[TASK] = number(t->rank[task]);
    if (t->problem && t->cell[task] != SMAP_NO_CELL) {
        row.cell[RANK] = number(t->cell[task]);
        row.cell[COORDS] = smap_problem_coords(t->problem, t->cell[task]);
    }
    if (t->outcome->slot)
        row.cell[LEVELS] = levels(t->outcome, task);
    if (cpumask_get(&mask, t->pids[task]) == 0) {
        row.cell[CPUS] = cpumask_list(&mask);
        row.cell[NUMA] = numa(t->topology, &mask);
        row.cell[GPU] = gpus(t->topology, &mask);
    }
    return row;
}

static void add_line(struct smap_text *text, char *const cells[], const size_t width[])
{
    const char *gap = "  ";
    for (size_t c = 0; c < COLUMNS; c++)
        if (width[c] > 0)
            smap_text_add(text, "%s%*s", gap, (int)width[c], cells[c] ? cells[c] : "-");
    smap_text_add(text, "\n");
}

/* "socket 24 -> 12, numa 40 -> 20". Cores and their threads are no news: every task has its own. */
static void add_crossings(struct smap_text *text, const struct bind_crossings *crossings)
{
    const char *gap = "";
    for (size_t l = 0; l < crossings->levels; l++) {
        const char *name = crossings->name[l];
        uint64_t before = crossings->before[l], after = crossings->after[l];
        if (strcmp(name, "core") == 0 || strcmp(name, "pu") == 0)
            continue;
        smap_text_add(text, "%s%s ", gap, name);
        if (crossings->before_known)
            smap_text_add(text, "%" PRIu64 " -> ", before);
        smap_text_add(text, "%" PRIu64, after);
        gap = ", ";
    }
}

/* The same as a text of its own; NULL if there is nothing to say. */
static char *crossings_text(const struct bind_crossings *crossings)
{
    struct smap_text text = {0};
    add_crossings(&text, crossings);
    char *all = smap_text_take(&text);
    if (all && all[0] == '\0') {
        free(all);
        all = NULL;
    }
    return all;
}

char *nodetable_line(const char *node, const struct bind_outcome *outcome)
{
    struct smap_text text = {0};
    char *crossings = crossings_text(&outcome->crossings);
    if (!crossings)
        return NULL;
    smap_text_add(&text, "stencilmap: inside node %s, the first: %s", node, crossings);
    free(crossings);
    return smap_text_take(&text);
}

static char *lay_out(const struct nodetable *t, const struct row rows[], const char *shape)
{
    struct smap_text text = {0};
    size_t width[COLUMNS] = {0};
    char *head[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++) {
        head[c] = (char *)titles[c];
        for (size_t i = 0; i < t->count; i++) {
            size_t length = rows[i].cell[c] ? strlen(rows[i].cell[c]) : 0;
            width[c] = length > width[c] ? length : width[c];
        }
        if (width[c] > 0 && strlen(titles[c]) > width[c])
            width[c] = strlen(titles[c]);
    }
    smap_text_add(&text, "stencilmap: node %s, %s: %s\n", t->node, shape, t->bound);
    add_line(&text, head, width);
    for (size_t i = 0; i < t->count; i++)
        add_line(&text, rows[i].cell, width);
    char *crossings = crossings_text(&t->outcome->crossings);
    if (crossings)
        smap_text_add(&text, "  inside the node: %s\n", crossings);
    free(crossings);
    char *all = smap_text_take(&text);
    if (all)
        all[strlen(all) - 1] = '\0'; /* whoever prints it ends the line */
    return all;
}

char *nodetable_text(const struct nodetable *table)
{
    struct row *rows = calloc(table->count, sizeof(*rows));
    char *machine = table->outcome->slot ? strdup(table->outcome->slots.shape)
                                         : smap_topology_text(table->topology, SMAP_LEAF_CORE);
    char *text = NULL;
    for (size_t i = 0; rows && i < table->count; i++)
        rows[i] = row_of(table, i);
    if (rows)
        text = lay_out(table, rows, machine ? machine : "?");
    for (size_t i = 0; rows && i < table->count; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            free(rows[i].cell[c]);
    free(rows);
    free(machine);
    return text;
}
