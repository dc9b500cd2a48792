/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best.h"

#include <stdlib.h>
#include <string.h>

#include "map/algorithm.h"

struct params {
    struct smap_best_result result;
    struct smap_mapping *named; /* SMAP_BEST_NAMED */
    uint32_t *cell_at;          /* SMAP_BEST_TABLE, and the inverse */
    uint32_t *position_of;
};

/* The cells of a node keep their row-major order. */
static int make_tables(struct params *p, const struct smap_grid *grid,
                       const struct smap_nodesizes *sizes, struct smap_error *err)
{
    p->cell_at = smap_nodesizes_sort(sizes, p->result.node_of_cell);
    p->position_of = calloc(grid->cells, sizeof(*p->position_of));
    if (!p->cell_at || !p->position_of)
        return smap_nomem(err);
    for (uint32_t q = 0; q < grid->cells; q++)
        p->position_of[p->cell_at[q]] = q;
    free(p->result.node_of_cell);
    p->result.node_of_cell = NULL;
    return SMAP_OK;
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct params *p = calloc(1, sizeof(*p));
    if (!p)
        return smap_nomem(err);
    m->params = p;
    int rc = smap_best_search(&p->result, &m->in, &m->options, err);
    if (rc == SMAP_OK && p->result.kind == SMAP_BEST_NAMED)
        rc = smap_mapping_create(&p->named, p->result.name, &m->in, NULL, err);
    if (rc == SMAP_OK && p->result.kind == SMAP_BEST_TABLE)
        rc = make_tables(p, m->in.grid, m->in.sizes, err);
    return rc;
}

static void release(struct smap_mapping *m)
{
    struct params *p = m->params;
    if (!p)
        return;
    smap_mapping_destroy(p->named);
    free(p->result.node_of_cell);
    free(p->cell_at);
    free(p->position_of);
}

static void cell(const struct smap_mapping *m, uint32_t position, uint32_t coords[])
{
    const struct params *p = m->params;
    if (p->named)
        p->named->algorithm->cell(p->named, position, coords);
    else if (p->cell_at)
        smap_grid_coords(coords, m->in.grid, p->cell_at[position]);
    else
        smap_bands_cell(&p->result.bands, m->in.grid, position, coords);
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    const struct params *p = m->params;
    if (p->named)
        return p->named->algorithm->position(p->named, coords);
    if (p->position_of)
        return p->position_of[smap_grid_cell(m->in.grid, coords)];
    return smap_bands_position(&p->result.bands, m->in.grid, coords);
}

static void cells(const struct smap_mapping *m, uint32_t cell_at[])
{
    const struct params *p = m->params;
    if (p->named)
        smap_mapping_cells(p->named, cell_at);
    else if (p->cell_at)
        memcpy(cell_at, p->cell_at, m->in.grid->cells * sizeof(*cell_at));
    else
        smap_bands_cells(&p->result.bands, m->in.grid, cell_at);
}

const struct smap_algorithm smap_algorithm_best = {
    .name = "best",
    .summary = "the best of all the others and of a search (see --stencil-effort)",
    .prepare = prepare,
    .release = release,
    .cell = cell,
    .position = position,
    .cells = cells,
};

const struct smap_best_result *smap_best_result(const struct smap_mapping *mapping)
{
    if (mapping->algorithm != &smap_algorithm_best)
        return NULL;
    return &((const struct params *)mapping->params)->result;
}

char *smap_best_encode(const struct smap_mapping *mapping)
{
    const struct smap_best_result *r = smap_best_result(mapping);
    if (!r && mapping->algorithm == &smap_algorithm_bands)
        return smap_bands_format(mapping->params, mapping->in.grid);
    if (!r)
        return strdup(mapping->algorithm->name);
    if (r->kind == SMAP_BEST_NAMED)
        return strdup(r->name);
    return r->kind == SMAP_BEST_BANDS ? smap_bands_format(&r->bands, mapping->in.grid) : NULL;
}

/* The short form as a mapping of its own. */

static int bands_prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct smap_bands *bands = calloc(1, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    m->params = bands;
    if (!smap_bands_parse(bands, m->in.grid, m->text))
        return smap_fail(err, SMAP_EINVAL, "'%.100s' is no band layout of this grid", m->text);
    return SMAP_OK;
}

static void bands_cell(const struct smap_mapping *m, uint32_t q, uint32_t coords[])
{
    smap_bands_cell(m->params, m->in.grid, q, coords);
}

static uint32_t bands_position(const struct smap_mapping *m, const uint32_t coords[])
{
    return smap_bands_position(m->params, m->in.grid, coords);
}

static void bands_cells(const struct smap_mapping *m, uint32_t cell_at[])
{
    smap_bands_cells(m->params, m->in.grid, cell_at);
}

const struct smap_algorithm smap_algorithm_bands = {
    .name = "bands:",
    .summary = "strips given by their numbers",
    .prepare = bands_prepare,
    .cell = bands_cell,
    .position = bands_position,
    .cells = bands_cells,
};
