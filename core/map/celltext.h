/* SPDX-License-Identifier: BSD-3-Clause */
/* The node of every cell as a short text, for divisions that no closed form gives: whoever has
 * searched tells the others what was found.
 *
 * The cells come row-major. "17" is a cell of node 17; "b4" are four cells that each are on the
 * same node as the cell one step back in dimension b (a is the first one); "b" alone is one such
 * cell. A comma stands before every node but the first. So the four blocks of 2x2 cells on a grid
 * of 4x4 are "0b,1ba4,2b,3ba4". */
#ifndef SMAP_CELLTEXT_H
#define SMAP_CELLTEXT_H

#include "base/error.h"
#include "grid/grid.h"

/* *text gets the text, the caller's to free; or NULL if it would have more than max characters,
 * which is no error. */
int smap_celltext_format(char **text, const struct smap_grid *grid, const uint32_t node_of_cell[],
                         size_t max, struct smap_error *err);

/* Fills node_of_cell, one entry for each cell of the grid, with nodes below `nodes`. The work is
 * that of the text and the cells. Refused: anything that is not such a text of this grid. */
int smap_celltext_parse(uint32_t node_of_cell[], const struct smap_grid *grid, uint32_t nodes,
                        const char *text, struct smap_error *err);

#endif
