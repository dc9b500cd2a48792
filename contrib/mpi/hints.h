/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Slurm plugin tells every task in STENCILMAP_* variables, as far as the MPI side can use
 * it. Hints are facts about the step, and they may be stale, inherited or mangled: what cannot be
 * read counts as not there. */
#ifndef SMAP_MPI_HINTS_H
#define SMAP_MPI_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "grid/grid.h"
#include "grid/score.h"
#include "grid/stencil.h"

struct smap_hints {
    bool grid_known; /* DIMS, and PERIODIC where given */
    struct smap_grid grid;
    struct smap_stencil *stencil; /* NULL: not there */
    const char *stencil_text;     /* as the user wrote it */
    bool rank_known;
    uint32_t rank;         /* this task's cell */
    bool part;             /* RANKS: the grid is part of MPI_COMM_WORLD's ranks, ... */
    uint32_t first;        /* ... from this one on */
    bool launch;           /* PLACEMENT: srun has put the ranks where their cells belong */
    const char *placement; /* NULL: not there */
    const char *map;       /* how the mapping was made; NULL: not there */
    const char *algorithm; /* the same, if it names an algorithm that can be used again; or NULL */
    bool jsum_known;
    uint64_t jsum; /* what the plugin predicts for its mapping */
    /* Does it also say what there is without the mapping? Then nobody has to find out whether it is
     * better. */
    bool gain_known;
    struct smap_score before, after;
};

/* Reads the environment. The texts stay in it, so hints live only until it changes. */
void smap_hints_read(struct smap_hints *hints);
void smap_hints_clear(struct smap_hints *hints);

/* Is this one of the words of STENCILMAP_MPI, which are separated by commas: off, verbose, dims? */
bool smap_hints_mode(const char *word);

/* Are the hints about this grid and this stencil (NULL: whatever theirs is)? */
bool smap_hints_fit(const struct smap_hints *hints, const struct smap_grid *grid,
                    const struct smap_stencil *stencil);

/* The same offsets and weights, in any order? False also without memory. */
bool smap_stencil_same(const struct smap_stencil *a, const struct smap_stencil *b);

/* To compare stencils across processes. */
uint64_t smap_stencil_fingerprint(const struct smap_stencil *stencil);

#endif
