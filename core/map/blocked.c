/* SPDX-License-Identifier: BSD-3-Clause */
/* The baseline: what Slurm's block distribution does. */
#include "map/algorithm.h"

static void cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    smap_grid_coords(coords, m->in.grid, position);
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    return smap_grid_cell(m->in.grid, coords);
}

const struct smap_algorithm smap_algorithm_blocked = {
    .name = "blocked",
    .summary = "cells in row-major order, as Slurm's block distribution",
    .graphs = true,
    .cell = cell,
    .position = position,
};
