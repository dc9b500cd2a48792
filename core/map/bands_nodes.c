/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/bands_nodes.h"

#include <stdlib.h>
#include <string.h>

/* So many steps of the programme, some milliseconds, for one layout of many. */
#define WORK_MAX (UINT64_C(1) << 20)

/* The nodes have two sizes; count[0] of them the first one. */
struct kinds {
    uint32_t size[2];
    uint32_t count[2];
};

static bool find_kinds(const struct smap_nodesizes *sizes, struct kinds *kinds)
{
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    *kinds = (struct kinds){{smap_nodesizes_size(sizes, 0), 0}, {0, 0}};
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t n = smap_nodesizes_size(sizes, i);
        if (n == kinds->size[0]) {
            kinds->count[0]++;
            continue;
        }
        if (kinds->count[1] && n != kinds->size[1])
            return false;
        kinds->size[1] = n;
        kinds->count[1]++;
    }
    return kinds->count[1] > 0;
}

/* Nodes of the first kind in each band: choice[t * (count + 1) + x] is how many band t has if the
 * bands up to it have x together, UINT32_MAX if that cannot be. How many of the second kind there
 * are follows from the cells. Proportional shares are preferred, so that the bands look alike. */
static void fill_band(const struct kinds *k, uint64_t cells, const uint32_t *before, uint32_t *now)
{
    uint64_t share = cells * k->count[0] /
                     ((uint64_t)k->count[0] * k->size[0] + (uint64_t)k->count[1] * k->size[1]);
    for (uint32_t x = 0; x <= k->count[0]; x++)
        now[x] = UINT32_MAX;
    for (uint32_t mine = 0; mine <= k->count[0] && (uint64_t)mine * k->size[0] <= cells; mine++) {
        if ((cells - (uint64_t)mine * k->size[0]) % k->size[1] != 0)
            continue;
        for (uint32_t x = mine; x <= k->count[0]; x++) {
            uint64_t off = mine > share ? mine - share : share - mine;
            uint64_t off_now = now[x] > share ? now[x] - share : share - now[x];
            if (before[x - mine] != UINT32_MAX && (now[x] == UINT32_MAX || off < off_now))
                now[x] = mine;
        }
    }
}

/* Deals the nodes of each kind out to the bands, the first kind first within a band. */
static void deal(const struct kinds *k, const struct smap_nodesizes *sizes, const uint64_t cells[],
                 const uint32_t mine[], uint32_t bands, uint32_t node_order[])
{
    uint32_t next[2] = {0, 0};
    for (uint32_t t = 0; t < bands; t++) {
        uint32_t wanted[2] = {mine[t],
                              (uint32_t)((cells[t] - (uint64_t)mine[t] * k->size[0]) / k->size[1])};
        for (int kind = 0; kind < 2; kind++)
            for (; wanted[kind] > 0; wanted[kind]--) {
                while (smap_nodesizes_size(sizes, next[kind]) != k->size[kind])
                    next[kind]++;
                *node_order++ = next[kind]++;
            }
    }
}

static bool solve(const struct kinds *k, const uint64_t cells[], uint32_t bands, uint32_t *choice,
                  uint32_t mine[])
{
    size_t row = (size_t)k->count[0] + 1;
    memset(choice, 0xff, row * sizeof(*choice));
    choice[0] = 0;
    for (uint32_t t = 0; t < bands; t++)
        fill_band(k, cells[t], choice + t * row, choice + (t + 1) * row);
    uint32_t x = k->count[0];
    if (choice[bands * row + x] == UINT32_MAX)
        return false;
    for (uint32_t t = bands; t-- > 0;) {
        mine[t] = choice[(t + 1) * row + x];
        x -= mine[t];
    }
    return true;
}

int smap_bands_nodes(uint32_t node_order[], bool *found, const struct smap_bands *bands,
                     const struct smap_instance *instance, struct smap_error *err)
{
    const struct smap_grid *grid = instance->grid;
    const struct smap_nodesizes *sizes = instance->sizes;
    struct kinds kinds;
    uint64_t count = 1;
    *found = false;
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        const struct smap_bands_division *v = &bands->division[bands->order[k]];
        count *= v->count[0] + v->count[1];
    }
    if (smap_nodesizes_uniform(sizes) || !find_kinds(sizes, &kinds) ||
        count * kinds.count[0] * (kinds.count[0] + UINT64_C(1)) > WORK_MAX)
        return SMAP_OK;
    uint64_t *cells = calloc(count, sizeof(*cells));
    uint32_t *mine = calloc(count, sizeof(*mine));
    uint32_t *choice = calloc((count + 1) * ((size_t)kinds.count[0] + 1), sizeof(*choice));
    int rc = cells && mine && choice ? SMAP_OK : smap_nomem(err);
    uint64_t position = 0;
    for (uint64_t t = 0; rc == SMAP_OK && t < count; t++) {
        cells[t] = smap_bands_length(bands, grid, (uint32_t)position);
        position += cells[t];
    }
    *found = rc == SMAP_OK && solve(&kinds, cells, (uint32_t)count, choice, mine);
    if (*found)
        deal(&kinds, sizes, cells, mine, (uint32_t)count, node_order);
    free(cells);
    free(mine);
    free(choice);
    return rc;
}
