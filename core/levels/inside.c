/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/divide.h"
#include "partition/refine_graph.h"

int smap_inside_init(struct smap_inside *inside, size_t levels, uint32_t seats,
                     struct smap_error *err)
{
    *inside = (struct smap_inside){.levels = levels, .seats = seats};
    if (levels > SMAP_LEVELS_MAX)
        return smap_fail(err, SMAP_EINVAL, "more than %d levels", SMAP_LEVELS_MAX);
    inside->object = calloc((size_t)seats * levels + 1, sizeof(*inside->object));
    return inside->object ? SMAP_OK : smap_nomem(err);
}

void smap_inside_clear(struct smap_inside *inside)
{
    free(inside->object);
    *inside = (struct smap_inside){0};
}

static uint32_t object_of(const struct smap_inside *inside, size_t level, uint32_t seat)
{
    return inside->object[seat * inside->levels + level];
}

/* How many objects the seats are in. */
static uint32_t count_objects(const struct smap_inside *inside, size_t level)
{
    uint32_t objects = inside->seats > 0;
    for (uint32_t k = 1; k < inside->seats; k++)
        objects += object_of(inside, level, k) != object_of(inside, level, k - 1);
    return objects;
}

void smap_inside_settle(struct smap_inside *inside)
{
    size_t kept = 0, keep[SMAP_LEVELS_MAX];
    uint32_t last = 1;
    for (size_t l = 0; l < inside->levels; l++) {
        uint32_t objects = count_objects(inside, l);
        if (objects > last && objects < inside->seats) {
            memmove(inside->name[kept], inside->name[l], SMAP_NAME_SIZE);
            keep[kept++] = l;
            last = objects;
        }
    }
    for (uint32_t k = 0; k < inside->seats; k++)
        for (size_t i = 0; i < kept; i++)
            inside->object[k * kept + i] = inside->object[k * inside->levels + keep[i]];
    inside->levels = kept;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int smap_inside_from_order(struct smap_inside *inside, const struct smap_hierarchy *hierarchy,
                           const struct smap_order *order, uint32_t seats, struct smap_error *err)
{
    uint64_t *core = calloc((size_t)seats + 1, sizeof(*core));
    *inside = (struct smap_inside){0};
    int rc = core ? smap_order_cores(core, seats, hierarchy, order, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_inside_init(inside, hierarchy->count, seats, err);
    if (rc == SMAP_OK) {
        qsort(core, seats, sizeof(*core), by_number);
        uint64_t below = smap_hierarchy_product(hierarchy);
        for (size_t l = 0; l < hierarchy->count; l++) {
            memcpy(inside->name[l], hierarchy->level[l].name, SMAP_NAME_SIZE);
            below /= hierarchy->level[l].arity;
            for (uint32_t k = 0; k < seats; k++)
                inside->object[k * hierarchy->count + l] = (uint32_t)(core[k] / below);
        }
    }
    free(core);
    return rc;
}

/* The seats of one object and the cells that are to sit there. */
struct part {
    size_t level;   /* the next one to divide by */
    uint32_t first; /* seat, and index in the list of cells of the one that sits there */
    uint32_t count;
};

struct assignment {
    const struct smap_inside *inside;
    const struct smap_instance *in;
    const uint32_t *cells;
    bool quick;
    uint32_t *index; /* which of the cells; each part has its own stretch, ascending */
    uint32_t *list;  /* scratch, each of seats entries: */
    uint32_t *group_of;
    uint32_t *size;
    uint32_t *sorted;
};

/* The sizes of the objects that a part's seats are in; returns how many. */
static uint32_t object_sizes(const struct assignment *a, const struct part *part)
{
    uint32_t groups = 0;
    for (uint32_t k = 0; k < part->count; k++) {
        uint32_t seat = part->first + k;
        if (k == 0 ||
            object_of(a->inside, part->level, seat) != object_of(a->inside, part->level, seat - 1))
            a->size[groups++] = 0;
        a->size[groups - 1]++;
    }
    return groups;
}

/* Puts the cells of each group side by side, ascending as they were. */
static void sort_by_group(struct assignment *a, const struct part *part, uint32_t groups)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t i = 0; i < part->count; i++)
            if (a->group_of[i] == g)
                a->sorted[at++] = a->index[part->first + i];
    memcpy(a->index + part->first, a->sorted, part->count * sizeof(*a->index));
}

static int assign(struct assignment *a, struct part part, struct smap_error *err)
{
    while (part.level < a->inside->levels && object_sizes(a, &part) == 1)
        part.level++;
    if (part.level == a->inside->levels || part.count < 2)
        return SMAP_OK;
    uint32_t groups = object_sizes(a, &part);
    for (uint32_t i = 0; i < part.count; i++)
        a->list[i] = a->cells[a->index[part.first + i]];
    const struct smap_division division = {a->list, part.count, a->size, groups, a->quick};
    int rc = smap_divide(a->group_of, a->in, &division, err);
    if (rc == SMAP_OK)
        sort_by_group(a, &part, groups);
    for (uint32_t begin = 0; rc == SMAP_OK && begin < part.count;) {
        struct part child = {part.level + 1, part.first + begin, 1};
        while (begin + child.count < part.count &&
               object_of(a->inside, part.level, child.first + child.count) ==
                   object_of(a->inside, part.level, child.first))
            child.count++;
        begin += child.count;
        rc = assign(a, child, err);
    }
    return rc;
}

struct numbered {
    uint32_t cell, index;
};

static int by_cell(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* index[0 .. count): which of the cells come in ascending order. */
static int sort_cells(uint32_t index[], const uint32_t cells[], uint32_t count,
                      struct smap_error *err)
{
    struct numbered *list = calloc((size_t)count + 1, sizeof(*list));
    if (!list)
        return smap_nomem(err);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (struct numbered){cells[i], i};
    qsort(list, count, sizeof(*list), by_cell);
    for (uint32_t i = 0; i < count; i++)
        index[i] = list[i].index;
    free(list);
    return SMAP_OK;
}

int smap_inside_assign(uint32_t seat_of[], const struct smap_inside *inside,
                       const struct smap_instance *instance, const uint32_t cells[], bool quick,
                       struct smap_error *err)
{
    uint32_t n = inside->seats;
    uint32_t *memory = calloc(5 * (size_t)n + 1, sizeof(*memory));
    if (!memory)
        return smap_nomem(err);
    struct assignment a = {
        .inside = inside,
        .in = instance,
        .cells = cells,
        .quick = quick,
        .index = memory,
        .list = memory + n,
        .group_of = memory + 2 * (size_t)n,
        .size = memory + 3 * (size_t)n,
        .sorted = memory + 4 * (size_t)n,
    };
    int rc = sort_cells(a.index, cells, n, err);
    if (rc == SMAP_OK)
        rc = assign(&a, (struct part){0, 0, n}, err);
    for (uint32_t seat = 0; rc == SMAP_OK && seat < n; seat++)
        seat_of[a.index[seat]] = seat;
    free(memory);
    return rc;
}

/* The weight of the graph's edges between objects of a level; cell c of the graph has seat[c]. */
static uint64_t cross(const struct smap_inside *inside, const struct smap_refine_graph *graph,
                      const uint32_t seat[], size_t level)
{
    uint64_t weight = 0;
    for (uint32_t c = 0; c < graph->cells; c++)
        for (uint64_t e = graph->first[c]; e < graph->first[c + 1]; e++)
            if (object_of(inside, level, seat[c]) != object_of(inside, level, seat[graph->to[e]]))
                weight += graph->out[e];
    return weight;
}

int smap_inside_crossings(uint64_t crossing[], const struct smap_inside *inside,
                          const struct smap_instance *instance, const uint32_t cells[],
                          const uint32_t seat_of[], struct smap_error *err)
{
    uint32_t n = inside->seats;
    struct smap_refine_graph *graph = NULL;
    uint32_t *index = calloc((size_t)n + 1, sizeof(*index));
    uint32_t *sorted = calloc((size_t)n + 1, sizeof(*sorted));
    uint32_t *seat = calloc((size_t)n + 1, sizeof(*seat));
    int rc = index && sorted && seat ? sort_cells(index, cells, n, err) : smap_nomem(err);
    for (uint32_t i = 0; rc == SMAP_OK && i < n; i++) {
        sorted[i] = cells[index[i]];
        seat[i] = seat_of[index[i]];
    }
    if (rc == SMAP_OK)
        rc = smap_refine_graph_create(&graph, instance, sorted, n, err);
    for (size_t l = 0; rc == SMAP_OK && l < inside->levels; l++)
        crossing[l] = cross(inside, graph, seat, l);
    smap_refine_graph_destroy(graph);
    free(index);
    free(sorted);
    free(seat);
    return rc;
}
