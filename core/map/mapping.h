/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings of grid cells to nodes. A mapping is an enumeration of the cells: position q = 0 ... p-1
 * holds cell(q), and the nodes take the positions one after the other, n_i each. So every
 * algorithm gives node i exactly n_i cells, whatever the sizes, and both directions are closed
 * forms that need no table of all ranks. */
#ifndef SMAP_MAPPING_H
#define SMAP_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

struct smap_mapping;

struct smap_levels;

/* What `best` may spend, always a fixed number of steps and never a matter of the clock; and what
 * it improves: the sum of all weight between nodes, then the worst node, or the other way round; or
 * (levels) the sum over the nodes and all levels inside them, smap_levels_total, which is the sum
 * between nodes where no levels are known. */
enum smap_effort { SMAP_EFFORT_NORMAL, SMAP_EFFORT_FAST, SMAP_EFFORT_THOROUGH };
enum smap_objective { SMAP_OBJECTIVE_SUM, SMAP_OBJECTIVE_MAX, SMAP_OBJECTIVE_LEVELS };

/* All zero is the default. */
struct smap_mapping_options {
    enum smap_effort effort;
    enum smap_objective objective;
    const struct smap_levels *levels; /* for that objective; borrowed; NULL: not known */
    uint64_t seed;                    /* of random */
};

/* "fast", "normal", "thorough"; "sum", "max", "levels". NULL is the default. */
int smap_effort_parse(enum smap_effort *effort, const char *text, struct smap_error *err);
int smap_objective_parse(enum smap_objective *objective, const char *text, struct smap_error *err);

/* algorithm is one of the names that smap_mapping_algorithm lists:
 *   blocked     cells in row-major order: Slurm's block distribution, the baseline
 *   hyperplane  recursive cuts on node boundaries, across the dimension that communicates least
 *               (2020 paper, algorithm 1)
 *   kdtree      recursive halving of d_i / f_i (2020 paper, algorithm 2); ignores the node sizes
 *   strips      strips as wide as a good node box, filled back and forth (2020 paper, algorithm 3)
 *   nodecart    a box per node from the prime factors of n (Gropp 2019); equal node sizes only
 *   greedy      node by node, always the cell with the most neighbours there (2019 thesis)
 *   hyperplane-thesis  hyperplane cut down to single nodes (2019 thesis)
 *   cuts        recursive cuts chosen by what really crosses them, borders known; equal sizes only
 *   random      a random order, random:SEED another one: the control
 *   best        the best of all these and of a search (best_search.h)
 * or a short form that smap_best_encode has written.
 * What the instance points to is borrowed and must outlive the mapping; the options, NULL for the
 * defaults, matter to best and random only and must be there during this call. SMAP_ENOTSUP with
 * the reason where the algorithm cannot serve the instance (nodecart, cuts). */
int smap_mapping_create(struct smap_mapping **mapping, const char *algorithm,
                        const struct smap_instance *instance,
                        const struct smap_mapping_options *options, struct smap_error *err);

void smap_mapping_destroy(struct smap_mapping *mapping);

/* The i-th algorithm and one line about it; false behind the last. */
bool smap_mapping_algorithm(size_t i, const char **name, const char **summary);

/* Is there an algorithm of that name? */
bool smap_mapping_known(const char *algorithm);

/* Per-rank form: the cell at a position, and the position of a cell. The cost of one call is
 * O(d log N log runs) with hyperplane on equal nodes (unequal ones: times sum d_i), O(d log p) with
 * kdtree, O(d) with the others. */
uint32_t smap_mapping_cell(const struct smap_mapping *mapping, uint32_t position);
uint32_t smap_mapping_position(const struct smap_mapping *mapping, uint32_t cell);

/* The node of a cell. */
uint32_t smap_mapping_node(const struct smap_mapping *mapping, uint32_t cell);

/* Whole form: cell_at gets the p cells in order of position. Equal to p calls of smap_mapping_cell,
 * but each cut of a recursive algorithm is found once. */
void smap_mapping_cells(const struct smap_mapping *mapping, uint32_t cell_at[]);

/* The whole mapping as the node of each cell, row-major: p entries. */
int smap_mapping_nodes(const struct smap_mapping *mapping, uint32_t node_of_cell[],
                       struct smap_error *err);

#endif
