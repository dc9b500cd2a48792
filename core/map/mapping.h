/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings of grid cells to nodes. A mapping is an enumeration of the cells: position q = 0 ... p-1
 * holds cell(q), and the nodes take the positions one after the other, n_i each. So every algorithm
 * gives node i exactly n_i cells, whatever the sizes.
 *
 * Most algorithms are closed forms: both directions are computed from a few numbers. The others
 * (trait whole_grid in algorithm.h: greedy, cuts, random, best) look at all cells when the mapping
 * is made; what they find is kept as two tables of all cells, unless `best` finds a closed form.
 * Such tables are also what `cells` reads, with no more work than there are cells. */
#ifndef SMAP_MAPPING_H
#define SMAP_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

struct smap_algorithm;
struct smap_levels;
struct smap_mapping;

/* What `best` may spend, always a fixed number of steps and never a matter of the clock; and what
 * it improves: the sum of all weight between nodes, then the worst node, or the other way round; or
 * (levels) the sum over the nodes and all levels inside them, smap_levels_total, which is the sum
 * between nodes where no levels are known. */
enum smap_effort { SMAP_EFFORT_NORMAL, SMAP_EFFORT_FAST, SMAP_EFFORT_THOROUGH };
enum smap_objective { SMAP_OBJECTIVE_SUM, SMAP_OBJECTIVE_MAX, SMAP_OBJECTIVE_LEVELS };

/* All zero is the default; but for the parameter they matter to best only. */
struct smap_mapping_options {
    enum smap_effort effort;
    enum smap_objective objective;
    const struct smap_levels *levels; /* for that objective; borrowed; NULL: not known */
    bool closed_form; /* best: only what is one, so that its text is short (algorithms.h) */
    uint64_t seed;    /* best: other random numbers, for several searches at once; 0: the usual */
    const char *parameter; /* of the algorithm: "7" of random:7; borrowed; NULL: none */
};

/* "fast", "normal", "thorough"; "sum", "max", "levels". NULL is the default. */
int smap_effort_parse(enum smap_effort *effort, const char *text, struct smap_error *err);
int smap_objective_parse(enum smap_objective *objective, const char *text, struct smap_error *err);

/* The algorithms, by the names that algorithms.h reads:
 *   blocked     cells in row-major order: Slurm's block distribution, the baseline
 *   hyperplane  recursive cuts on node boundaries, across the dimension that communicates least
 *               (2020 paper, algorithm 1)
 *   kdtree      recursive halving of d_i / f_i (2020 paper, algorithm 2); ignores the node sizes
 *   strips      strips as wide as a good node box, filled back and forth (2020 paper, algorithm 3)
 *   nodecart    a box per node from the prime factors of n (Gropp 2019); equal node sizes only
 *   greedy      node by node, always the cell with the most neighbours there (2019 thesis)
 *   greedy-distributed  every node by itself from a cell of its own, then a check-up (2019 thesis)
 *   hyperplane-thesis  hyperplane cut down to single nodes (2019 thesis)
 *   cuts        recursive cuts chosen by what really crosses them, borders known; equal sizes only
 *   random      a random order, random:SEED another one: the control
 *   best        the best of all these and of a search (best_search.h)
 *   bands:...   strips given by their numbers (bands.h): how `best` writes down what it has found
 *   cells:...   the node of every cell (celltext.h): how anything else is written down
 * What the instance points to is borrowed and must outlive the mapping; the options, NULL for the
 * defaults, must be there during this call. SMAP_ENOTSUP with the reason where the algorithm cannot
 * serve the instance (nodecart, cuts), SMAP_EINVAL where its parts do not fit each other.
 * A closed form takes O(k d) time and no memory to speak of; with the trait whole_grid it is at
 * least O(k p) and 8 bytes a cell, in every process that does this. */
int smap_mapping_create(struct smap_mapping **mapping, const struct smap_algorithm *algorithm,
                        const struct smap_instance *instance,
                        const struct smap_mapping_options *options, struct smap_error *err);

void smap_mapping_destroy(struct smap_mapping *mapping);

/* Per-rank form: the cell at a position, and the position of a cell. One call of a closed form is
 * O(d log N log runs) with hyperplane on equal nodes (unequal ones: times sum d_i), O(d log p) with
 * kdtree, O(d) with the others; a table is read in O(1). */
uint32_t smap_mapping_cell(const struct smap_mapping *mapping, uint32_t position);
uint32_t smap_mapping_position(const struct smap_mapping *mapping, uint32_t cell);

/* The node of a cell. */
uint32_t smap_mapping_node(const struct smap_mapping *mapping, uint32_t cell);

/* Whole form: cell_at gets the p cells in order of position. Equal to p calls of smap_mapping_cell,
 * but each cut of a recursive algorithm is found once. */
void smap_mapping_cells(uint32_t cell_at[], const struct smap_mapping *mapping);

/* The whole mapping as the node of each cell, row-major: p entries. */
int smap_mapping_nodes(uint32_t node_of_cell[], const struct smap_mapping *mapping,
                       struct smap_error *err);

#endif
