/* SPDX-License-Identifier: BSD-3-Clause */
/* check_random ALGORITHM...: Cartesian communicators of random grids, for every algorithm that is
 * named and every stencil, on the processes and nodes that it is given. Dims, coordinates,
 * neighbours and shifts must fit each other, and no communicator may be worse than the order that
 * there was. STENCILMAP_CHECK_GRIDS says how many grids (2), STENCILMAP_CHECK_SEED which (1).
 *
 * One line per grid, with a digest of all ranks. check_random.F90 prints the same lines in three
 * flavours of Fortran. Exits non-zero if something was wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stencilmap_mpi.h"

/* What the names mean is written down here once more, so as not to believe the library. */
enum { NN, MOORE, COMPONENT, DIAGONAL, CRANK_NICOLSON, HOPS, HOPS_LAST, STENCILS };

#define REACH       3
#define OFFSETS_MAX 2401 /* (2 * REACH + 1)^4 */

static int64_t state;

/* Park and Miller's minimal generator: small enough for any language. */
static int draw(int n)
{
    state = state * 16807 % 2147483647;
    return (int)(state % n);
}

static bool belongs(int stencil, int d, const int x[])
{
    int sum = 0, max = 0, min = REACH, last = abs(x[d - 1]);
    for (int i = 0; i < d; i++) {
        int size = abs(x[i]);
        sum += size;
        max = size > max ? size : max;
        min = size < min ? size : min;
    }
    switch (stencil) {
    case NN:
        return sum == 1;
    case MOORE:
        return max == 1;
    case COMPONENT:
        return sum == 1 && last == 0;
    case DIAGONAL:
        return max == 1 && min == 1;
    case CRANK_NICOLSON:
        return (sum - last == 1 && (x[d - 1] == 0 || x[d - 1] == 1)) ||
               (sum - last == 0 && x[d - 1] == 1);
    case HOPS:
        return sum == 1 || (sum == abs(x[0]) && sum > 1);
    default:
        return sum == 1 || (sum == last && sum > 1);
    }
}

/* Fills offsets in the order of an odometer whose last wheel is the fastest; returns how many. */
static int fill_offsets(int offsets[], int stencil, int d)
{
    int x[CHECK_DIMS_MAX], count = 0;
    for (int i = 0; i < d; i++)
        x[i] = -REACH;
    for (;;) {
        if (belongs(stencil, d, x))
            memcpy(offsets + d * count++, x, (size_t)d * sizeof(*x));
        int i = d - 1;
        while (i >= 0 && x[i] == REACH)
            x[i--] = -REACH;
        if (i < 0)
            return count;
        x[i]++;
    }
}

/* Up to three processes stay outside of the grid. */
static void draw_grid(struct check_grid *grid)
{
    int p = check_size(MPI_COMM_WORLD), cells = p - draw(p < 8 ? 1 : 4);
    grid->ndims = 1 + draw(4);
    for (int i = 0; i < grid->ndims; i++) {
        grid->dims[i] = 1;
        grid->periods[i] = draw(2);
    }
    for (int f = 2; cells > 1; f++)
        for (; cells % f == 0; cells /= f)
            grid->dims[draw(grid->ndims)] *= f;
}

static int create(const struct check_grid *grid, int stencil, MPI_Comm *cart)
{
    *cart = MPI_COMM_NULL;
    if (stencil == NN)
        return stencilmap_cart_create(MPI_COMM_WORLD, grid->ndims, grid->dims, grid->periods, 1,
                                      cart);
    return MPIX_Cart_stencil_comm(MPI_COMM_WORLD, grid->ndims, grid->dims, grid->periods, 1,
                                  grid->offsets, grid->k, cart);
}

/* The sequence of the old ranks, in one number. */
static int add_digest(int digest, MPI_Comm cart)
{
    int size = check_size(cart), rank = check_rank(MPI_COMM_WORLD);
    int *ranks = calloc((size_t)size, sizeof(*ranks));
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, cart);
    for (int i = 0; i < size; i++)
        digest = (digest * 31 + ranks[i] + 1) % 1000003;
    free(ranks);
    return digest;
}

/* One communicator; members are the processes of the grid in their old order. */
static bool check_one(const struct check_grid *grid, int stencil, MPI_Comm members, int *digest)
{
    MPI_Comm cart;
    bool good = create(grid, stencil, &cart) == MPI_SUCCESS;
    if (members == MPI_COMM_NULL)
        return good && cart == MPI_COMM_NULL;
    if (!good || cart == MPI_COMM_NULL)
        return false;
    good = check_consistent(members, cart, grid);
    if (good && !check_same_order(members, cart))
        good = check_better(check_score(cart, grid), check_score(members, grid));
    *digest = add_digest(*digest, cart);
    MPI_Comm_free(&cart);
    return good;
}

static void check_random_grid(int algorithms, char *names[])
{
    static int offsets[CHECK_DIMS_MAX * OFFSETS_MAX];
    struct check_grid grid = {.offsets = offsets};
    MPI_Comm members;
    int digest = 0, bad = 0, rank = check_rank(MPI_COMM_WORLD);
    draw_grid(&grid);
    int cells = check_cells(&grid);
    MPI_Comm_split(MPI_COMM_WORLD, rank < cells ? 0 : MPI_UNDEFINED, 0, &members);
    for (int a = 0; a < algorithms; a++) {
        setenv("STENCILMAP_MAP", names[a], 1);
        for (int s = 0; s < STENCILS; s++) {
            grid.k = fill_offsets(offsets, s, grid.ndims);
            bad += !check_one(&grid, s, members, &digest);
        }
    }
    unsetenv("STENCILMAP_MAP");
    if (members != MPI_COMM_NULL)
        MPI_Comm_free(&members);
    char dims[64] = "", periods[64] = "";
    for (int i = 0, u = 0, v = 0; i < grid.ndims; i++) {
        u += snprintf(dims + u, sizeof(dims) - (size_t)u, "%s%d", i ? "x" : "", grid.dims[i]);
        v += snprintf(periods + v, sizeof(periods) - (size_t)v, "%s%d", i ? "," : "",
                      grid.periods[i]);
    }
    check(bad == 0, "%s periods %s, %d communicators, digest %d", dims, periods,
          algorithms * STENCILS, digest);
}

int main(int argc, char *argv[])
{
    const char *seed = getenv("STENCILMAP_CHECK_SEED"), *grids = getenv("STENCILMAP_CHECK_GRIDS");
    MPI_Init(&argc, &argv);
    state = seed ? atoi(seed) : 1;
    for (int n = grids ? atoi(grids) : 2; n > 0; n--)
        check_random_grid(argc - 1, argv + 1);
    if (check_rank(MPI_COMM_WORLD) == 0)
        printf("%d failures\n", check_failures());
    MPI_Finalize();
    return check_failures() != 0;
}
