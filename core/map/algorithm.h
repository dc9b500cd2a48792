/* SPDX-License-Identifier: BSD-3-Clause */
/* What an algorithm is: a name, traits for those who choose among algorithms without knowing them,
 * and the functions behind mapping.h. A new one is a file in this room and a row in the table of
 * best/algorithms.c. */
#ifndef SMAP_ALGORITHM_H
#define SMAP_ALGORITHM_H

#include "map/mapping.h"

/* "random:7": what follows the colon is the algorithm's own. */
enum smap_parameter { SMAP_PARAMETER_NONE, SMAP_PARAMETER_OPTIONAL, SMAP_PARAMETER_REQUIRED };

struct smap_algorithm {
    const char *name;
    const char *summary; /* one line */
    enum smap_parameter parameter;

    /* Traits. */
    bool whole_grid;    /* looks at all cells and may keep tables of them, see mapping.h: where many
                         * processes need a cell each, one had better do it for all */
    bool equal_sizes;   /* serves nodes of one size only */
    bool graphs;        /* serves communication graphs too, not grids alone */
    bool control;       /* there to be compared with, never to be chosen */
    bool searches;      /* tries the others, by effort and objective */
    uint32_t cells_max; /* on larger grids a search does not try it; 0: on all */

    /* Finds out what depends on the instance alone and leaves it in params, stand_in or cell_at.
     * NULL: nothing. */
    int (*prepare)(struct smap_mapping *mapping, struct smap_error *err);

    /* Either all cells in order of position, which mapping.c keeps as a table ... */
    int (*fill)(uint32_t cell_at[], const struct smap_mapping *mapping, struct smap_error *err);
    /* ... or the closed form, both ways; all NULL where prepare leaves stand_in or cell_at. */
    void (*cell)(uint32_t coords[], const struct smap_mapping *mapping, uint32_t position);
    uint32_t (*position)(const struct smap_mapping *mapping, const uint32_t coords[]);
    /* All cells by the closed form, faster than one by one. NULL: cell is called for each. */
    void (*cells)(uint32_t cell_at[], const struct smap_mapping *mapping);
};

struct smap_mapping {
    const struct smap_algorithm *algorithm;
    struct smap_instance in;
    char *parameter;                     /* NULL: none */
    struct smap_mapping_options options; /* what it points to is there during prepare only */
    void *params;                        /* what prepare found out: one block of memory */
    struct smap_mapping *stand_in;       /* answers in place of this one; NULL: nobody */
    uint32_t *cell_at, *position_of;     /* the table and its inverse; NULL: a closed form */
};

/* All there are, see mapping.h. */
extern const struct smap_algorithm smap_algorithm_blocked;
extern const struct smap_algorithm smap_algorithm_hyperplane;
extern const struct smap_algorithm smap_algorithm_kdtree;
extern const struct smap_algorithm smap_algorithm_strips;
extern const struct smap_algorithm smap_algorithm_nodecart;
extern const struct smap_algorithm smap_algorithm_hyperplane_thesis;
extern const struct smap_algorithm smap_algorithm_cuts;
extern const struct smap_algorithm smap_algorithm_greedy;
extern const struct smap_algorithm smap_algorithm_greedy_distributed;
extern const struct smap_algorithm smap_algorithm_random;
extern const struct smap_algorithm smap_algorithm_bands;
extern const struct smap_algorithm smap_algorithm_cells;
extern const struct smap_algorithm smap_algorithm_best;

#endif
