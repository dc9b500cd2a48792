/* SPDX-License-Identifier: BSD-3-Clause */
/* PMI_process_mapping: the text in which the process manager interface PMI tells an MPI library
 * which ranks share a node, "(vector,(0,2,3),(1,1,2))". A tuple (start,count,block) puts the next
 * block ranks on node start, the next block on start+1, and so on for count nodes; the example has
 * the ranks of eight processes on nodes 0 0 0 1 1 1 1 1.
 *
 * Libraries only ask which ranks have the same number, so the nodes are numbered anew here, such
 * that the text gets short: that matters, see SMAP_PROCMAP_MAX. */
#ifndef SMAP_PROCMAP_H
#define SMAP_PROCMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The longest text, without the terminating zero, that every library reads. MPICH 3.4 to 4.1 makes
 * the room for a value 1024 - 256 - 64 - 30 bytes, one of them for the zero, from the limits that
 * Slurm tells it (src/pmi/simple/simple_pmi.c: PMIU_MAXLINE, kvsname_max, keylen_max), and ends
 * every rank where a text is longer. Seen with MPICH 4.0.2: 673 bytes are read, 674 abort. Others
 * have room for 1023. */
#define SMAP_PROCMAP_MAX 673

/* The text of node_of_rank[0 .. ranks), where nodes have any numbers below nodes; the caller frees
 * it. A greedy choice of the new numbers: which node follows which as often as possible with a
 * block of the same length. In O(nodes + r log r) for r changes of node along the ranks. */
int smap_procmap_format(char **text, const uint32_t node_of_rank[], uint32_t ranks, uint32_t nodes,
                        struct smap_error *err);

/* A text that was read. Holds its tuples, no table of ranks. */
struct smap_procmap;

/* Strict: no spaces, no empty tuples, at most SMAP_TASKS_MAX ranks. */
int smap_procmap_parse(struct smap_procmap **map, const char *text, struct smap_error *err);
void smap_procmap_destroy(struct smap_procmap *map);

uint32_t smap_procmap_ranks(const struct smap_procmap *map);

/* The number of a rank's node, for rank < ranks. O(tuples), as is the next. */
uint32_t smap_procmap_node(const struct smap_procmap *map, uint32_t rank);

/* How many ranks have that node. */
uint32_t smap_procmap_size(const struct smap_procmap *map, uint32_t node);

#endif
