/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "map/algorithm.h"

/* *value becomes the place of the text among the words; without a text 0, the default. */
static int parse_word(size_t *value, const char *const words[], const char *text, const char *list,
                      struct smap_error *err)
{
    *value = 0;
    while (text && words[*value] && strcmp(words[*value], text) != 0)
        ++*value;
    return words[*value] ? SMAP_OK : smap_fail(err, SMAP_EINVAL, "not one of %s", list);
}

int smap_effort_parse(enum smap_effort *effort, const char *text, struct smap_error *err)
{
    static const char *const words[] = {[SMAP_EFFORT_NORMAL] = "normal",
                                        [SMAP_EFFORT_FAST] = "fast",
                                        [SMAP_EFFORT_THOROUGH] = "thorough",
                                        NULL};
    size_t value;
    int rc = parse_word(&value, words, text, "fast, normal, thorough", err);
    if (rc == SMAP_OK)
        *effort = (enum smap_effort)value;
    return rc;
}

int smap_objective_parse(enum smap_objective *objective, const char *text, struct smap_error *err)
{
    static const char *const words[] = {[SMAP_OBJECTIVE_SUM] = "sum",
                                        [SMAP_OBJECTIVE_MAX] = "max",
                                        [SMAP_OBJECTIVE_LEVELS] = "levels",
                                        NULL};
    size_t value;
    int rc = parse_word(&value, words, text, "sum, max, levels", err);
    if (rc == SMAP_OK)
        *objective = (enum smap_objective)value;
    return rc;
}

/* Do the parts of an instance belong together? */
static int check_instance(const struct smap_instance *in, struct smap_error *err)
{
    if (in->graph && (in->graph->cells != in->grid->cells || in->grid->ndims != 1))
        return smap_fail(err, SMAP_EINVAL, "the graph is not of the grid's cells");
    if (!in->graph && in->stencil->ndims != in->grid->ndims)
        return smap_fail(err, SMAP_EINVAL, "the stencil has %zu dimensions, the grid has %zu",
                         in->stencil->ndims, in->grid->ndims);
    if (smap_nodesizes_tasks(in->sizes) != in->grid->cells)
        return smap_fail(err, SMAP_EINVAL,
                         "the grid has %" PRIu32 " cells, the nodes have %" PRIu32 " tasks",
                         in->grid->cells, smap_nodesizes_tasks(in->sizes));
    return SMAP_OK;
}

static int fill_table(struct smap_mapping *m, struct smap_error *err)
{
    m->cell_at = calloc(m->in.grid->cells, sizeof(*m->cell_at));
    return m->cell_at ? m->algorithm->fill(m->cell_at, m, err) : smap_nomem(err);
}

static int invert_table(struct smap_mapping *m, struct smap_error *err)
{
    m->position_of = calloc(m->in.grid->cells, sizeof(*m->position_of));
    if (!m->position_of)
        return smap_nomem(err);
    for (uint32_t q = 0; q < m->in.grid->cells; q++)
        m->position_of[m->cell_at[q]] = q;
    return SMAP_OK;
}

int smap_mapping_create(struct smap_mapping **mapping, const struct smap_algorithm *algorithm,
                        const struct smap_instance *instance,
                        const struct smap_mapping_options *options, struct smap_error *err)
{
    const struct smap_mapping_options defaults = {.parameter = NULL};
    options = options ? options : &defaults;
    int rc = check_instance(instance, err);
    if (rc != SMAP_OK)
        return rc;
    if (instance->graph && !algorithm->graphs)
        return smap_fail(err, SMAP_ENOTSUP, "%s needs a grid; best maps communication graphs",
                         algorithm->name);
    if (algorithm->equal_sizes && smap_nodesizes_uniform(instance->sizes) == 0)
        return smap_fail(err, SMAP_ENOTSUP, "%s needs the same number of tasks on every node",
                         algorithm->name);
    struct smap_mapping *m = calloc(1, sizeof(*m));
    if (!m)
        return smap_nomem(err);
    m->algorithm = algorithm;
    m->in = *instance;
    m->options = *options;
    m->parameter = options->parameter ? strdup(options->parameter) : NULL;
    if (options->parameter && !m->parameter)
        rc = smap_nomem(err);
    if (rc == SMAP_OK && algorithm->prepare)
        rc = algorithm->prepare(m, err);
    if (rc == SMAP_OK && algorithm->fill)
        rc = fill_table(m, err);
    if (rc == SMAP_OK && m->cell_at)
        rc = invert_table(m, err);
    if (rc != SMAP_OK) {
        smap_mapping_destroy(m);
        return rc;
    }
    m->options = defaults;
    *mapping = m;
    return SMAP_OK;
}

void smap_mapping_destroy(struct smap_mapping *mapping)
{
    if (!mapping)
        return;
    smap_mapping_destroy(mapping->stand_in);
    free(mapping->cell_at);
    free(mapping->position_of);
    free(mapping->params);
    free(mapping->parameter);
    free(mapping);
}

/* The one that answers. */
static const struct smap_mapping *answering(const struct smap_mapping *mapping)
{
    return mapping->stand_in ? mapping->stand_in : mapping;
}

uint32_t smap_mapping_cell(const struct smap_mapping *mapping, uint32_t position)
{
    const struct smap_mapping *m = answering(mapping);
    uint32_t coords[SMAP_DIMS_MAX];
    if (m->cell_at)
        return m->cell_at[position];
    m->algorithm->cell(coords, m, position);
    return smap_grid_cell(m->in.grid, coords);
}

uint32_t smap_mapping_position(const struct smap_mapping *mapping, uint32_t cell)
{
    const struct smap_mapping *m = answering(mapping);
    uint32_t coords[SMAP_DIMS_MAX];
    if (m->position_of)
        return m->position_of[cell];
    smap_grid_coords(coords, m->in.grid, cell);
    return m->algorithm->position(m, coords);
}

uint32_t smap_mapping_node(const struct smap_mapping *mapping, uint32_t cell)
{
    return smap_nodesizes_node_at(mapping->in.sizes, smap_mapping_position(mapping, cell));
}

void smap_mapping_cells(uint32_t cell_at[], const struct smap_mapping *mapping)
{
    const struct smap_mapping *m = answering(mapping);
    if (m->cell_at)
        memcpy(cell_at, m->cell_at, m->in.grid->cells * sizeof(*cell_at));
    else if (m->algorithm->cells)
        m->algorithm->cells(cell_at, m);
    else
        for (uint32_t q = 0; q < m->in.grid->cells; q++)
            cell_at[q] = smap_mapping_cell(m, q);
}

int smap_mapping_nodes(uint32_t node_of_cell[], const struct smap_mapping *mapping,
                       struct smap_error *err)
{
    uint32_t *cell_at = calloc(mapping->in.grid->cells, sizeof(*cell_at));
    if (!cell_at)
        return smap_nomem(err);
    smap_mapping_cells(cell_at, mapping);
    uint32_t nodes = smap_nodesizes_nodes(mapping->in.sizes);
    for (uint32_t node = 0, q = 0; node < nodes; node++)
        for (uint32_t end = smap_nodesizes_first(mapping->in.sizes, node + 1); q < end; q++)
            node_of_cell[cell_at[q]] = node;
    free(cell_at);
    return SMAP_OK;
}
