/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings without a closed form: both directions as tables. Private to the library. */
#ifndef SMAP_TABLE_PRIVATE_H
#define SMAP_TABLE_PRIVATE_H

#include "map/algorithm.h"

struct smap_table {
    uint32_t *cell_at;
    uint32_t *position_of;
};

/* Room for all cells; on failure nothing is left to release. */
int smap_table_create(struct smap_table *table, const struct smap_grid *grid,
                      struct smap_error *err);
void smap_table_release(struct smap_table *table);

/* Fills position_of from cell_at. */
void smap_table_invert(struct smap_table *table, const struct smap_grid *grid);

/* What an algorithm whose params begin with a struct smap_table needs. */
void smap_table_free(struct smap_mapping *m);
void smap_table_cell(const struct smap_mapping *m, uint32_t position, uint32_t coords[]);
uint32_t smap_table_position(const struct smap_mapping *m, const uint32_t coords[]);
void smap_table_cells(const struct smap_mapping *m, uint32_t cell_at[]);

#endif
