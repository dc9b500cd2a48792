/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application really did: which rank sent how much to which, as a watched run counts it.
 * The file is text:
 *
 *     stencilmap-comm 1 32         format version, number of ranks
 *     node 0 n0                    rank, name of its node
 *     sent 0 1 87 1424640          from, to, messages, bytes
 *     cart 4x8 0,0 1               an MPI_Cart_create of all ranks: dims, periodic, reorder
 *
 * The first line comes first, the others in any order; lines with other first words are skipped. */
#ifndef SMAP_RECORD_H
#define SMAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* What a record may have. Reading so many edges takes 300 MB, twice that if they are in no order.
 */
#define SMAP_RECORD_RANKS_MAX 1048576
#define SMAP_RECORD_EDGES_MAX 10000000
#define SMAP_RECORD_CARTS_MAX 16  /* different ones; those behind them are forgotten */
#define SMAP_RECORD_DIMS_MAX  16  /* of a cart */
#define SMAP_RECORD_NAME_MAX  255 /* of a node */
#define SMAP_RECORD_NO_NODE   UINT32_MAX

/* What one rank sent to another. */
struct smap_record_edge {
    uint32_t from, to; /* never the same */
    uint64_t messages, bytes;
};

struct smap_record_cart {
    size_t ndims;
    uint32_t dims[SMAP_RECORD_DIMS_MAX]; /* their product is at most the number of ranks */
    bool periodic[SMAP_RECORD_DIMS_MAX];
    bool reorder;
    uint32_t count; /* how often it was seen */
};

/* Read, or filled by the functions below; smap_record_clear empties it. Readable after
 * smap_record_finish, which smap_record_read has done. */
struct smap_record {
    uint32_t ranks;
    uint32_t nodes;
    char **node_names;      /* in the order of the lowest rank of each */
    uint32_t *node_of_rank; /* an index of node_names, or SMAP_RECORD_NO_NODE where none was told */
    size_t edges;
    struct smap_record_edge *edge; /* ascending by from, then to, each pair once */
    size_t *first;                 /* rank r sends edge[first[r]] ... edge[first[r + 1] - 1] */
    uint64_t messages, bytes;      /* of all edges; fit 63 bits */
    size_t carts;
    struct smap_record_cart cart[SMAP_RECORD_CARTS_MAX];
    struct smap_record_filling *filling; /* NULL when finished */
};

/* Reads a record. Refusals name the line: "line 7: rank 32, the record has 0 to 31". *record is
 * empty after a failure. Time O(file + edges log edges), the second only where edges are in no
 * order. Edges of one pair are added up; what a rank sends itself is no communication and left out.
 */
int smap_record_read(struct smap_record *record, FILE *file, struct smap_error *err);

/* The same of a file by its name; SMAP_ESYS, with the reason, where it cannot be read. Refusals do
 * not name the file. */
int smap_record_load(struct smap_record *record, const char *path, struct smap_error *err);

/* A record from nothing: init, then node, sent and cart as often as wanted, then finish. After a
 * failure only clear makes sense. Names are copied. A rank has one node. */
int smap_record_init(struct smap_record *record, uint32_t ranks, struct smap_error *err);
int smap_record_node(struct smap_record *record, uint32_t rank, const char *name,
                     struct smap_error *err);
int smap_record_sent(struct smap_record *record, const struct smap_record_edge *edge,
                     struct smap_error *err);
int smap_record_cart(struct smap_record *record, const struct smap_record_cart *cart,
                     struct smap_error *err);
int smap_record_finish(struct smap_record *record, struct smap_error *err);

/* Frees what the record holds; a zeroed one is allowed. */
void smap_record_clear(struct smap_record *record);

/* The file that smap_record_read reads; SMAP_ESYS where it cannot be written. The caller closes,
 * which may fail too. */
int smap_record_write(const struct smap_record *record, FILE *file, struct smap_error *err);

/* The edge from one rank to another, NULL if there is none. O(log edges of from). */
const struct smap_record_edge *smap_record_find(const struct smap_record *record, uint32_t from,
                                                uint32_t to);

#endif
