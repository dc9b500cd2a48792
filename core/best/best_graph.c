/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_graph_private.h"

#include <stdlib.h>
#include <string.h>

#include "partition/multilevel.h"
#include "partition/refine_moves.h"

/* Annealing with fewer moves a cell is left alone. */
#define STEPS_MIN 100

/* What is small enough is annealed so many times as often. */
#define REPEATS_MAX 8

/* One run of annealing by moves, from the best division so far: hot enough to forget most of it, or
 * gently. The numbers were found by trying. */
static const struct leg {
    uint32_t temperature, halves; /* as in refine.h */
    uint32_t percent;             /* of the steps of a round */
} round_of_legs[] = {{450, 3, 30}, {200, 2, 20}, {450, 3, 30}, {130, 1, 20}};
enum { LEGS = sizeof(round_of_legs) / sizeof(round_of_legs[0]) };

static int divide(struct smap_best_state *s, const uint32_t size[], struct smap_error *err)
{
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < s->effort->divisions; i++) {
        rc = smap_multilevel(s->node_of_cell, s->graph, size, s->nodes, i + 1, err);
        if (rc == SMAP_OK)
            rc = smap_best_take(s, err);
    }
    return rc;
}

static int anneal(struct smap_best_state *s, const struct smap_coarse *graph, const uint32_t size[],
                  struct smap_error *err)
{
    uint32_t cells = s->in->grid->cells;
    uint64_t steps = s->effort->moves_per_cell * cells;
    steps = steps < s->effort->moves_max ? steps : s->effort->moves_max;
    size_t rounds = s->effort->rounds;
    int rc = SMAP_OK;
    if (steps / STEPS_MIN < cells)
        return SMAP_OK;
    uint64_t of_round = steps / rounds, repeats = s->effort->moves_max / steps;
    rounds *= repeats < REPEATS_MAX ? repeats : REPEATS_MAX;
    for (size_t i = 0; rc == SMAP_OK && i < rounds * LEGS && !smap_best_finished(s); i++) {
        const struct leg *leg = &round_of_legs[i % LEGS];
        const struct smap_refine_schedule schedule = {
            .steps = of_round / 100 * leg->percent,
            .start = leg->temperature,
            .halves = leg->halves,
            .seed = i + 1,
        };
        if (s->result->bound && s->starts[0].score.jsum == s->result->bound)
            break;
        memcpy(s->node_of_cell, s->starts[0].node_of_cell, cells * sizeof(*s->node_of_cell));
        rc = smap_refine_moves(s->node_of_cell, graph, size, s->nodes, &schedule, err);
        if (rc == SMAP_OK)
            rc = smap_best_take(s, err);
    }
    return rc;
}

int smap_best_graph(struct smap_best_state *s, struct smap_error *err)
{
    struct smap_coarse graph = {0};
    if (!s->graph)
        return SMAP_OK;
    uint32_t *size = calloc(s->nodes, sizeof(*size));
    int rc = size ? smap_coarse_copy(&graph, s->graph, err) : smap_nomem(err);
    for (uint32_t i = 0; rc == SMAP_OK && i < s->nodes; i++)
        size[i] = smap_nodesizes_size(s->in->sizes, i);
    if (rc == SMAP_OK)
        rc = divide(s, size, err);
    if (rc == SMAP_OK)
        rc = anneal(s, &graph, size, err);
    smap_coarse_clear(&graph);
    free(size);
    return rc;
}
