/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges of a file, as a reader meets them, and which of them are wanted. */
#ifndef SMAP_RECORD_EDGES_H
#define SMAP_RECORD_EDGES_H

#include "base/error.h"
#include "grid/graph.h"

/* Which ranks of a file become the ranks 0 ... of a graph. */
struct smap_edges_wanted {
    uint32_t ranks;      /* so many; 0: all that the file has */
    uint32_t tasks;      /* a file of so many has others too, and the wanted ones begin ... */
    uint32_t first;      /* ... here; 0: the file has `ranks` */
    const uint32_t *own; /* only edges between these of the wanted ones, ascending; NULL: all */
    uint32_t own_count;
    uint64_t bytes_max; /* of the file; 0: any */
    uint64_t edges_max; /* that are wanted; 0: any number */
};

/* Starts as {0}; ranks are those of the graph. */
struct smap_edge_list {
    uint32_t ranks; /* of the graph */
    uint32_t first; /* of the file's ranks, is rank 0 of the graph */
    uint64_t count, room;
    uint32_t *from, *to;
    uint64_t *weight;
};

/* The file has so many ranks: are they those that are wanted? */
int smap_edge_list_begin(struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                         uint64_t ranks, struct smap_error *err);

/* Is an edge of this rank of the file wanted at all? */
bool smap_edges_want(const struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                     uint64_t rank);

/* Adds an edge between two ranks of the file, if both are wanted. */
int smap_edge_list_add(struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                       const uint64_t ends[2], uint64_t weight, struct smap_error *err);

/* The graph of them. */
int smap_edge_list_graph(struct smap_graph **graph, const struct smap_edge_list *list,
                         const struct smap_edges_wanted *wanted, struct smap_error *err);
void smap_edge_list_clear(struct smap_edge_list *list);

#endif
