/* SPDX-License-Identifier: BSD-3-Clause */
/* Which grid is a code? From the record of a run: dims, stencil, periodic dimensions, weights, and
 * which ranks are the grid. Nothing about the code is known but who sent how much to whom, and the
 * calls of MPI_Cart_create that were seen. */
#ifndef SMAP_DETECT_H
#define SMAP_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/grid.h"
#include "grid/stencil.h"
#include "record/record.h"

/* Ranks first to last, without phase, phase + every, phase + 2 every, ..., `times` of them (0:
 * none), and without those that are marked in `out`, an entry per rank of the record (NULL: none).
 */
struct smap_rank_set {
    uint32_t first, last;
    uint32_t every, phase, times;
    bool *out;
};

/* The number of ranks of a set, and the cell of each rank of the record: cells are numbered in
 * order of the ranks, SMAP_NO_CELL for the others. */
uint32_t smap_rank_set_cells(uint32_t cell_of_rank[], const struct smap_rank_set *set,
                             uint32_t ranks);

struct smap_finding {
    struct smap_rank_set ranks; /* `out` is owned */
    struct smap_grid grid;      /* row-major in order of the ranks */
    /* The pairs that the grid has, each once, weighted by bytes: periodic dimensions of size 2 are
     * not periodic here, where that would count pairs twice. */
    struct smap_grid counted;
    struct smap_stencil *stencil;
    char *stencil_text; /* as --stencil reads it: a name, a name with weights, or offsets */
    const char *name;   /* nn, moore, ... if it has these offsets, whatever they weigh; or NULL */
    uint64_t pairs, bytes; /* of the record that are pairs of the grid */
    uint64_t grid_pairs;   /* so many pairs the grid has */
    bool cart;             /* MPI_Cart_create made this grid */
    double bits;           /* how long the record is with this grid told first */
};

/* The first `parts` findings are the best answer together: one grid, or several grids of ranks of
 * their own, that with most bytes first. Behind them are other answers to the first one's ranks,
 * the best first. None at all: nothing fits. */
struct smap_detection {
    size_t count, parts;
    struct smap_finding *finding;
    double bits_nothing; /* how long the record is without any grid */
    double bits;         /* with the best answer */
    /* A grid of MPI_Cart_create that does not explain what was sent; ndims 0: none. */
    struct smap_grid cart;
};

/* Time O(edges) for each of at most some hundred grids; of more than 12000 edges only a sample
 * decides which grids are worth looking at all of them. */
int smap_detect(struct smap_detection *detection, const struct smap_record *record,
                struct smap_error *err);
void smap_detection_clear(struct smap_detection *detection);

/* Do both have the same pairs, on the same ranks? Then either is right. */
bool smap_finding_same_pairs(const struct smap_finding *a, const struct smap_finding *b);

/* Is answer i > 0 as good as the first, but of other pairs? */
bool smap_detection_ties(const struct smap_detection *detection, size_t i);

/* Texts, the caller's to free, NULL without memory. The options of srun that say so:
 * "--stencil-map --stencil-dims=2x4x4 --stencil='27pt*64,8,1'"; --stencil-map=best without its
 * name. For ranks that no --stencil-ranks can name it is NULL too, and *reason says why. */
char *smap_finding_options(const struct smap_finding *finding, uint32_t ranks, const char **reason);
/* "2x4x4", "1,0,0", "ranks 4-35". */
char *smap_finding_dims(const struct smap_finding *finding);
char *smap_finding_periodic(const struct smap_finding *finding);
char *smap_finding_ranks(const struct smap_finding *finding, uint32_t ranks);

#endif
