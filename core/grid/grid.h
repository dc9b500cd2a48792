/* SPDX-License-Identifier: BSD-3-Clause */
/* The Cartesian process grid: dims D = [d_0, ..., d_{k-1}], a periodic flag per dimension, and
 * cells numbered row-major (last dimension fastest), as MPI_Cart_rank does. */
#ifndef SMAP_GRID_H
#define SMAP_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SMAP_DIMS_MAX 16 /* dimensions; codes have up to 6 */

/* The "cell" of a process that has none. */
#define SMAP_NO_CELL UINT32_MAX

struct smap_grid {
    size_t ndims;
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX];
    uint32_t cells; /* the product of dims */
};

/* Fills grid; every dim at least 1, product at most SMAP_TASKS_MAX. periodic may be NULL (none). */
int smap_grid_init(struct smap_grid *grid, size_t ndims, const uint32_t dims[],
                   const bool periodic[], struct smap_error *err);

/* Parses "50x48" into dims; *ndims gets the count. A trailing ",column" sets *column (for codes
 * that number their ranks column-major: the caller reverses dims, periodic flags and offsets). */
int smap_dims_parse(uint32_t dims[SMAP_DIMS_MAX], size_t *ndims, bool *column, const char *text,
                    struct smap_error *err);

/* Parses "1,0" into flags; *count gets how many there were. */
int smap_periodic_parse(bool periodic[SMAP_DIMS_MAX], size_t *count, const char *text,
                        struct smap_error *err);

/* Row-major number of a cell <-> its coordinates. */
void smap_grid_coords(uint32_t coords[], const struct smap_grid *grid, uint32_t cell);
uint32_t smap_grid_cell(const struct smap_grid *grid, const uint32_t coords[]);

/* The cell that an offset of the stencil leads to from the cell at coords (sign 1), or from which
 * it leads there (sign -1): ends wrap round in periodic dimensions, so the cell itself is possible.
 * False out of the grid. In the header because greedy and the graph of refinement ask for every
 * edge. */
static inline bool smap_grid_neighbour(uint32_t *neighbour, const struct smap_grid *grid,
                                       const uint32_t coords[], const int32_t offset[], int sign)
{
    uint32_t cell = 0;
    for (size_t i = 0; i < grid->ndims; i++) {
        int64_t size = grid->dims[i], x = (int64_t)coords[i] + (int64_t)sign * offset[i];
        if (x < 0 || x >= size) {
            if (!grid->periodic[i])
                return false;
            x = (x % size + size) % size;
        }
        cell = cell * grid->dims[i] + (uint32_t)x;
    }
    *neighbour = cell;
    return true;
}

/* The text that smap_dims_parse reads; owned by the caller, NULL without memory. */
char *smap_dims_format(const uint32_t dims[], size_t ndims, bool column);

#endif
