/* SPDX-License-Identifier: BSD-3-Clause */
/* A random order of the cells: the control that every mapping should beat. "random:SEED" is another
 * one for every seed, the same on every machine. */
#include "base/numbers.h"
#include "base/text.h"
#include "map/algorithm.h"

static int fill(uint32_t cell_at[], const struct smap_mapping *m, struct smap_error *err)
{
    uint64_t seed = 0;
    const char *cursor = m->parameter;
    if (cursor && (!smap_scan_uint(&cursor, UINT64_MAX, &seed) || *cursor != '\0'))
        return smap_fail(err, SMAP_EINVAL, "random:SEED wants a number as seed");
    uint64_t state = (seed + 1) * SMAP_GOLDEN;
    state = state ? state : 1;
    for (uint32_t q = 0; q < m->in.grid->cells; q++) {
        uint32_t at = smap_random_below((uint32_t)(smap_random(&state) >> 32), (uint64_t)q + 1);
        cell_at[q] = cell_at[at];
        cell_at[at] = q;
    }
    return SMAP_OK;
}

const struct smap_algorithm smap_algorithm_random = {
    .name = "random",
    .summary = "a random order, random:SEED for another one: the control",
    .graphs = true,
    .parameter = SMAP_PARAMETER_OPTIONAL,
    .whole_grid = true,
    .control = true,
    .fill = fill,
};
