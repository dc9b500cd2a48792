/* SPDX-License-Identifier: BSD-3-Clause */
/* Bands: the strips of the 2020 paper with every choice left open - along which dimension they run,
 * how wide they are in each of the others, in which order they come, how a cross-section is filled.
 * A band layout is a few numbers, has a short text form, and knows every cell's position without a
 * table. */
#ifndef SMAP_BANDS_H
#define SMAP_BANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "grid/grid.h"

/* A dimension is divided into count[0] bands of width[0] and, behind them, count[1] of width[1]. */
struct smap_bands_division {
    uint32_t count[2];
    uint32_t width[2];
};

struct smap_bands {
    size_t run;                  /* the dimension along which the bands run */
    size_t order[SMAP_DIMS_MAX]; /* the other ndims - 1 dimensions, slowest first */
    bool snake;                  /* cross-sections are filled back and forth, else row by row */
    struct smap_bands_division division[SMAP_DIMS_MAX]; /* by dimension; unused for the run */
};

/* A dimension divided evenly: bands whose widths differ by one at most, the wide ones last. */
struct smap_bands_division smap_bands_even(uint32_t size, uint32_t bands);

/* The cell at a position, as coordinates, and back: O(d). */
void smap_bands_cell(uint32_t coords[], const struct smap_bands *bands,
                     const struct smap_grid *grid, uint32_t position);
uint32_t smap_bands_position(const struct smap_bands *bands, const struct smap_grid *grid,
                             const uint32_t coords[]);

/* All cells in order of position: p entries, O(p). */
void smap_bands_cells(uint32_t cell_at[], const struct smap_bands *bands,
                      const struct smap_grid *grid);

/* How many cells the band has that begins at a position. */
uint32_t smap_bands_length(const struct smap_bands *bands, const struct smap_grid *grid,
                           uint32_t position);

/* "run=0,snake=1,1:3x15+1x3", dimensions slowest first; owned by the caller, NULL without
 * memory. And back: false if the text is no layout of this grid. */
char *smap_bands_format(const struct smap_bands *bands, const struct smap_grid *grid);
bool smap_bands_parse(struct smap_bands *bands, const struct smap_grid *grid, const char *text);

#endif
