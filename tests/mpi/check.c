/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

void check(bool good, const char *format, ...)
{
    int all = good;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    failures += !all;
    if (check_rank(MPI_COMM_WORLD) != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("%s ", all ? "ok" : "FAIL");
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
}

int check_failures(void)
{
    return failures;
}

int check_rank(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int check_size(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

int check_cells(const struct check_grid *grid)
{
    int cells = 1;
    for (int i = 0; i < grid->ndims; i++)
        cells *= grid->dims[i];
    return cells;
}

int check_random(int n)
{
    static uint64_t state = 88172645463325252; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 16) % (uint64_t)n);
}

/* The host, or the node that STENCILMAP_MPI_NODE pretends. */
static void name_host(char name[MPI_MAX_PROCESSOR_NAME])
{
    const char *pretended = getenv("STENCILMAP_MPI_NODE");
    int length, n, rank = check_rank(MPI_COMM_WORLD);
    if (pretended && sscanf(pretended, "rank/%d", &n) == 1)
        snprintf(name, MPI_MAX_PROCESSOR_NAME, "%d", rank / n);
    else if (pretended && sscanf(pretended, "rank%%%d", &n) == 1)
        snprintf(name, MPI_MAX_PROCESSOR_NAME, "%d", rank % n);
    else if (pretended && pretended[0])
        snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", pretended);
    else
        MPI_Get_processor_name(name, &length);
}

int check_host(MPI_Comm comm)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int size = check_size(comm), host = 0;
    char *names = calloc((size_t)size, sizeof(name));
    name_host(name);
    MPI_Allgather(name, sizeof(name), MPI_CHAR, names, sizeof(name), MPI_CHAR, comm);
    while (strcmp(name, names + (size_t)host * sizeof(name)) != 0)
        host++;
    free(names);
    return host;
}

static void coords_of(const struct check_grid *grid, int rank, int coords[])
{
    for (int i = grid->ndims; i-- > 0;) {
        coords[i] = rank % grid->dims[i];
        rank /= grid->dims[i];
    }
}

/* The rank at coords + offset, or MPI_PROC_NULL. */
static int neighbour(const struct check_grid *grid, const int coords[], const int offset[])
{
    int rank = 0;
    for (int i = 0; i < grid->ndims; i++) {
        int n = grid->dims[i], x = coords[i] + offset[i];
        if (grid->periods[i])
            x = (x % n + n) % n;
        if (x < 0 || x >= n)
            return MPI_PROC_NULL;
        rank = rank * n + x;
    }
    return rank;
}

/* The offset'th of the grid's offsets; false behind the last. */
static bool get_offset(const struct check_grid *grid, int which, int offset[])
{
    for (int i = 0; i < grid->ndims; i++)
        offset[i] = grid->offsets && which < grid->k ? grid->offsets[which * grid->ndims + i] : 0;
    if (grid->offsets)
        return which < grid->k;
    if (which >= 2 * grid->ndims)
        return false;
    offset[which / 2] = which % 2 ? -1 : 1;
    return true;
}

struct check_score check_score(MPI_Comm comm, const struct check_grid *grid)
{
    struct check_score score = {0, 0};
    int size = check_size(comm), host = check_host(comm);
    int coords[CHECK_DIMS_MAX], offset[CHECK_DIMS_MAX];
    int *hosts = calloc((size_t)size, sizeof(*hosts));
    int64_t *out = calloc((size_t)size, sizeof(*out));
    MPI_Allgather(&host, 1, MPI_INT, hosts, 1, MPI_INT, comm);
    coords_of(grid, check_rank(comm), coords);
    for (int i = 0; get_offset(grid, i, offset); i++) {
        int target = neighbour(grid, coords, offset);
        out[host] += target != MPI_PROC_NULL && hosts[target] != host;
    }
    MPI_Allreduce(MPI_IN_PLACE, out, size, MPI_INT64_T, MPI_SUM, comm);
    for (int i = 0; i < size; i++) {
        score.jsum += out[i];
        score.jmax = out[i] > score.jmax ? out[i] : score.jmax;
    }
    free(hosts);
    free(out);
    return score;
}

bool check_better(struct check_score a, struct check_score b)
{
    return a.jsum != b.jsum ? a.jsum < b.jsum : a.jmax < b.jmax;
}

bool check_same_order(MPI_Comm a, MPI_Comm b)
{
    int result;
    MPI_Comm_compare(a, b, &result);
    return result == MPI_IDENT || result == MPI_CONGRUENT;
}

static bool topology_right(MPI_Comm cart, const struct check_grid *grid)
{
    int kind, ndims, dims[CHECK_DIMS_MAX], periods[CHECK_DIMS_MAX], coords[CHECK_DIMS_MAX];
    MPI_Topo_test(cart, &kind);
    if (kind != MPI_CART)
        return false;
    MPI_Cartdim_get(cart, &ndims);
    if (ndims != grid->ndims)
        return false;
    MPI_Cart_get(cart, ndims, dims, periods, coords);
    for (int i = 0; i < ndims; i++)
        if (dims[i] != grid->dims[i] || !periods[i] != !grid->periods[i])
            return false;
    return true;
}

/* Sends the own coordinates one step up along dim; from below must come those of that cell. */
static bool shift_right(MPI_Comm cart, const struct check_grid *grid, int dim)
{
    int below, above, own[CHECK_DIMS_MAX], got[CHECK_DIMS_MAX], expected[CHECK_DIMS_MAX];
    int offset[CHECK_DIMS_MAX] = {0};
    int n = grid->ndims;
    MPI_Cart_coords(cart, check_rank(cart), n, own);
    MPI_Cart_shift(cart, dim, 1, &below, &above);
    offset[dim] = 1;
    bool good = above == neighbour(grid, own, offset);
    offset[dim] = -1;
    good = good && below == neighbour(grid, own, offset);
    MPI_Sendrecv(own, n, MPI_INT, above, 7, got, n, MPI_INT, below, 7, cart, MPI_STATUS_IGNORE);
    if (below == MPI_PROC_NULL)
        return good;
    coords_of(grid, below, expected);
    return good && memcmp(got, expected, (size_t)n * sizeof(int)) == 0;
}

bool check_consistent(MPI_Comm comm, MPI_Comm cart, const struct check_grid *grid)
{
    int coords[CHECK_DIMS_MAX], rank, result;
    if (cart == MPI_COMM_NULL || check_size(cart) != check_cells(grid) ||
        !topology_right(cart, grid))
        return false;
    MPI_Comm_compare(comm, cart, &result);
    bool good = result == MPI_CONGRUENT || result == MPI_SIMILAR;
    MPI_Cart_coords(cart, check_rank(cart), grid->ndims, coords);
    MPI_Cart_rank(cart, coords, &rank);
    good = good && rank == check_rank(cart);
    coords_of(grid, rank, coords);
    MPI_Cart_rank(cart, coords, &rank);
    good = good && rank == check_rank(cart);
    for (int dim = 0; dim < grid->ndims; dim++)
        good = shift_right(cart, grid, dim) && good;
    return good;
}
