/* SPDX-License-Identifier: BSD-3-Clause */
/* How Slurm itself lays out tasks over nodes: the layout that every mapping is compared with, and
 * the task counts that every mapping keeps. The rules are those of the Slurm manual for
 * --distribution; that they are the rules of the real thing is a cluster test. */
#ifndef SMAP_LAYOUT_H
#define SMAP_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "step/nodesizes.h"

enum smap_distribution {
    SMAP_BLOCK,  /* consecutive ranks fill a node, with the counts of a cyclic deal */
    SMAP_CYCLIC, /* one rank per node and round */
    SMAP_PLANE,  /* plane ranks per node and round; every node gets one before that */
    SMAP_PACK,   /* block, each node filled before the next is begun: block,Pack */
};

struct smap_layout_rule {
    enum smap_distribution distribution;
    uint32_t plane; /* for SMAP_PLANE, at least 1 */
};

/* Parses the value of --distribution: the part for nodes decides ("block:cyclic" is block), the
 * parts for sockets and cores are ignored. "*" and "unset" are block. SMAP_ENOTSUP for arbitrary.
 */
int smap_layout_rule_parse(struct smap_layout_rule *rule, const char *text, struct smap_error *err);

/* node_of_rank[0 .. tasks) for nodes that can hold capacity[i] tasks; when all are full, tasks go
 * on in the same way (overcommit). */
int smap_layout_nodes(uint32_t node_of_rank[], const struct smap_layout_rule *rule,
                      const uint32_t capacity[], uint32_t nodes, uint32_t tasks,
                      struct smap_error *err);

/* Ranks dealt to nodes in blocks of at least 1, round after round, until every node has as many as
 * sizes says. */
int smap_layout_blocks(uint32_t node_of_rank[], const struct smap_nodesizes *sizes, uint32_t block,
                       struct smap_error *err);

/* The rank that is the k-th (from 0) of its node in that layout, without a table: O(nodes). */
uint32_t smap_layout_block_rank(const struct smap_nodesizes *sizes, uint32_t block, uint32_t node,
                                uint32_t k);

/* The node sizes of a layout; a node without any task is refused. */
int smap_layout_sizes(struct smap_nodesizes **sizes, const uint32_t node_of_rank[], uint32_t tasks,
                      uint32_t nodes, struct smap_error *err);

#endif
