/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "map/algorithm.h"

static void blocked_cell(const struct smap_mapping *m, uint32_t position, uint32_t coords[])
{
    smap_grid_coords(coords, m->in.grid, position);
}

static uint32_t blocked_position(const struct smap_mapping *m, const uint32_t coords[])
{
    return smap_grid_cell(m->in.grid, coords);
}

static const struct smap_algorithm blocked = {
    .name = "blocked",
    .summary = "cells in row-major order, as Slurm's block distribution",
    .cell = blocked_cell,
    .position = blocked_position,
};

static const struct smap_algorithm *const algorithms[] = {
    &blocked,
    &smap_algorithm_hyperplane,
    &smap_algorithm_kdtree,
    &smap_algorithm_strips,
    &smap_algorithm_nodecart,
    &smap_algorithm_best,
    &smap_algorithm_greedy,
    &smap_algorithm_hyperplane_thesis,
    &smap_algorithm_cuts,
    &smap_algorithm_random,
};

static const struct smap_algorithm *find(const char *name)
{
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
        if (strcmp(algorithms[i]->name, name) == 0)
            return algorithms[i];
    if (strncmp(name, "random:", strlen("random:")) == 0)
        return &smap_algorithm_random;
    if (strncmp(name, smap_algorithm_bands.name, strlen(smap_algorithm_bands.name)) == 0)
        return &smap_algorithm_bands;
    return NULL;
}

bool smap_mapping_algorithm(size_t i, const char **name, const char **summary)
{
    if (i >= sizeof(algorithms) / sizeof(algorithms[0]))
        return false;
    *name = algorithms[i]->name;
    *summary = algorithms[i]->summary;
    return true;
}

bool smap_mapping_known(const char *algorithm)
{
    return find(algorithm) != NULL;
}

static int parse_word(const char *const words[], const int values[], const char *text,
                      const char *what, int *value, struct smap_error *err)
{
    for (size_t i = 0; words[i]; i++)
        if (!text || strcmp(words[i], text) == 0) {
            *value = values[i];
            return SMAP_OK;
        }
    return smap_fail(err, SMAP_EINVAL, "not one of %s", what);
}

int smap_effort_parse(enum smap_effort *effort, const char *text, struct smap_error *err)
{
    static const char *const words[] = {"normal", "fast", "thorough", NULL};
    static const int values[] = {SMAP_EFFORT_NORMAL, SMAP_EFFORT_FAST, SMAP_EFFORT_THOROUGH};
    int value = SMAP_EFFORT_NORMAL;
    int rc = parse_word(words, values, text, "fast, normal, thorough", &value, err);
    *effort = (enum smap_effort)value;
    return rc;
}

int smap_objective_parse(enum smap_objective *objective, const char *text, struct smap_error *err)
{
    static const char *const words[] = {"sum", "max", "levels", NULL};
    static const int values[] = {SMAP_OBJECTIVE_SUM, SMAP_OBJECTIVE_MAX, SMAP_OBJECTIVE_LEVELS};
    int value = SMAP_OBJECTIVE_SUM;
    int rc = parse_word(words, values, text, "sum, max, levels", &value, err);
    *objective = (enum smap_objective)value;
    return rc;
}

/* Do the parts of an instance belong together? */
static int check_instance(const struct smap_instance *in, struct smap_error *err)
{
    if (in->stencil->ndims != in->grid->ndims)
        return smap_fail(err, SMAP_EINVAL, "the stencil has %zu dimensions, the grid has %zu",
                         in->stencil->ndims, in->grid->ndims);
    if (smap_nodesizes_tasks(in->sizes) != in->grid->cells)
        return smap_fail(err, SMAP_EINVAL,
                         "the grid has %" PRIu32 " cells, the nodes have %" PRIu32 " tasks",
                         in->grid->cells, smap_nodesizes_tasks(in->sizes));
    return SMAP_OK;
}

int smap_mapping_create(struct smap_mapping **mapping, const char *algorithm,
                        const struct smap_instance *instance,
                        const struct smap_mapping_options *options, struct smap_error *err)
{
    const struct smap_algorithm *found = find(algorithm);
    if (!found)
        return smap_fail(err, SMAP_EINVAL, "'%.100s' is no mapping algorithm", algorithm);
    int rc = check_instance(instance, err);
    if (rc != SMAP_OK)
        return rc;
    struct smap_mapping *m = calloc(1, sizeof(*m));
    if (!m)
        return smap_nomem(err);
    *m = (struct smap_mapping){.algorithm = found,
                               .in = *instance,
                               .options = options ? *options : (struct smap_mapping_options){0},
                               .text = algorithm};
    rc = found->prepare ? found->prepare(m, err) : SMAP_OK;
    if (rc != SMAP_OK) {
        smap_mapping_destroy(m);
        return rc;
    }
    m->text = NULL;
    *mapping = m;
    return SMAP_OK;
}

void smap_mapping_destroy(struct smap_mapping *mapping)
{
    if (!mapping)
        return;
    if (mapping->algorithm->release)
        mapping->algorithm->release(mapping);
    free(mapping->params);
    free(mapping);
}

uint32_t smap_mapping_cell(const struct smap_mapping *mapping, uint32_t position)
{
    uint32_t coords[SMAP_DIMS_MAX];
    mapping->algorithm->cell(mapping, position, coords);
    return smap_grid_cell(mapping->in.grid, coords);
}

uint32_t smap_mapping_position(const struct smap_mapping *mapping, uint32_t cell)
{
    uint32_t coords[SMAP_DIMS_MAX];
    smap_grid_coords(coords, mapping->in.grid, cell);
    return mapping->algorithm->position(mapping, coords);
}

uint32_t smap_mapping_node(const struct smap_mapping *mapping, uint32_t cell)
{
    return smap_nodesizes_node_at(mapping->in.sizes, smap_mapping_position(mapping, cell));
}

void smap_mapping_cells(const struct smap_mapping *mapping, uint32_t cell_at[])
{
    if (mapping->algorithm->cells) {
        mapping->algorithm->cells(mapping, cell_at);
        return;
    }
    for (uint32_t q = 0; q < mapping->in.grid->cells; q++)
        cell_at[q] = smap_mapping_cell(mapping, q);
}

int smap_mapping_nodes(const struct smap_mapping *mapping, uint32_t node_of_cell[],
                       struct smap_error *err)
{
    uint32_t *cell_at = calloc(mapping->in.grid->cells, sizeof(*cell_at));
    if (!cell_at)
        return smap_nomem(err);
    smap_mapping_cells(mapping, cell_at);
    uint32_t nodes = smap_nodesizes_nodes(mapping->in.sizes);
    for (uint32_t node = 0, q = 0; node < nodes; node++)
        for (uint32_t end = smap_nodesizes_first(mapping->in.sizes, node + 1); q < end; q++)
            node_of_cell[cell_at[q]] = node;
    free(cell_at);
    return SMAP_OK;
}

void smap_box_whole(struct smap_box *box, const struct smap_grid *grid)
{
    *box = (struct smap_box){.cells = grid->cells};
    memcpy(box->size, grid->dims, grid->ndims * sizeof(box->size[0]));
}

void smap_box_cut(const struct smap_box *box, size_t dim, uint32_t a, struct smap_box *left,
                  struct smap_box *right)
{
    uint32_t slice = box->cells / box->size[dim];
    *left = *box;
    left->size[dim] = a;
    left->cells = slice * a;
    *right = *box;
    right->low[dim] += a;
    right->size[dim] -= a;
    right->cells = box->cells - left->cells;
}

void smap_box_coords(const struct smap_box *box, size_t ndims, const size_t order[], uint32_t q,
                     uint32_t coords[])
{
    for (size_t k = ndims; k-- > 0;) {
        size_t i = order[k];
        coords[i] = box->low[i] + q % box->size[i];
        q /= box->size[i];
    }
}

uint32_t smap_box_index(const struct smap_box *box, size_t ndims, const size_t order[],
                        const uint32_t coords[])
{
    uint32_t q = 0;
    for (size_t k = 0; k < ndims; k++)
        q = q * box->size[order[k]] + (coords[order[k]] - box->low[order[k]]);
    return q;
}
