/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodesplit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "nodekey.h"

/* Rows as they travel: at most a thousand, or one for four ranks where that is more. A split makes
 * MPI gather more than that. A test has fewer. */
#ifndef ROWS_FREE
#define ROWS_FREE     1024
#define RANKS_PER_ROW 4
#endif

struct message {
    uint32_t capacity, count;
    uint32_t over; /* there were more, or no memory */
    uint32_t unused;
    struct smap_row rows[];
};

static size_t message_size(uint32_t capacity)
{
    return sizeof(struct message) + capacity * sizeof(struct smap_row);
}

/* high becomes both, low being the ranks before. */
static void join_messages(struct message *low, struct message *high)
{
    struct smap_row *room = calloc(high->capacity, sizeof(*room));
    struct smap_rows joined = {room, high->capacity};
    const struct smap_rows left = {low->rows, low->count}, right = {high->rows, high->count};
    high->over = high->over || low->over || !room || !smap_rows_join(&joined, &left, &right);
    high->count = high->over ? 0 : (uint32_t)joined.count;
    if (high->count > 0)
        memcpy(high->rows, room, joined.count * sizeof(*room));
    free(room);
}

/* One item of the type is one message. */
static void join_operation(void *in, void *inout, int *items, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *items; i++) {
        struct message *low = in, *high = inout;
        size_t size = message_size(high->capacity);
        join_messages(low, high);
        in = (char *)in + size;
        inout = (char *)inout + size;
    }
}

/* Not commutative: the ranks stay in order. */
static int reduce(MPI_Comm comm, struct message *message)
{
    MPI_Datatype type;
    MPI_Op operation;
    int rc = PMPI_Type_contiguous((int)(message_size(message->capacity) / sizeof(uint64_t)),
                                  MPI_UINT64_T, &type);
    if (rc != MPI_SUCCESS)
        return rc;
    PMPI_Type_commit(&type);
    rc = PMPI_Op_create(join_operation, 0, &operation);
    if (rc == MPI_SUCCESS) {
        rc = PMPI_Allreduce(MPI_IN_PLACE, message, 1, type, operation, comm);
        PMPI_Op_free(&operation);
    }
    PMPI_Type_free(&type);
    return rc;
}

/* *over, the same everywhere, where there are too many rows. */
static int join_rows(MPI_Comm comm, struct smap_nodesplit *split, bool *over)
{
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    uint32_t most = (uint32_t)size / RANKS_PER_ROW, all = (uint32_t)size;
    uint32_t capacity = most > ROWS_FREE ? most : all < ROWS_FREE ? all : ROWS_FREE;
    struct message *message = calloc(1, message_size(capacity));
    if (!message)
        return MPI_ERR_NO_MEM;
    message->capacity = capacity;
    message->count = 1;
    message->rows[0] = (struct smap_row){smap_node_key(), (uint32_t)rank, 1, 0, 1};
    int rc = reduce(comm, message);
    *over = message->over != 0;
    if (rc == MPI_SUCCESS && !*over &&
        smap_nodemap_create(&split->map, message->rows, message->count, NULL) != SMAP_OK)
        rc = MPI_ERR_NO_MEM;
    if (split->map) {
        split->sizes = smap_nodemap_sizes(split->map);
        split->node = smap_nodemap_node(split->map, (uint32_t)rank, &split->slot);
    }
    free(message);
    return rc;
}

/* A part of comm, and its first process together with those of the other parts. */
struct parts {
    MPI_Comm own;
    MPI_Comm leaders; /* MPI_COMM_NULL on all but the first */
};

static void free_parts(struct parts *parts)
{
    if (parts->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&parts->leaders);
    if (parts->own != MPI_COMM_NULL)
        PMPI_Comm_free(&parts->own);
}

/* parts->own is there; splits off the leaders, in order of rank. */
static int find_leaders(MPI_Comm comm, struct parts *parts)
{
    int rank;
    PMPI_Comm_rank(parts->own, &rank);
    return PMPI_Comm_split(comm, rank == 0 ? 0 : MPI_UNDEFINED, 0, &parts->leaders);
}

/* The leaders tell their nodes the index and how many nodes there are. */
static int number_nodes(const struct parts *parts, uint32_t *node, uint32_t *nodes)
{
    uint32_t both[2] = {0, 0};
    if (parts->leaders != MPI_COMM_NULL) {
        int rank, size;
        PMPI_Comm_rank(parts->leaders, &rank);
        PMPI_Comm_size(parts->leaders, &size);
        both[0] = (uint32_t)rank;
        both[1] = (uint32_t)size;
    }
    int rc = PMPI_Bcast(both, 2, MPI_UINT32_T, 0, parts->own);
    *node = both[0];
    *nodes = both[1];
    return rc;
}

/* counts gets n_i for every node, on every process. */
static int share_sizes(const struct parts *parts, uint32_t nodes, uint32_t counts[])
{
    if (parts->leaders != MPI_COMM_NULL) {
        int size;
        PMPI_Comm_size(parts->own, &size);
        uint32_t own = (uint32_t)size;
        int rc = PMPI_Allgather(&own, 1, MPI_UINT32_T, counts, 1, MPI_UINT32_T, parts->leaders);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return PMPI_Bcast(counts, (int)nodes, MPI_UINT32_T, 0, parts->own);
}

static int collect(MPI_Comm comm, const struct parts *parts, struct smap_nodesplit *split, bool *ok)
{
    uint32_t nodes;
    int slot;
    PMPI_Comm_rank(parts->own, &slot);
    split->slot = (uint32_t)slot;
    int rc = number_nodes(parts, &split->node, &nodes);
    if (rc != MPI_SUCCESS)
        return rc;
    uint32_t *counts = calloc(nodes, sizeof(*counts));
    *ok = counts != NULL;
    rc = smap_agree_ok(comm, ok);
    if (*ok)
        rc = share_sizes(parts, nodes, counts);
    if (*ok && rc == MPI_SUCCESS) {
        *ok = smap_nodesizes_create(&split->own, counts, nodes, NULL) == SMAP_OK;
        rc = smap_agree_ok(comm, ok);
    }
    free(counts);
    return rc;
}

/* By two splits, for a key has more bits than a color. */
static int split_by_key(MPI_Comm comm, MPI_Comm *own)
{
    uint64_t key = smap_node_key();
    MPI_Comm half;
    int rc = PMPI_Comm_split(comm, (int)(key & INT_MAX), 0, &half);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Comm_split(half, (int)(key >> 31 & INT_MAX), 0, own);
    PMPI_Comm_free(&half);
    return rc;
}

/* Without rows. */
static int split_up(MPI_Comm comm, struct smap_nodesplit *split, bool *ok)
{
    struct parts parts = {MPI_COMM_NULL, MPI_COMM_NULL};
    int rc = split_by_key(comm, &parts.own);
    if (rc == MPI_SUCCESS)
        rc = find_leaders(comm, &parts);
    if (rc == MPI_SUCCESS)
        rc = collect(comm, &parts, split, ok);
    split->sizes = split->own;
    free_parts(&parts);
    return rc;
}

int smap_nodesplit_init(MPI_Comm comm, struct smap_nodesplit *split, bool *ok)
{
    bool over = false;
    *ok = false;
    *split = (struct smap_nodesplit){.sizes = NULL};
    int rc = join_rows(comm, split, &over);
    *ok = rc == MPI_SUCCESS;
    if (rc == MPI_SUCCESS && over)
        rc = split_up(comm, split, ok);
    if (rc != MPI_SUCCESS || !*ok) {
        *ok = false;
        smap_nodesplit_clear(split);
    }
    return rc;
}

void smap_nodesplit_clear(struct smap_nodesplit *split)
{
    smap_nodemap_destroy(split->map);
    smap_nodesizes_destroy(split->own);
    *split = (struct smap_nodesplit){.sizes = NULL};
}

uint32_t smap_nodesplit_position(const struct smap_nodesplit *split)
{
    return smap_nodesizes_first(split->sizes, split->node) + split->slot;
}
