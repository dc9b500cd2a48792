/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/table_private.h"

#include <stdlib.h>
#include <string.h>

int smap_table_create(struct smap_table *table, const struct smap_grid *grid,
                      struct smap_error *err)
{
    table->cell_at = calloc(grid->cells, sizeof(*table->cell_at));
    table->position_of = calloc(grid->cells, sizeof(*table->position_of));
    if (table->cell_at && table->position_of)
        return SMAP_OK;
    smap_table_release(table);
    return smap_nomem(err);
}

void smap_table_release(struct smap_table *table)
{
    free(table->cell_at);
    free(table->position_of);
    *table = (struct smap_table){NULL, NULL};
}

void smap_table_invert(struct smap_table *table, const struct smap_grid *grid)
{
    for (uint32_t q = 0; q < grid->cells; q++)
        table->position_of[table->cell_at[q]] = q;
}

void smap_table_free(struct smap_mapping *m)
{
    if (m->params)
        smap_table_release(m->params);
}

void smap_table_cell(const struct smap_mapping *m, uint32_t position, uint32_t coords[])
{
    const struct smap_table *table = m->params;
    smap_grid_coords(coords, m->in.grid, table->cell_at[position]);
}

uint32_t smap_table_position(const struct smap_mapping *m, const uint32_t coords[])
{
    const struct smap_table *table = m->params;
    return table->position_of[smap_grid_cell(m->in.grid, coords)];
}

void smap_table_cells(const struct smap_mapping *m, uint32_t cell_at[])
{
    const struct smap_table *table = m->params;
    memcpy(cell_at, table->cell_at, m->in.grid->cells * sizeof(*cell_at));
}
