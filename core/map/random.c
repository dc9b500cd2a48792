/* SPDX-License-Identifier: BSD-3-Clause */
/* A random order of the cells: the control that every mapping should beat. "random:SEED" is another
 * one for every seed, the same on every machine. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"
#include "map/table_private.h"

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    uint64_t seed = m->options.seed;
    const char *cursor = strchr(m->text, ':');
    if (cursor && (cursor++, !smap_scan_uint(&cursor, UINT64_MAX, &seed) || *cursor != '\0'))
        return smap_fail(err, SMAP_EINVAL, "random:SEED wants a number as seed");
    struct smap_table *table = calloc(1, sizeof(*table));
    if (!table)
        return smap_nomem(err);
    m->params = table;
    int rc = smap_table_create(table, m->in.grid, err);
    if (rc != SMAP_OK)
        return rc;
    uint64_t state = (seed + 1) * SMAP_GOLDEN;
    state = state ? state : 1;
    for (uint32_t q = 0; q < m->in.grid->cells; q++) {
        uint32_t at = smap_random_below((uint32_t)(smap_random(&state) >> 32), (uint64_t)q + 1);
        table->cell_at[q] = table->cell_at[at];
        table->cell_at[at] = q;
    }
    smap_table_invert(table, m->in.grid);
    return SMAP_OK;
}

const struct smap_algorithm smap_algorithm_random = {
    .name = "random",
    .summary = "a random order, random:SEED for another one: the control",
    .prepare = prepare,
    .release = smap_table_free,
    .cell = smap_table_cell,
    .position = smap_table_position,
    .cells = smap_table_cells,
};
