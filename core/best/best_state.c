/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_state_private.h"

#include <stdlib.h>
#include <string.h>

#include "map/algorithm.h"

bool smap_best_better(const struct smap_best_state *s, const struct smap_score *a,
                      const struct smap_score *b)
{
    if (s->options->objective == SMAP_OBJECTIVE_MAX)
        return a->jmax < b->jmax || (a->jmax == b->jmax && a->jsum < b->jsum);
    return a->jsum < b->jsum || (a->jsum == b->jsum && a->jmax < b->jmax);
}

bool smap_best_finished(const struct smap_best_state *s)
{
    return s->options->objective == SMAP_OBJECTIVE_SUM && s->result->score.jsum == 0;
}

void smap_best_fill(struct smap_best_state *s, const uint32_t cell_at[])
{
    for (uint32_t node = 0, q = 0; node < s->nodes; node++)
        for (uint32_t end = q + smap_nodesizes_size(s->in->sizes, node); q < end; q++)
            s->node_of_cell[cell_at[q]] = node;
}

int smap_best_restore(struct smap_best_state *s, struct smap_error *err)
{
    const struct smap_best_result *r = s->result;
    if (!r->algorithm) {
        memcpy(s->node_of_cell, r->node_of_cell, s->in->grid->cells * sizeof(*s->node_of_cell));
        return SMAP_OK;
    }
    if (r->algorithm == &smap_algorithm_bands) {
        smap_bands_cells(s->cell_at, &r->bands, s->in->grid);
    } else {
        struct smap_mapping *mapping = NULL;
        int rc = smap_mapping_create(&mapping, r->algorithm, s->in, NULL, err);
        if (rc != SMAP_OK)
            return rc;
        smap_mapping_cells(s->cell_at, mapping);
        smap_mapping_destroy(mapping);
    }
    smap_best_fill(s, s->cell_at);
    return SMAP_OK;
}

int smap_best_score(struct smap_score *score, struct smap_best_state *s,
                    const uint32_t node_of_cell[], struct smap_error *err)
{
    if (!s->graph || s->graph->shift > 0)
        return smap_score_nodes(score, NULL, s->in, node_of_cell, s->nodes, err);
    smap_refine_graph_score(score, s->out, s->graph, node_of_cell, s->nodes);
    return SMAP_OK;
}

int smap_best_offer(struct smap_best_state *s, const uint32_t node_of_cell[],
                    const struct smap_score *score, struct smap_error *err)
{
    size_t at = 0;
    if (!s->graph)
        return SMAP_OK;
    while (at < s->start_count && smap_best_better(s, &s->starts[at].score, score))
        at++;
    if (at == SMAP_BEST_STARTS ||
        (at < s->start_count && !smap_best_better(s, score, &s->starts[at].score)))
        return SMAP_OK;
    struct smap_best_start *spare = &s->starts[s->start_count];
    if (!spare->node_of_cell)
        spare->node_of_cell = calloc(s->in->grid->cells, sizeof(*spare->node_of_cell));
    if (!spare->node_of_cell)
        return smap_nomem(err);
    uint32_t *copy = spare->node_of_cell;
    memcpy(copy, node_of_cell, s->in->grid->cells * sizeof(*copy));
    memmove(&s->starts[at + 1], &s->starts[at], (s->start_count - at) * sizeof(s->starts[0]));
    s->starts[at] = (struct smap_best_start){*score, copy};
    if (s->start_count < SMAP_BEST_STARTS)
        s->start_count++;
    return SMAP_OK;
}

int smap_best_keep(struct smap_best_state *s, const uint32_t node_of_cell[],
                   const struct smap_score *score, struct smap_error *err)
{
    struct smap_best_result *r = s->result;
    if (!r->node_of_cell)
        r->node_of_cell = calloc(s->in->grid->cells, sizeof(*r->node_of_cell));
    if (!r->node_of_cell)
        return smap_nomem(err);
    memcpy(r->node_of_cell, node_of_cell, s->in->grid->cells * sizeof(*r->node_of_cell));
    r->algorithm = NULL;
    r->score = *score;
    return SMAP_OK;
}

int smap_best_take(struct smap_best_state *s, struct smap_error *err)
{
    struct smap_score found;
    int rc = smap_best_score(&found, s, s->node_of_cell, err);
    if (rc == SMAP_OK && smap_best_better(s, &found, &s->result->score))
        rc = smap_best_keep(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK)
        rc = smap_best_offer(s, s->node_of_cell, &found, err);
    return rc;
}
