/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/multilevel.h"

#include <stdlib.h>

#include "base/numbers.h"
#include "partition/bisect_private.h"

struct work {
    const struct smap_refine_graph *graph;
    const uint32_t *size;
    uint32_t *group_of;
    uint32_t *list;  /* the cells; each part has its own stretch */
    uint32_t *local; /* of the cells of a part: their numbers in it */
    uint32_t *spare;
    uint64_t random;
};

/* The cells list[begin] ... list[end - 1] are to be groups group ... group + groups - 1. */
struct part {
    uint32_t begin, end, group, groups;
};

/* The graph of the cells of a part alone. */
static int extract(struct smap_coarse *g, struct work *w, const struct part *part,
                   struct smap_error *err)
{
    const struct smap_refine_graph *all = w->graph;
    uint64_t edges = 0;
    uint32_t count = part->end - part->begin;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = w->list[part->begin + i];
        w->local[cell] = i;
        w->group_of[cell] = part->group;
        edges += all->first[cell + 1] - all->first[cell];
    }
    int rc = smap_coarse_init(g, count, edges, err);
    edges = 0;
    for (uint32_t i = 0; rc == SMAP_OK && i < count; i++) {
        uint32_t cell = w->list[part->begin + i];
        g->size[i] = 1;
        for (uint64_t e = all->first[cell]; e < all->first[cell + 1]; e++) {
            uint32_t to = all->to[e];
            if (w->group_of[to] != part->group)
                continue;
            g->to[edges] = w->local[to];
            g->weight[edges++] = all->both[e];
        }
        g->first[i + 1] = edges;
    }
    return rc;
}

/* Puts the cells of side 0 in front, each side in the sequence it had. */
static void separate(struct work *w, const struct part *part, const uint8_t side[])
{
    uint32_t left = part->begin, right = 0;
    for (uint32_t i = 0; i < part->end - part->begin; i++) {
        uint32_t cell = w->list[part->begin + i];
        if (side[i])
            w->spare[right++] = cell;
        else
            w->list[left++] = cell;
    }
    for (uint32_t i = 0; i < right; i++)
        w->list[left + i] = w->spare[i];
}

/* Groups of cells that are not in a part yet have the number of the part around them; the right
 * part is renumbered before the left one is divided, so that the two differ. */
static int divide(struct work *w, struct part part, struct smap_error *err)
{
    struct smap_coarse g = {0};
    struct part left = part, right = part;
    left.groups = part.groups / 2;
    left.end = part.begin;
    for (uint32_t k = 0; k < left.groups; k++)
        left.end += w->size[part.group + k];
    right.begin = left.end;
    right.group = part.group + left.groups;
    right.groups = part.groups - left.groups;
    uint32_t count = part.end - part.begin;
    uint8_t *side = calloc((size_t)count + 1, sizeof(*side));
    int rc = side ? extract(&g, w, &part, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_bisect(side, &g, left.end - left.begin, &w->random, err);
    if (rc == SMAP_OK)
        separate(w, &part, side);
    smap_coarse_clear(&g);
    free(side);
    for (uint32_t i = right.begin; i < right.end; i++)
        w->group_of[w->list[i]] = right.group;
    if (rc == SMAP_OK && left.groups > 1)
        rc = divide(w, left, err);
    return rc == SMAP_OK && right.groups > 1 ? divide(w, right, err) : rc;
}

int smap_multilevel(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    const uint32_t size[], uint32_t groups, uint64_t seed, struct smap_error *err)
{
    size_t cells = graph->cells;
    uint32_t *memory = calloc(3 * cells + 1, sizeof(*memory));
    if (!memory)
        return smap_nomem(err);
    struct work w = {.graph = graph,
                     .size = size,
                     .group_of = group_of_cell,
                     .list = memory,
                     .local = memory + cells,
                     .spare = memory + 2 * cells,
                     .random = smap_random_state(seed)};
    for (uint32_t c = 0; c < graph->cells; c++) {
        w.list[c] = c;
        group_of_cell[c] = 0;
    }
    int rc = groups > 1 ? divide(&w, (struct part){0, graph->cells, 0, groups}, err) : SMAP_OK;
    free(memory);
    return rc;
}
