/* SPDX-License-Identifier: BSD-3-Clause */
/* What mapping.c and the algorithms share; private to the library. */
#ifndef SMAP_ALGORITHM_H
#define SMAP_ALGORITHM_H

#include "map/mapping.h"

struct smap_mapping {
    const struct smap_algorithm *algorithm;
    struct smap_instance in;
    struct smap_mapping_options options;
    const char *text; /* the name it was asked for by; valid during prepare */
    void *params;     /* what prepare found out, freed with the mapping */
};

struct smap_algorithm {
    const char *name;
    const char *summary;
    /* Finds out what depends on the instance alone. NULL: nothing. */
    int (*prepare)(struct smap_mapping *mapping, struct smap_error *err);
    /* Frees what params points to; params itself is freed with the mapping. NULL: nothing. */
    void (*release)(struct smap_mapping *mapping);
    /* The cell at a position, as coordinates, and back. */
    void (*cell)(const struct smap_mapping *mapping, uint32_t position, uint32_t coords[]);
    uint32_t (*position)(const struct smap_mapping *mapping, const uint32_t coords[]);
    /* NULL: cell is called for every position. */
    void (*cells)(const struct smap_mapping *mapping, uint32_t cell_at[]);
};

extern const struct smap_algorithm smap_algorithm_hyperplane;
extern const struct smap_algorithm smap_algorithm_kdtree;
extern const struct smap_algorithm smap_algorithm_strips;
extern const struct smap_algorithm smap_algorithm_nodecart;
extern const struct smap_algorithm smap_algorithm_hyperplane_thesis;
extern const struct smap_algorithm smap_algorithm_cuts;
extern const struct smap_algorithm smap_algorithm_greedy;
extern const struct smap_algorithm smap_algorithm_random; /* also random:SEED */
extern const struct smap_algorithm smap_algorithm_best;
extern const struct smap_algorithm smap_algorithm_bands; /* not listed: its name is a prefix */

/* A box of cells: what recursive algorithms cut. */
struct smap_box {
    uint32_t low[SMAP_DIMS_MAX];
    uint32_t size[SMAP_DIMS_MAX];
    uint32_t cells;
};

void smap_box_whole(struct smap_box *box, const struct smap_grid *grid);

/* Cuts a box across a dimension: left keeps the first a slices of it, right gets the others. */
void smap_box_cut(const struct smap_box *box, size_t dim, uint32_t a, struct smap_box *left,
                  struct smap_box *right);

/* The cells of a box in nested loops, order[0] the slowest dimension: the coordinates of the q-th
 * cell, and back. */
void smap_box_coords(const struct smap_box *box, size_t ndims, const size_t order[], uint32_t q,
                     uint32_t coords[]);
uint32_t smap_box_index(const struct smap_box *box, size_t ndims, const size_t order[],
                        const uint32_t coords[]);

#endif
