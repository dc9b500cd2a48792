/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the search behind `best` share; private to them. */
#ifndef SMAP_BEST_STATE_PRIVATE_H
#define SMAP_BEST_STATE_PRIVATE_H

#include "best/best_search.h"
#include "map/guillotine.h"
#include "partition/refine_graph.h"

/* Divisions that refinement may start from. */
#define SMAP_BEST_STARTS 6

/* What an effort buys. */
struct smap_best_effort {
    uint64_t layout_work; /* edges visited for exact scores of structured layouts */
    size_t layouts_max;
    uint64_t steps_per_cell;
    uint64_t steps_max;
    /* Of a graph, where there is no grid: */
    size_t divisions;
    uint64_t moves_per_cell;
    uint64_t moves_max;
    size_t rounds; /* over the legs of best_refine.c and best_graph.c */
    struct smap_guillotine_limits guillotine;
};

struct smap_best_start {
    struct smap_score score;
    uint32_t *node_of_cell;
};

struct smap_best_state {
    const struct smap_instance *in;
    const struct smap_mapping_options *options;
    const struct smap_best_effort *effort;
    uint32_t nodes;
    struct smap_refine_graph *graph; /* NULL: too many edges */
    uint32_t *component;             /* of each cell; NULL without a graph */
    uint32_t *first;                 /* scratch, one more than there are components */
    uint32_t components;             /* of the stencil graph */
    uint32_t *cell_at;               /* scratch: a layout as an order of cells */
    uint32_t *sorted;                /* scratch: the same, component after component */
    uint32_t *node_of_cell;          /* scratch: a layout as nodes */
    uint32_t *node_order;            /* scratch, per node; NULL if all have the same size */
    uint64_t *out;                   /* scratch, per node */
    struct smap_best_start starts[SMAP_BEST_STARTS + 1]; /* best first */
    size_t start_count;
    struct smap_best_result *result;
};

/* Is a better than b, by the objective? Strictly: of equals the first one found stays. */
bool smap_best_better(const struct smap_best_state *s, const struct smap_score *a,
                      const struct smap_score *b);

/* Is there nothing left to gain? */
bool smap_best_finished(const struct smap_best_state *s);

/* Fills s->node_of_cell: the nodes take the cells in this order. */
void smap_best_fill(struct smap_best_state *s, const uint32_t cell_at[]);

/* Fills s->node_of_cell with the result as it is so far. */
int smap_best_restore(struct smap_best_state *s, struct smap_error *err);

int smap_best_score(struct smap_score *score, struct smap_best_state *s,
                    const uint32_t node_of_cell[], struct smap_error *err);

/* Keeps a division as a start of refinement if it is among the best; two of the same score are most
 * likely mirror images. */
int smap_best_offer(struct smap_best_state *s, const uint32_t node_of_cell[],
                    const struct smap_score *score, struct smap_error *err);

/* Makes a division the result, as a table. */
int smap_best_keep(struct smap_best_state *s, const uint32_t node_of_cell[],
                   const struct smap_score *score, struct smap_error *err);

/* Scores the division in s->node_of_cell, keeps it as the result, as a table, if it is better than
 * what there is, and offers it as a start. */
int smap_best_take(struct smap_best_state *s, struct smap_error *err);

#endif
