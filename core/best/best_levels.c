/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_levels_private.h"

#include <stdlib.h>
#include <string.h>

#include "levels/inside.h"
#include "levels/levels.h"
#include "map/algorithm.h"

struct choice {
    struct smap_best_state *s;
    uint64_t total; /* of the result */
};

static int total_of(uint64_t *total, const struct smap_best_state *s, const uint32_t node_of_cell[],
                    uint64_t jsum, struct smap_error *err)
{
    uint64_t crossing[SMAP_LEVELS_MAX];
    const struct smap_seated seated = {node_of_cell, jsum, SMAP_SEATS_QUICK};
    int rc = smap_levels_crossings(crossing, s->options->levels, s->in, &seated, err);
    if (rc == SMAP_OK)
        *total = smap_levels_total(s->options->levels, jsum, crossing);
    return rc;
}

/* Compares the division in s->node_of_cell; of equal totals the smaller J_sum wins, then what was
 * there first. algorithm: how to get it again, or NULL. */
static int consider(struct choice *c, const struct smap_algorithm *algorithm,
                    struct smap_error *err)
{
    struct smap_best_state *s = c->s;
    struct smap_score score;
    uint64_t total;
    int rc = smap_best_score(&score, s, s->node_of_cell, err);
    if (rc == SMAP_OK)
        rc = total_of(&total, s, s->node_of_cell, score.jsum, err);
    if (rc != SMAP_OK || total > c->total ||
        (total == c->total && !smap_best_better(s, &score, &s->result->score)))
        return rc;
    c->total = total;
    if (!algorithm)
        return smap_best_keep(s, s->node_of_cell, &score, err);
    s->result->algorithm = algorithm;
    s->result->score = score;
    return SMAP_OK;
}

/* One algorithm on the objects of a level; the nodes themselves if parts is s->in->sizes. */
static int try_algorithm(struct choice *c, const struct smap_algorithm *algorithm,
                         const struct smap_nodesizes *parts, struct smap_error *err)
{
    struct smap_best_state *s = c->s;
    struct smap_mapping *mapping = NULL;
    const struct smap_instance in = {s->in->grid, s->in->stencil, parts, s->in->graph};
    int rc = smap_mapping_create(&mapping, algorithm, &in, NULL, err);
    if (rc != SMAP_OK)
        return rc == SMAP_ENOTSUP ? SMAP_OK : rc;
    smap_mapping_cells(s->cell_at, mapping);
    smap_mapping_destroy(mapping);
    smap_best_fill(s, s->cell_at);
    return consider(c, parts == s->in->sizes ? algorithm : NULL, err);
}

static int try_algorithms(struct choice *c, const struct smap_nodesizes *parts,
                          struct smap_error *err)
{
    static const struct smap_algorithm *const shapes[] = {
        &smap_algorithm_hyperplane, &smap_algorithm_hyperplane_thesis, &smap_algorithm_kdtree,
        &smap_algorithm_strips,     &smap_algorithm_nodecart,          &smap_algorithm_cuts};
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < sizeof(shapes) / sizeof(shapes[0]); i++)
        rc = try_algorithm(c, shapes[i], parts, err);
    return rc;
}

/* Divides the nodes into the objects of a level: parts gets the seats of each; NULL where the
 * objects are as many as the seats. */
static int split_nodes(struct smap_nodesizes **parts, const struct choice *c, size_t level,
                       struct smap_error *err)
{
    struct smap_best_state *s = c->s;
    const struct smap_levels *levels = s->options->levels;
    uint32_t *count = calloc(s->in->grid->cells, sizeof(*count));
    uint32_t objects = 0;
    int rc = count ? SMAP_OK : smap_nomem(err);
    for (uint32_t node = 0; rc == SMAP_OK && node < s->nodes; node++) {
        struct smap_inside inside = {0};
        rc =
            smap_levels_inside(&inside, NULL, levels, smap_nodesizes_size(s->in->sizes, node), err);
        for (uint32_t k = 0; rc == SMAP_OK && k < inside.seats; k++) {
            const uint32_t *object = inside.object + level;
            if (k == 0 || object[k * inside.levels] != object[(size_t)(k - 1) * inside.levels])
                objects++;
            count[objects - 1]++;
        }
        smap_inside_clear(&inside);
    }
    *parts = NULL;
    if (rc == SMAP_OK && objects < s->in->grid->cells && objects > s->nodes)
        rc = smap_nodesizes_create(parts, count, objects, err);
    free(count);
    return rc;
}

int smap_best_levels(struct smap_best_state *s, struct smap_error *err)
{
    struct choice c = {.s = s, .total = UINT64_MAX};
    int rc = SMAP_OK;
    if (s->options->objective != SMAP_OBJECTIVE_LEVELS || !s->options->levels)
        return SMAP_OK;
    rc = smap_best_restore(s, err);
    if (rc == SMAP_OK)
        rc = total_of(&c.total, s, s->node_of_cell, s->result->score.jsum, err);
    for (size_t i = 0; rc == SMAP_OK && i < s->start_count; i++) {
        memcpy(s->node_of_cell, s->starts[i].node_of_cell,
               s->in->grid->cells * sizeof(*s->node_of_cell));
        rc = consider(&c, NULL, err);
    }
    if (rc == SMAP_OK)
        rc = try_algorithm(&c, &smap_algorithm_blocked, s->in->sizes, err);
    if (rc == SMAP_OK)
        rc = try_algorithms(&c, s->in->sizes, err);
    for (size_t l = 0; rc == SMAP_OK && l + 1 < s->options->levels->hierarchy.count; l++) {
        struct smap_nodesizes *parts;
        rc = split_nodes(&parts, &c, l, err);
        if (rc == SMAP_OK && parts)
            rc = try_algorithms(&c, parts, err);
        smap_nodesizes_destroy(parts);
    }
    return rc;
}
