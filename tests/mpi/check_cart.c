/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cart [--quick] [--dims=4x8 --jsum=24 --jmax=6 [--periodic=1,1]]: checks
 * stencilmap_cart_create and MPIX_Cart_stencil_comm on the processes and nodes that it is given;
 * with --dims, also that the computed mapping has these values; with --quick, nothing else. Hints
 * in the environment must come true. One line per check, "ok ..." or "FAIL ..."; exits non-zero if
 * one failed. */
#include "check_cart.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stencilmap_mpi.h"

static const int moore[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
static const int hops[] = {1, 0, -1, 0, 0, 1, 0, -1, 2, 0, -2, 0, 3, 0, -3, 0};
static const int one_way[] = {0, 3, 0, -3};

static int create(MPI_Comm comm, const struct check_grid *grid, int reorder, MPI_Comm *cart)
{
    *cart = MPI_COMM_NULL;
    if (grid->offsets)
        return MPIX_Cart_stencil_comm(comm, grid->ndims, grid->dims, grid->periods, reorder,
                                      grid->offsets, grid->k, cart);
    return stencilmap_cart_create(comm, grid->ndims, grid->dims, grid->periods, reorder, cart);
}

static void check_grid(const struct check_grid *grid, const char *what)
{
    MPI_Comm cart;
    struct check_score before = check_score(MPI_COMM_WORLD, grid);
    int rc = create(MPI_COMM_WORLD, grid, 1, &cart);
    bool good = rc == MPI_SUCCESS && check_consistent(MPI_COMM_WORLD, cart, grid);
    struct check_score after = good ? check_score(cart, grid) : before;
    bool same = good && check_same_order(MPI_COMM_WORLD, cart);
    check(good, "%s: %dx%dx%d, periods %d,%d: consistent", what, grid->dims[0],
          grid->ndims > 1 ? grid->dims[1] : 1, grid->ndims > 2 ? grid->dims[2] : 1,
          grid->periods[0], grid->ndims > 1 ? grid->periods[1] : 0);
    check(same || check_better(after, before), "  better or as before: J_sum %d -> %d",
          (int)before.jsum, (int)after.jsum);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    create(MPI_COMM_WORLD, grid, 0, &cart);
    check(check_same_order(MPI_COMM_WORLD, cart), "  reorder=0 keeps the order");
    MPI_Comm_free(&cart);
}

/* The largest divisor of n up to its root. */
static int side(int n)
{
    int d = 1;
    for (int i = 2; i * i <= n; i++)
        d = n % i == 0 ? i : d;
    return d;
}

static void check_grids(void)
{
    int p = check_size(MPI_COMM_WORLD), a = side(p), half = p % 2 ? 1 : 2;
    const struct check_grid grids[] = {
        {1, {p}, {0}, 0, NULL},
        {1, {p}, {1}, 0, NULL},
        {2, {a, p / a}, {0, 0}, 0, NULL},
        {2, {p / a, a}, {1, 0}, 0, NULL},
        {2, {1, p}, {1, 1}, 0, NULL},
        {2, {half, p / half}, {1, 1}, 0, NULL},
        {3, {half, a, p / a / half}, {1, 0, 1}, 0, NULL},
    };
    for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++)
        if (check_cells(&grids[i]) == p)
            check_grid(&grids[i], "nn");
    check_grid(&(struct check_grid){2, {a, p / a}, {0, 0}, 8, moore}, "moore");
    check_grid(&(struct check_grid){2, {a, p / a}, {1, 1}, 8, hops}, "hops");
    check_grid(&(struct check_grid){2, {a, p / a}, {0, 1}, 2, one_way}, "+-3 in dim 1");
    check_grid(&(struct check_grid){2, {a, p / a}, {0, 0}, 0, moore}, "no offsets");
}

static void check_beyond(void)
{
    int p = check_size(MPI_COMM_WORLD), rank = check_rank(MPI_COMM_WORLD);
    struct check_grid grid = {1, {p - 1}, {0}, 0, NULL};
    MPI_Comm cart;
    if (p < 2)
        return;
    bool good = create(MPI_COMM_WORLD, &grid, 1, &cart) == MPI_SUCCESS;
    if (rank == p - 1)
        good = good && cart == MPI_COMM_NULL;
    else
        good = good && cart != MPI_COMM_NULL && check_size(cart) == p - 1;
    check(good, "more processes than cells: those beyond get MPI_COMM_NULL");
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
}

static int class_of(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* comm returns errors. What MPI_Cart_create says, we must say (MPICH takes negative dimensions). */
static void check_like_mpi(MPI_Comm comm, int ndims, const int dims[], const char *what)
{
    static const int periods[CHECK_DIMS_MAX] = {0};
    MPI_Comm cart = MPI_COMM_NULL;
    int mpi = MPI_Cart_create(comm, ndims, dims, periods, 1, &cart);
    int one = stencilmap_cart_create(comm, ndims, dims, periods, 1, &cart);
    int two = MPIX_Cart_stencil_comm(comm, ndims, dims, periods, 1, moore, 8, &cart);
    int off = stencilmap_cart_create(comm, ndims, dims, periods, 0, &cart);
    check(class_of(one) == class_of(mpi) && class_of(two) == class_of(mpi) &&
              class_of(off) == class_of(mpi),
          "%s: the same answer as MPI_Cart_create, %d", what, class_of(mpi));
}

static void check_errors(void)
{
    int p = check_size(MPI_COMM_WORLD);
    const int periods[] = {0, 0}, fits[] = {1, p}, huge[] = {65536, 65536};
    MPI_Comm comm, cart;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check_like_mpi(comm, 1, (const int[]){p + 1}, "grid larger than the communicator");
    check_like_mpi(comm, 2, (const int[]){-1, p}, "negative dimension");
    check_like_mpi(comm, -1, fits, "negative number of dimensions");
    check_like_mpi(MPI_COMM_NULL, 2, fits, "MPI_COMM_NULL");
    check(stencilmap_cart_create(comm, 2, huge, periods, 1, &cart) != MPI_SUCCESS &&
              stencilmap_cart_create(comm, 2, huge, periods, 0, &cart) != MPI_SUCCESS,
          "a product that overflows: refused");
    check(class_of(MPIX_Cart_stencil_comm(comm, 2, fits, periods, 1, moore, -1, &cart)) ==
              MPI_ERR_ARG,
          "negative k: MPI_ERR_ARG");
    check(class_of(MPIX_Cart_stencil_comm(comm, 2, fits, periods, 1, NULL, 8, &cart)) ==
              MPI_ERR_ARG,
          "missing stencil: MPI_ERR_ARG");
    check(stencilmap_cart_create(comm, 2, fits, periods, 1, &cart) == MPI_SUCCESS,
          "the communicator still works");
    MPI_Comm_get_errhandler(cart, &handler);
    check(handler == MPI_ERRORS_RETURN, "the error handler is passed on");
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* What is well formed, but not for us to map: plain MPI_Cart_create. */
static void check_unmapped(void)
{
    int p = check_size(MPI_COMM_WORLD), none = 0;
    int many[20] = {p}, periods[20] = {0};
    const int far[] = {INT_MAX, 0};
    MPI_Comm cart;
    for (int i = 1; i < 20; i++)
        many[i] = 1;
    bool good = stencilmap_cart_create(MPI_COMM_WORLD, 20, many, periods, 1, &cart) == MPI_SUCCESS;
    check(good && check_same_order(MPI_COMM_WORLD, cart), "20 dimensions: kept");
    MPI_Comm_free(&cart);
    good =
        MPIX_Cart_stencil_comm(MPI_COMM_WORLD, 2, many, periods, 1, far, 1, &cart) == MPI_SUCCESS;
    check(good && check_same_order(MPI_COMM_WORLD, cart), "an offset of INT_MAX: kept");
    MPI_Comm_free(&cart);
    good = stencilmap_cart_create(MPI_COMM_WORLD, 0, &none, &none, 1, &cart) == MPI_SUCCESS;
    check(good && (check_rank(MPI_COMM_WORLD) == 0) == (cart != MPI_COMM_NULL),
          "no dimensions: one process");
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
}

static void check_cart_of_cart(void)
{
    int p = check_size(MPI_COMM_WORLD), a = side(p);
    struct check_grid grid = {2, {a, p / a}, {0, 0}, 0, NULL};
    struct check_grid turned = {2, {p / a, a}, {0, 0}, 0, NULL};
    MPI_Comm first, second, third;
    create(MPI_COMM_WORLD, &grid, 1, &first);
    create(first, &grid, 1, &second);
    create(second, &turned, 1, &third);
    struct check_score one = check_score(first, &grid), two = check_score(second, &grid);
    check(check_consistent(first, second, &grid) && check_consistent(second, third, &turned),
          "cart of cart of cart: consistent");
    check(check_same_order(first, second) || check_better(two, one),
          "cart of cart: the same or better");
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Comm_free(&third);
}

/* Odd and even ranks apart, in reverse order. */
static void check_sub_communicators(void)
{
    MPI_Comm part, cart;
    int rank = check_rank(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    int p = check_size(part), a = side(p);
    struct check_grid grid = {2, {a, p / a}, {0, 0}, 0, NULL};
    struct check_score before = check_score(part, &grid);
    bool good = create(part, &grid, 1, &cart) == MPI_SUCCESS && check_consistent(part, cart, &grid);
    check(good, "sub-communicators: consistent");
    check(good && (check_same_order(part, cart) || check_better(check_score(cart, &grid), before)),
          "  better or as before");
    MPI_Comm_free(&cart);
    MPI_Comm_free(&part);
}

/* --name=1,2 or --name=1x2 */
static int list_option(int argc, char *argv[], const char *name, int values[])
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        size_t n = strlen(name);
        if (strncmp(argv[i], name, n) != 0 || argv[i][n] != '=')
            continue;
        char *end = argv[i] + n;
        while (*end && count < CHECK_DIMS_MAX)
            values[count++] = (int)strtol(end + 1, &end, 10);
    }
    return count;
}

static void check_expected(int argc, char *argv[])
{
    struct check_grid grid = {0};
    int jsum = -1, jmax = -1;
    MPI_Comm cart;
    grid.ndims = list_option(argc, argv, "--dims", grid.dims);
    list_option(argc, argv, "--periodic", grid.periods);
    list_option(argc, argv, "--jsum", &jsum);
    list_option(argc, argv, "--jmax", &jmax);
    if (grid.ndims == 0)
        return;
    create(MPI_COMM_WORLD, &grid, 1, &cart);
    struct check_score score = check_score(cart, &grid);
    check(check_consistent(MPI_COMM_WORLD, cart, &grid), "the expected grid: consistent");
    check((jsum < 0 || score.jsum == jsum) && (jmax < 0 || score.jmax == jmax),
          "  J_sum %d (expected %d), J_max %d (expected %d)", (int)score.jsum, jsum,
          (int)score.jmax, jmax);
    MPI_Comm_free(&cart);
}

static bool has_option(int argc, char *argv[], const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return false;
}

static void check_everything(void)
{
    check_grids();
    check_beyond();
    check_errors();
    check_unmapped();
    check_sub_communicators();
    check_hints();
    check_graphs();
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    check_given_hints();
    check_clear_hints();
    check_expected(argc, argv);
    check_cart_of_cart();
    if (!has_option(argc, argv, "--quick"))
        check_everything();
    int failures = check_failures();
    if (check_rank(MPI_COMM_WORLD) == 0)
        printf("%d failures on %d processes\n", failures, check_size(MPI_COMM_WORLD));
    MPI_Finalize();
    return failures > 0;
}
