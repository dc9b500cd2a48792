/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels/outer.h"

#include <stdlib.h>
#include <string.h>

#include "grid/score.h"
#include "partition/refine.h"
#include "partition/refine_graph.h"

/* Steps of the local search for each node and leg, and in a leg at most, which is less than a
 * second. It is done once for a mapping. */
#define STEPS_PER_NODE 4000
#define STEPS_MAX      20000000

int smap_outer_init(struct smap_outer *outer, size_t levels, uint32_t nodes, struct smap_error *err)
{
    *outer = (struct smap_outer){.levels = levels, .nodes = nodes};
    if (levels > SMAP_LEVELS_MAX)
        return smap_fail(err, SMAP_EINVAL, "more than %d levels", SMAP_LEVELS_MAX);
    outer->group = calloc((size_t)nodes * levels + 1, sizeof(*outer->group));
    return outer->group ? SMAP_OK : smap_nomem(err);
}

void smap_outer_clear(struct smap_outer *outer)
{
    free(outer->group);
    *outer = (struct smap_outer){0};
}

int smap_outer_from_hierarchy(struct smap_outer *outer, const struct smap_hierarchy *hierarchy,
                              uint32_t nodes, struct smap_error *err)
{
    size_t levels = hierarchy->node_levels > 1 ? hierarchy->node_levels - 1 : 0;
    uint64_t below = nodes;
    int rc = smap_outer_init(outer, levels, nodes, err);
    for (size_t l = 0; rc == SMAP_OK && l < levels; l++) {
        below /= hierarchy->level[l].arity;
        memcpy(outer->name[l], hierarchy->level[l].name, SMAP_NAME_SIZE);
        for (uint32_t i = 0; i < nodes; i++)
            outer->group[i * levels + l] = (uint32_t)(i / below);
    }
    return rc;
}

/* The edges of the cells of one node taken together: edge[other] is the one to another node,
 * counted from the first of this node; seen[other] is the node for which that is true. */
struct gather {
    const struct smap_refine_graph *cells;
    const uint32_t *node_of_cell;
    struct smap_refine_graph *nodes;
    uint32_t *edge;
    uint32_t *seen;
};

static uint64_t add_edges(struct gather *g, uint32_t node, uint32_t cell, uint64_t edges)
{
    uint64_t begin = g->nodes->first[node];
    for (uint64_t e = g->cells->first[cell]; e < g->cells->first[cell + 1]; e++) {
        uint32_t other = g->node_of_cell[g->cells->to[e]];
        if (other == node)
            continue;
        if (g->seen[other] != node) {
            g->seen[other] = node;
            g->edge[other] = (uint32_t)(edges - begin);
            g->nodes->to[edges] = other;
            g->nodes->both[edges] = g->nodes->out[edges] = 0;
            edges++;
        }
        g->nodes->both[begin + g->edge[other]] += g->cells->both[e];
        g->nodes->out[begin + g->edge[other]] += g->cells->out[e];
    }
    return edges;
}

static uint64_t gather_edges(struct gather *g, const uint32_t cell_at[],
                             const struct smap_nodesizes *sizes)
{
    uint64_t edges = 0;
    uint32_t nodes = g->nodes->cells;
    memset(g->seen, 0xff, nodes * sizeof(*g->seen));
    for (uint32_t i = 0, q = 0; i < nodes; i++) {
        g->nodes->first[i] = edges;
        for (uint32_t end = q + smap_nodesizes_size(sizes, i); q < end; q++)
            edges = add_edges(g, i, cell_at[q], edges);
    }
    g->nodes->first[nodes] = edges;
    return edges;
}

/* The graph of the nodes. */
static int make_graph(struct smap_refine_graph **graph, const struct smap_instance *in,
                      const uint32_t node_of_cell[], struct smap_error *err)
{
    const struct smap_nodesizes *sizes = in->sizes;
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    struct smap_refine_graph *cells = NULL, *g = calloc(1, sizeof(*g));
    uint32_t *cell_at = smap_nodesizes_sort(sizes, node_of_cell);
    struct gather gather = {.node_of_cell = node_of_cell, .nodes = g};
    int rc = smap_refine_graph_create(&cells, in, NULL, 0, err);
    gather.cells = cells;
    gather.edge = calloc(nodes, sizeof(*gather.edge));
    gather.seen = calloc(nodes, sizeof(*gather.seen));
    if (rc == SMAP_OK && g && cell_at) {
        uint64_t room = cells->first[in->grid->cells] + 1;
        g->cells = nodes;
        g->first = calloc((size_t)nodes + 1, sizeof(*g->first));
        g->to = calloc(room, sizeof(*g->to));
        g->both = calloc(room, sizeof(*g->both));
        g->out = calloc(room, sizeof(*g->out));
        if (g->first && g->to && g->both && g->out && gather.edge && gather.seen) {
            gather_edges(&gather, cell_at, sizes);
            *graph = g;
            g = NULL;
        }
    }
    if (rc == SMAP_OK && g)
        rc = smap_nomem(err);
    smap_refine_graph_destroy(g);
    smap_refine_graph_destroy(cells);
    free(gather.edge);
    free(gather.seen);
    free(cell_at);
    return rc;
}

/* Blocks may be exchanged if they have the same size and are in the same group of the level outside
 * of the one that is looked at: the same kind. */
struct kind {
    uint32_t size, outside, block;
};

static int by_kind(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->outside != y->outside)
        return x->outside < y->outside ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* Sorts the blocks by kind. outside: of each block the group at the level outside, NULL for none.
 * kind_of, if not NULL, gets numbers for the kinds. */
static void sort_kinds(struct kind kinds[], const struct smap_nodesizes *sizes,
                       const uint32_t outside[], uint32_t kind_of[])
{
    uint32_t nodes = smap_nodesizes_nodes(sizes), number = 0;
    for (uint32_t i = 0; i < nodes; i++)
        kinds[i] = (struct kind){smap_nodesizes_size(sizes, i), outside ? outside[i] : 0, i};
    qsort(kinds, nodes, sizeof(*kinds), by_kind);
    for (uint32_t i = 0; kind_of && i < nodes; i++) {
        number += i > 0 &&
                  (kinds[i].size != kinds[i - 1].size || kinds[i].outside != kinds[i - 1].outside);
        kind_of[kinds[i].block] = number;
    }
}

struct arrangement {
    const struct smap_outer *outer;
    const struct smap_nodesizes *sizes;
    struct smap_refine_graph *graph;
    struct kind *blocks, *nodes; /* both sorted by kind */
    uint32_t *node_of_block;
    uint32_t *group; /* of each block, at the level that is looked at */
    uint32_t *tried;
    uint32_t *kind;
    uint64_t *out;
};

/* Better groups for the blocks at a level, by legs of different heat as in divide.c. */
static int search(struct arrangement *a, struct smap_error *err)
{
    static const uint32_t temperature[] = {100, 200, 140};
    uint32_t nodes = a->outer->nodes;
    uint64_t steps = (uint64_t)nodes * STEPS_PER_NODE;
    struct smap_score best, score;
    a->graph->kind = a->kind;
    smap_refine_graph_score(&best, a->out, a->graph, a->group, nodes);
    memcpy(a->tried, a->group, nodes * sizeof(*a->tried));
    for (size_t leg = 0; leg < sizeof(temperature) / sizeof(temperature[0]); leg++) {
        const struct smap_refine_schedule schedule = {
            .steps = steps < STEPS_MAX ? steps : STEPS_MAX,
            .start = temperature[leg],
            .halves = 2,
            .seed = leg + 1,
        };
        int rc = smap_refine_sum(a->tried, a->graph, nodes, &schedule, err);
        if (rc != SMAP_OK)
            return rc;
        smap_refine_graph_score(&score, a->out, a->graph, a->tried, nodes);
        if (score.jsum < best.jsum) {
            best = score;
            memcpy(a->group, a->tried, nodes * sizeof(*a->group));
        }
    }
    return SMAP_OK;
}

/* The node for each block: one of its size in its group. */
static void give_nodes(struct arrangement *a, size_t level)
{
    uint32_t nodes = a->outer->nodes;
    sort_kinds(a->blocks, a->sizes, a->group, NULL);
    for (uint32_t i = 0; i < nodes; i++)
        a->tried[i] = a->outer->group[i * a->outer->levels + level];
    sort_kinds(a->nodes, a->sizes, a->tried, NULL);
    for (uint32_t i = 0; i < nodes; i++)
        a->node_of_block[a->blocks[i].block] = a->nodes[i].block;
}

static int arrange(struct arrangement *a, struct smap_error *err)
{
    const struct smap_outer *outer = a->outer;
    uint32_t nodes = outer->nodes;
    int rc = SMAP_OK;
    for (uint32_t i = 0; i < nodes; i++)
        a->node_of_block[i] = i;
    for (size_t l = 0; rc == SMAP_OK && l < outer->levels; l++) {
        sort_kinds(a->blocks, a->sizes, l > 0 ? a->group : NULL, a->kind);
        for (uint32_t i = 0; i < nodes; i++)
            a->group[i] = outer->group[a->node_of_block[i] * outer->levels + l];
        rc = search(a, err);
        if (rc == SMAP_OK)
            give_nodes(a, l);
    }
    return rc;
}

int smap_outer_arrange(uint32_t node_of_cell[], const struct smap_outer *outer,
                       const struct smap_instance *instance, struct smap_error *err)
{
    struct arrangement a = {.outer = outer, .sizes = instance->sizes};
    size_t nodes = outer->nodes;
    if (outer->levels == 0 || nodes < 2)
        return SMAP_OK;
    int rc = make_graph(&a.graph, instance, node_of_cell, err);
    a.blocks = calloc(2 * nodes, sizeof(*a.blocks));
    a.node_of_block = calloc(4 * nodes, sizeof(*a.node_of_block));
    a.out = calloc(nodes, sizeof(*a.out));
    if (rc == SMAP_OK && (!a.blocks || !a.node_of_block || !a.out))
        rc = smap_nomem(err);
    if (rc == SMAP_OK) {
        a.nodes = a.blocks + nodes;
        a.group = a.node_of_block + nodes;
        a.tried = a.group + nodes;
        a.kind = a.tried + nodes;
        rc = arrange(&a, err);
    }
    for (uint32_t c = 0; rc == SMAP_OK && c < instance->grid->cells; c++)
        node_of_cell[c] = a.node_of_block[node_of_cell[c]];
    if (a.graph)
        a.graph->kind = NULL;
    smap_refine_graph_destroy(a.graph);
    free(a.blocks);
    free(a.node_of_block);
    free(a.out);
    return rc;
}

int smap_outer_crossings(uint64_t crossing[], const struct smap_outer *outer,
                         const struct smap_instance *instance, const uint32_t node_of_cell[],
                         struct smap_error *err)
{
    const struct smap_grid *grid = instance->grid;
    uint32_t *group = calloc(grid->cells, sizeof(*group));
    int rc = group ? SMAP_OK : smap_nomem(err);
    for (size_t l = 0; rc == SMAP_OK && l < outer->levels; l++) {
        struct smap_score score;
        for (uint32_t c = 0; c < grid->cells; c++)
            group[c] = outer->group[node_of_cell[c] * outer->levels + l];
        rc = smap_score_nodes(&score, NULL, instance, group, outer->nodes, err);
        crossing[l] = score.jsum;
    }
    free(group);
    return rc;
}
