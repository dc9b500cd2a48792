/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/dims.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "best/dims_search.h"
#include "grid/grid.h"
#include "nodesplit.h"
#include "stencilmap_mpi.h"

static int refuse(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

static bool verbose(void)
{
    const char *mode = getenv("STENCILMAP_MPI");
    return mode && strcmp(mode, "verbose") == 0;
}

/* The error class that MPI_Dims_create has for the arguments; MPI_SUCCESS if they are numbers to
 * work with. */
static int check(int nprocs, int ndims, const int dims[])
{
    if (nprocs < 1 || ndims < 0 || ndims > SMAP_DIMS_MAX)
        return MPI_ERR_DIMS;
    if (ndims > 0 && !dims)
        return MPI_ERR_ARG;
    for (int i = 0; i < ndims; i++)
        if (dims[i] < 0)
            return MPI_ERR_DIMS;
    return MPI_SUCCESS;
}

static void copy_in(uint32_t sizes[], const int dims[], int ndims)
{
    for (int i = 0; i < ndims; i++)
        sizes[i] = (uint32_t)dims[i];
}

static void copy_out(int dims[], const uint32_t sizes[], int ndims)
{
    for (int i = 0; i < ndims; i++)
        dims[i] = (int)sizes[i];
}

/* Nothing to choose between. */
static bool complete(int ndims, const int dims[])
{
    bool whole = true;
    for (int i = 0; i < ndims; i++)
        whole = whole && dims[i] > 0;
    return whole;
}

static int fill(int nprocs, int ndims, int dims[])
{
    uint32_t sizes[SMAP_DIMS_MAX];
    copy_in(sizes, dims, ndims);
    if (smap_dims_fill(sizes, (uint32_t)nprocs, (size_t)ndims, NULL) != SMAP_OK)
        return MPI_ERR_DIMS;
    copy_out(dims, sizes, ndims);
    return MPI_SUCCESS;
}

int stencilmap_dims_create(int nprocs, int ndims, int dims[])
{
    int rc = check(nprocs, ndims, dims);
    if (rc == MPI_SUCCESS)
        rc = fill(nprocs, ndims, dims);
    return rc == MPI_SUCCESS ? rc : refuse(MPI_COMM_WORLD, rc);
}

/* A list of ndims numbers from 1 on; NULL gives ones. */
static int copy_list(uint32_t list[], const int numbers[], int ndims)
{
    for (int i = 0; i < ndims; i++) {
        if (numbers && numbers[i] < 1)
            return MPI_ERR_DIMS;
        list[i] = numbers ? (uint32_t)numbers[i] : 1;
    }
    return MPI_SUCCESS;
}

int stencilmap_dims_create_lattice(int nprocs, int ndims, const int lattice[],
                                   const int least_patch[], int dims[])
{
    uint32_t fixed[SMAP_DIMS_MAX], points[SMAP_DIMS_MAX], least[SMAP_DIMS_MAX],
        sizes[SMAP_DIMS_MAX];
    struct smap_error why = {""};
    int rc = check(nprocs, ndims, dims);
    if (rc == MPI_SUCCESS && ndims == 0)
        return MPI_SUCCESS;
    if (rc == MPI_SUCCESS && !lattice)
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS)
        rc = copy_list(points, lattice, ndims);
    if (rc == MPI_SUCCESS)
        rc = copy_list(least, least_patch, ndims);
    if (rc != MPI_SUCCESS)
        return refuse(MPI_COMM_WORLD, rc);
    copy_in(fixed, dims, ndims);
    const struct smap_dims_rules rules = {(uint32_t)nprocs, (size_t)ndims, fixed, points,
                                          least_patch ? least : NULL};
    rc = smap_dims_lattice(sizes, &rules, verbose() ? &why : NULL);
    if (rc == SMAP_OK) {
        copy_out(dims, sizes, ndims);
        return MPI_SUCCESS;
    }
    if (why.text[0])
        fprintf(stderr, "stencilmap: dims: %s\n", why.text);
    return refuse(MPI_COMM_WORLD, rc == SMAP_ENOMEM ? MPI_ERR_NO_MEM : MPI_ERR_DIMS);
}

/* Above all costs, whichever way an MPI compares: MPICH 4.0 takes MPI_UINT64_T for signed. */
#define NOT_LOOKED_AT ((uint64_t)INT64_MAX)

/* The first process of each node looks at its share of the grids. */
static bool look(struct smap_dims_cost costs[], const struct smap_dims_search *search,
                 const struct smap_nodesplit *split)
{
    size_t count = smap_dims_search_count(search);
    uint32_t nodes = smap_nodesizes_nodes(split->sizes);
    for (size_t i = 0; i < count; i++) {
        costs[i] = (struct smap_dims_cost){NOT_LOOKED_AT, NOT_LOOKED_AT, NOT_LOOKED_AT};
        if (split->slot == 0 && i % nodes == split->node &&
            smap_dims_search_cost(&costs[i], search, i, NULL) != SMAP_OK)
            return false;
    }
    return true;
}

/* Collective, by processes that all have a search; *able becomes false where one could not. */
static int compare(int dims[], bool *able, MPI_Comm comm, const struct smap_dims_search *search,
                   const struct smap_nodesplit *split, int ndims)
{
    struct smap_dims_cost costs[SMAP_DIMS_CHOICES_MAX];
    size_t count = smap_dims_search_count(search);
    *able = count == 1 || look(costs, search, split);
    int rc = smap_agree_ok(comm, able);
    if (rc != MPI_SUCCESS || !*able)
        return rc;
    if (count > 1)
        rc = PMPI_Allreduce(MPI_IN_PLACE, costs, 3 * (int)count, MPI_UINT64_T, MPI_MIN, comm);
    if (rc == MPI_SUCCESS) {
        size_t best = count > 1 ? smap_dims_search_pick(costs, count) : 0;
        copy_out(dims, smap_dims_search_dims(search, best), ndims);
        rc = PMPI_Bcast(dims, ndims, MPI_INT, 0, comm);
    }
    return rc;
}

/* What a process knows of the request. */
struct own {
    struct smap_dims_request request;
    struct smap_stencil *stencil;
    uint32_t fixed[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX];
};

/* On the nodes; *able, the same everywhere, is false where some process could not. */
static int search_on(int dims[], bool *able, MPI_Comm comm, struct own *own,
                     const struct smap_nodesplit *split)
{
    struct smap_dims_search *search = NULL;
    own->request.sizes = split->sizes;
    *able = smap_dims_search_create(&search, &own->request, NULL) == SMAP_OK;
    int rc = smap_agree_ok(comm, able);
    if (rc == MPI_SUCCESS && *able)
        rc = compare(dims, able, comm, search, split, (int)own->request.rules.d);
    smap_dims_search_destroy(search);
    return rc;
}

static int search(int dims[], bool *able, MPI_Comm comm, struct own *own)
{
    struct smap_nodesplit split;
    const char *mode = getenv("STENCILMAP_MPI");
    uint32_t nodes = 0;
    *able = own->stencil && !(mode && strcmp(mode, "off") == 0);
    int rc = smap_agree_ok(comm, able);
    if (rc == MPI_SUCCESS && *able)
        rc = smap_nodesplit_init(comm, &split, able);
    if (rc != MPI_SUCCESS || !*able)
        return rc;
    nodes = smap_nodesizes_nodes(split.sizes);
    rc = search_on(dims, able, comm, own, &split);
    smap_nodesplit_clear(&split);
    if (rc == MPI_SUCCESS && *able && verbose()) {
        int rank;
        PMPI_Comm_rank(comm, &rank);
        for (size_t i = 0; rank == 0 && i < own->request.rules.d; i++)
            fprintf(stderr, "%s%d", i ? "x" : "stencilmap: dims ", dims[i]);
        if (rank == 0)
            fprintf(stderr, " for %u nodes\n", (unsigned)nodes);
    }
    return rc;
}

/* Where it cannot be searched: balanced, as without a stencil. */
static int create_stencil(MPI_Comm comm, int nprocs, struct own *own, int dims[])
{
    bool able = false;
    int ndims = (int)own->request.rules.d;
    int rc = search(dims, &able, comm, own);
    if (rc == MPI_SUCCESS && !able)
        rc = fill(nprocs, ndims, dims);
    return rc;
}

/* Are comm and the lists such as MPI takes them? */
static int check_stencil(int *nprocs, MPI_Comm comm, int ndims, const int dims[], int k,
                         const int offsets[])
{
    int inter = 0;
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return MPI_ERR_COMM;
    PMPI_Comm_size(comm, nprocs);
    int rc = check(*nprocs, ndims, dims);
    if (rc == MPI_SUCCESS && (k < 0 || (k > 0 && ndims > 0 && !offsets)))
        rc = MPI_ERR_ARG;
    if (rc != MPI_SUCCESS)
        return rc;
    uint32_t sizes[SMAP_DIMS_MAX];
    copy_in(sizes, dims, ndims);
    return smap_dims_fill(sizes, (uint32_t)*nprocs, (size_t)ndims, NULL) == SMAP_OK ? MPI_SUCCESS
                                                                                    : MPI_ERR_DIMS;
}

int stencilmap_dims_create_stencil(MPI_Comm comm, int ndims, int dims[], const int periods[], int k,
                                   const int offsets[], const int weights[])
{
    struct own own = {.stencil = NULL};
    int nprocs;
    if (comm == MPI_COMM_NULL)
        return refuse(MPI_COMM_WORLD, MPI_ERR_COMM);
    int rc = check_stencil(&nprocs, comm, ndims, dims, k, offsets);
    if (rc != MPI_SUCCESS)
        return refuse(comm, rc);
    if (complete(ndims, dims))
        return MPI_SUCCESS;
    for (int i = 0; i < ndims; i++)
        own.periodic[i] = periods && periods[i];
    copy_in(own.fixed, dims, ndims);
    own.request.rules =
        (struct smap_dims_rules){.p = (uint32_t)nprocs, .d = (size_t)ndims, .fixed = own.fixed};
    own.request.periodic = own.periodic;
    /* A stencil or weights beyond the limits of the core are no error, but balanced dims. */
    if (smap_stencil_create(&own.stencil, (size_t)ndims, (size_t)k, offsets,
                            (const uint32_t *)weights, NULL) != SMAP_OK)
        own.stencil = NULL;
    own.request.stencil = own.stencil;
    rc = create_stencil(comm, nprocs, &own, dims);
    smap_stencil_destroy(own.stencil);
    return rc;
}
