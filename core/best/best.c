/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best.h"

#include <stdlib.h>

#include "map/algorithm.h"

/* The algorithm that gives the result again answers in place of `best`. */
static int make_stand_in(struct smap_mapping *m, const struct smap_best_result *result,
                         struct smap_error *err)
{
    struct smap_mapping_options options = {.parameter = NULL};
    char *bands = NULL;
    if (result->algorithm == &smap_algorithm_bands) {
        options.parameter = bands = smap_bands_format(&result->bands, m->in.grid);
        if (!bands)
            return smap_nomem(err);
    }
    int rc = smap_mapping_create(&m->stand_in, result->algorithm, &m->in, &options, err);
    free(bands);
    return rc;
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct smap_best_result *result = calloc(1, sizeof(*result));
    if (!result)
        return smap_nomem(err);
    m->params = result;
    int rc = smap_best_search(result, &m->in, &m->options, err);
    if (rc != SMAP_OK || result->algorithm)
        return rc == SMAP_OK ? make_stand_in(m, result, err) : rc;
    /* The cells of a node keep their row-major order. */
    m->cell_at = smap_nodesizes_sort(m->in.sizes, result->node_of_cell);
    free(result->node_of_cell);
    result->node_of_cell = NULL;
    return m->cell_at ? SMAP_OK : smap_nomem(err);
}

const struct smap_algorithm smap_algorithm_best = {
    .name = "best",
    .summary = "the best of all the others and of a search (see --stencil-effort)",
    .whole_grid = true,
    .graphs = true,
    .searches = true,
    .prepare = prepare,
};

const struct smap_best_result *smap_best_result(const struct smap_mapping *mapping)
{
    return mapping->algorithm == &smap_algorithm_best ? mapping->params : NULL;
}
