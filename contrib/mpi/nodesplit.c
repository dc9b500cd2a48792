/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodesplit.h"

#include <limits.h>
#include <stdlib.h>

#include "agree.h"

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

/* What the leaders find out about the names of their processors. */
struct joined {
    int node;   /* the first leader's number among those with this name */
    int parted; /* is there a name with several leaders, and another name? */
};

/* Among the leaders of one hash of the name, and so of one name but for a collision. */
static int join_same(MPI_Comm leaders, MPI_Comm same, uint64_t name, struct joined *joined)
{
    int rank;
    uint64_t facts[2], least[2], greatest[2];
    PMPI_Comm_rank(leaders, &rank);
    facts[0] = name;
    facts[1] = (uint64_t)rank;
    int rc = smap_agree(same, 2, facts, least, greatest);
    if (rc != MPI_SUCCESS)
        return rc;
    joined->node = least[0] == greatest[0] ? (int)least[1] : rank;
    facts[0] = joined->node != rank;
    facts[1] = (uint64_t)joined->node;
    rc = smap_agree(leaders, 2, facts, least, greatest);
    joined->parted = rc == MPI_SUCCESS && greatest[0] && least[1] != greatest[1];
    return rc;
}

static int join_leaders(MPI_Comm leaders, struct joined *joined)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm same;
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    uint64_t hash = smap_fingerprint(name, (size_t)length, 0);
    int rc = PMPI_Comm_split(leaders, (int)(hash & INT_MAX), 0, &same);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = join_same(leaders, same, hash, joined);
    PMPI_Comm_free(&same);
    return rc;
}

/* Joins parts that the processor names say are one node. */
static int join_parts(MPI_Comm comm, struct parts *parts)
{
    struct joined joined = {0, 0};
    int rc = MPI_SUCCESS;
    if (parts->leaders != MPI_COMM_NULL)
        rc = join_leaders(parts->leaders, &joined);
    int words[] = {joined.node, joined.parted};
    if (rc == MPI_SUCCESS)
        rc = PMPI_Bcast(words, 2, MPI_INT, 0, parts->own);
    if (rc != MPI_SUCCESS || !words[1])
        return rc;
    free_parts(parts);
    rc = PMPI_Comm_split(comm, words[0], 0, &parts->own);
    return rc == MPI_SUCCESS ? find_leaders(comm, parts) : rc;
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
        *ok = smap_nodesizes_create(&split->sizes, counts, nodes, NULL) == SMAP_OK;
        rc = smap_agree_ok(comm, ok);
    }
    free(counts);
    return rc;
}

int smap_nodesplit_init(MPI_Comm comm, struct smap_nodesplit *split, bool *ok)
{
    struct parts parts = {MPI_COMM_NULL, MPI_COMM_NULL};
    *ok = false;
    *split = (struct smap_nodesplit){NULL, 0, 0};
    int rc = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &parts.own);
    if (rc == MPI_SUCCESS)
        rc = find_leaders(comm, &parts);
    if (rc == MPI_SUCCESS)
        rc = join_parts(comm, &parts);
    if (rc == MPI_SUCCESS)
        rc = collect(comm, &parts, split, ok);
    free_parts(&parts);
    if (rc != MPI_SUCCESS || !*ok) {
        *ok = false;
        smap_nodesplit_clear(split);
    }
    return rc;
}

void smap_nodesplit_clear(struct smap_nodesplit *split)
{
    smap_nodesizes_destroy(split->sizes);
    split->sizes = NULL;
}
