/* SPDX-License-Identifier: BSD-3-Clause */
/* Bands given by their numbers: how a layout that `best` has found travels from srun to slurmstepd.
 */
#include "map/bands_mapping_private.h"

#include <stdlib.h>

void smap_bands_mapping_cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    smap_bands_cell(coords, m->params, m->in.grid, position);
}

uint32_t smap_bands_mapping_position(const struct smap_mapping *m, const uint32_t coords[])
{
    return smap_bands_position(m->params, m->in.grid, coords);
}

void smap_bands_mapping_cells(uint32_t cell_at[], const struct smap_mapping *m)
{
    smap_bands_cells(cell_at, m->params, m->in.grid);
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct smap_bands *bands = calloc(1, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    m->params = bands;
    if (!smap_bands_parse(bands, m->in.grid, m->parameter))
        return smap_fail(err, SMAP_EINVAL, "'bands:%.100s' is no band layout of this grid",
                         m->parameter);
    return SMAP_OK;
}

const struct smap_algorithm smap_algorithm_bands = {
    .name = "bands",
    .summary = "strips given by their numbers",
    .parameter = SMAP_PARAMETER_REQUIRED,
    .prepare = prepare,
    .cell = smap_bands_mapping_cell,
    .position = smap_bands_mapping_position,
    .cells = smap_bands_mapping_cells,
};
