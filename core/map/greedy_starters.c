/* SPDX-License-Identifier: BSD-3-Clause */
/* The starters of greedy-distributed. The thesis repeats a breadth-first search from all starters
 * so far, and adds the cell that is discovered last. Here each search begins at the newest starter
 * alone and goes only where that is nearer than all before; the distances are the same. */
#include <stdlib.h>
#include <string.h>

#include "map/greedy_distributed.h"

struct search {
    const struct smap_instance *in;
    uint32_t *distance; /* from the nearest starter; UINT32_MAX: none leads there */
    uint32_t *queue;
    uint32_t farthest; /* the greatest distance ... */
    uint32_t end;      /* ... which no cell from here on has any more */
};

static void search_from(struct search *s, uint32_t starter)
{
    const struct smap_stencil *stencil = s->in->stencil;
    uint32_t head = 0, tail = 0, coords[SMAP_DIMS_MAX], next;
    s->distance[starter] = 0;
    s->queue[tail++] = starter;
    while (head < tail) {
        uint32_t cell = s->queue[head++], distance = s->distance[cell] + 1;
        smap_grid_coords(coords, s->in->grid, cell);
        for (size_t r = 0; r < stencil->count; r++) {
            if (!smap_grid_neighbour(&next, s->in->grid, coords, smap_stencil_offset(stencil, r),
                                     1) ||
                s->distance[next] <= distance)
                continue;
            s->distance[next] = distance;
            s->queue[tail++] = next;
        }
    }
}

/* The greatest cell of those that are farthest. Distances never grow: while some cell has the
 * greatest one, none comes to have it; where none is left the cells are looked at once for the
 * next.
 */
static uint32_t find_farthest(struct search *s)
{
    while (s->end > 0 && s->distance[s->end - 1] != s->farthest)
        s->end--;
    if (s->end == 0) {
        s->farthest = 0;
        for (uint32_t cell = 0; cell < s->in->grid->cells; cell++)
            if (s->distance[cell] >= s->farthest) {
                s->farthest = s->distance[cell];
                s->end = cell + 1;
            }
    }
    return s->end - 1;
}

int smap_greedy_starters(uint32_t starters[], const struct smap_instance *in,
                         struct smap_error *err)
{
    uint32_t p = in->grid->cells, nodes = smap_nodesizes_nodes(in->sizes), found = 0;
    struct search s = {.in = in, .farthest = UINT32_MAX, .end = p};
    s.distance = calloc(p, sizeof(*s.distance));
    s.queue = calloc(p, sizeof(*s.queue));
    bool able = s.distance && s.queue;
    if (able) {
        memset(s.distance, 0xff, p * sizeof(*s.distance));
        search_from(&s, 0);
        for (uint32_t node = 1; node < nodes; node++)
            search_from(&s, find_farthest(&s));
        for (uint32_t cell = 0; cell < p; cell++)
            if (s.distance[cell] == 0)
                starters[found++] = cell;
    }
    free(s.distance);
    free(s.queue);
    return able ? SMAP_OK : smap_nomem(err);
}
