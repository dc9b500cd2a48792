/* SPDX-License-Identifier: BSD-3-Clause */
/* Node sizes n_i: how many tasks each node of a step runs, in node order. Kept run-length encoded,
 * as Slurm writes them ("48(x50),16"), so that ten thousand equal nodes cost one run. */
#ifndef SMAP_NODESIZES_H
#define SMAP_NODESIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Tasks and nodes of one step; far above any machine, low enough that products of a few of them
 * are checked rather than feared. */
#define SMAP_TASKS_MAX UINT32_MAX

struct smap_nodesizes;

/* Parses Slurm's notation: comma separated counts, each with an optional repetition "(xN)".
 * Every count is at least 1. */
int smap_nodesizes_parse(struct smap_nodesizes **sizes, const char *text, struct smap_error *err);

int smap_nodesizes_create(struct smap_nodesizes **sizes, const uint32_t counts[], size_t nodes,
                          struct smap_error *err);

void smap_nodesizes_destroy(struct smap_nodesizes *sizes);

/* N, the number of nodes, and p, the number of tasks on all of them. */
uint32_t smap_nodesizes_nodes(const struct smap_nodesizes *sizes);
uint32_t smap_nodesizes_tasks(const struct smap_nodesizes *sizes);

/* n_i, and the first of node i's positions when the nodes are filled one after the other:
 * first(i) = n_0 + ... + n_{i-1}; first(N) = p. O(log runs). */
uint32_t smap_nodesizes_size(const struct smap_nodesizes *sizes, uint32_t node);
uint32_t smap_nodesizes_first(const struct smap_nodesizes *sizes, uint32_t node);

/* The node that holds position q < p: the inverse of first. O(log runs). */
uint32_t smap_nodesizes_node_at(const struct smap_nodesizes *sizes, uint32_t position);

/* n if all nodes have the same size, else 0. */
uint32_t smap_nodesizes_uniform(const struct smap_nodesizes *sizes);

/* The largest n_i. */
uint32_t smap_nodesizes_largest(const struct smap_nodesizes *sizes);

/* All tasks, node after node, ascending in each: node_of holds smap_nodesizes_tasks entries, each
 * node as often as it has tasks. The caller frees; NULL without memory. */
uint32_t *smap_nodesizes_sort(const struct smap_nodesizes *sizes, const uint32_t node_of[]);

/* Slurm's notation again; owned by the caller, NULL without memory. */
char *smap_nodesizes_format(const struct smap_nodesizes *sizes);

#endif
