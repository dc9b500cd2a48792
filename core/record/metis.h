/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs as METIS, Scotch and KaHIP read them (METIS 5 manual, section 4.1.1): a line "ranks edges
 * [fmt]", then for each rank a line with its neighbours, counted from 1, each followed by a weight
 * if fmt is 1. Lines that begin with % are comments. Vertices are ranks, all alike, so weights and
 * sizes of vertices (fmt 10, 100) are refused. */
#ifndef SMAP_METIS_H
#define SMAP_METIS_H

#include <stdio.h>

#include "base/error.h"
#include "record/edges.h"

/* Reads one into edges, both directions of each. Refusals name the line. O(file) time, memory for
 * the edges that are wanted. Of a file that is wanted whole, the number of edges and their symmetry
 * are checked by smap_metis_check when the graph is made. */
int smap_metis_read(struct smap_edge_list *list, FILE *file, const struct smap_edges_wanted *wanted,
                    struct smap_error *err);

/* Is every edge there once in both directions, with the same weight? read: so many of them were in
 * the file. */
int smap_metis_check(const struct smap_graph *graph, uint64_t read, struct smap_error *err);

#endif
