/* SPDX-License-Identifier: BSD-3-Clause */
/* check_dims [NDIMS [OFFSET...]]: checks stencilmap_dims_create and its two sisters on the
 * processes that it is given. With numbers, prints the dims for that stencil (nearest neighbours
 * without offsets) on these nodes, on a line "dims 8x4", and checks nothing. Exits non-zero if a
 * check failed. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stencilmap_mpi.h"

enum { LIST_MAX = 256 };

static const int five[] = {1, 0, -1, 0, 0, 1, 0, -1};

static int error_class(int rc)
{
    int class = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        MPI_Error_class(rc, &class);
    return class;
}

static void check_balanced(void)
{
    static const struct {
        int p, ndims, dims[4], want[4];
    } known[] = {
        {6, 2, {0, 0}, {3, 2}},
        {7, 2, {0, 0}, {7, 1}},
        {6, 3, {0, 3, 0}, {2, 3, 1}},
        {84, 3, {0, 7, 0}, {4, 7, 3}},
        {12, 2, {3, 4}, {3, 4}},
        {INT_MAX, 2, {0, 0}, {INT_MAX, 1}},
        {12, 0, {0}, {0}},
        {1, 0, {0}, {0}},
        {12, 2, {3, 2}, {3, 2}}, /* a grid of some of the processes */
    };
    bool good = true;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        int dims[4];
        memcpy(dims, known[i].dims, sizeof(dims));
        good = stencilmap_dims_create(known[i].p, known[i].ndims, dims) == MPI_SUCCESS && good;
        good = memcmp(dims, known[i].want, (size_t)known[i].ndims * sizeof(int)) == 0 && good;
    }
    good = stencilmap_dims_create(1, 0, NULL) == MPI_SUCCESS && good;
    check(good, "dims_create: what is given stays, the rest is balanced");
}

/* The classes that both MPIs give where they do not crash. */
static void check_errors(void)
{
    static const struct {
        int p, ndims, dims[3], class;
    } wrong[] = {
        {12, 3, {0, 7, 0}, MPI_ERR_DIMS}, {12, 3, {0, -1, 0}, MPI_ERR_DIMS},
        {12, 2, {5, 0}, MPI_ERR_DIMS},    {0, 1, {0}, MPI_ERR_DIMS},
        {-1, 1, {0}, MPI_ERR_DIMS},       {4, -1, {0}, MPI_ERR_DIMS},
        {4, 17, {0}, MPI_ERR_DIMS},       {12, 3, {65536, 65536, 0}, MPI_ERR_DIMS},
    };
    static const int lattice[] = {12, 12, 12};
    bool good = true, untouched = true;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        int dims[17] = {0};
        memcpy(dims, wrong[i].dims, sizeof(wrong[i].dims));
        int rc = stencilmap_dims_create(wrong[i].p, wrong[i].ndims, dims);
        good = error_class(rc) == wrong[i].class && good;
        rc = stencilmap_dims_create_lattice(wrong[i].p, wrong[i].ndims, lattice, NULL, dims);
        good = error_class(rc) == wrong[i].class && good;
        untouched = memcmp(dims, wrong[i].dims, sizeof(wrong[i].dims)) == 0 && untouched;
    }
    good = error_class(stencilmap_dims_create(4, 2, NULL)) == MPI_ERR_ARG && good;
    check(good, "dims_create: error classes");
    check(untouched, "  dims is as it was");
}

static void check_lattice(void)
{
    static const int lattice[] = {18, 18, 18, 36}, least[] = {4, 4, 4, 4}, zero[] = {18, 0, 18, 36};
    int dims[] = {0, 0, 0, 0}, given[] = {0, 0, 0, 1};
    bool good = stencilmap_dims_create_lattice(54, 4, lattice, least, dims) == MPI_SUCCESS;
    check(good && dims[0] == 3 && dims[1] == 3 && dims[2] == 2 && dims[3] == 3,
          "lattice: 54 on 18x18x18x36 is 3x3x2x3");
    good = stencilmap_dims_create_lattice(54, 4, lattice, NULL, given) == MPI_SUCCESS;
    check(good && given[3] == 1 && given[0] * given[1] * given[2] == 54, "  what is given stays");
    memset(dims, 0, sizeof(dims));
    int rc = stencilmap_dims_create_lattice(7, 4, lattice, NULL, dims);
    check(error_class(rc) == MPI_ERR_DIMS && dims[0] == 0, "  no grid of 7: MPI_ERR_DIMS");
    good = error_class(stencilmap_dims_create_lattice(6, 4, NULL, NULL, dims)) == MPI_ERR_ARG;
    rc = stencilmap_dims_create_lattice(6, 4, zero, NULL, dims);
    check(good && error_class(rc) == MPI_ERR_DIMS, "  no lattice, a lattice of nothing");
    check(stencilmap_dims_create_lattice(5, 0, NULL, NULL, NULL) == MPI_SUCCESS, "  0-D");
}

/* Are the dims a grid of all processes of comm, and the same everywhere? */
static bool agreed(MPI_Comm comm, int ndims, const int dims[])
{
    int first[CHECK_DIMS_MAX], product = 1;
    memcpy(first, dims, (size_t)ndims * sizeof(int));
    MPI_Bcast(first, ndims, MPI_INT, 0, comm);
    for (int i = 0; i < ndims; i++)
        product *= dims[i];
    return product == check_size(comm) && memcmp(first, dims, (size_t)ndims * sizeof(int)) == 0;
}

static void check_stencil(MPI_Comm comm, const char *what)
{
    static const int heavy[] = {100, 100, 1, 1}, bad[] = {1, 0, 1, 1}, periods[] = {1, 0};
    int dims[] = {0, 0}, given[] = {0, 1}, p = check_size(comm), plain[] = {0, 0};
    int rc = stencilmap_dims_create_stencil(comm, 2, dims, periods, 4, five, NULL);
    check(rc == MPI_SUCCESS && agreed(comm, 2, dims), "%s: dims for a stencil", what);
    rc = stencilmap_dims_create_stencil(comm, 2, given, NULL, 4, five, NULL);
    check(rc == MPI_SUCCESS && given[0] == p && given[1] == 1, "  what is given stays");
    dims[0] = dims[1] = 0;
    rc = stencilmap_dims_create_stencil(comm, 2, dims, periods, 4, five, heavy);
    check(rc == MPI_SUCCESS && agreed(comm, 2, dims) && dims[0] <= dims[1],
          "  fewer cuts where messages are heavy");
    dims[0] = dims[1] = 0;
    rc = stencilmap_dims_create_stencil(comm, 2, dims, NULL, 0, NULL, NULL);
    check(rc == MPI_SUCCESS && agreed(comm, 2, dims), "  no offsets");
    rc = stencilmap_dims_create_stencil(comm, 2, plain, NULL, 4, five, bad);
    check(rc == MPI_SUCCESS && agreed(comm, 2, plain), "  a weight of 0: balanced");
    plain[0] = plain[1] = 0;
    rc = stencilmap_dims_create_stencil(comm, 2, plain, NULL, 4, NULL, NULL);
    check(error_class(rc) == MPI_ERR_ARG, "  no list of offsets: MPI_ERR_ARG");
    given[1] = p + 1;
    given[0] = 0;
    rc = stencilmap_dims_create_stencil(comm, 2, given, NULL, 4, five, NULL);
    check(error_class(rc) == MPI_ERR_DIMS && given[0] == 0, "  sizes that do not divide");
    check(stencilmap_dims_create_stencil(comm, 0, NULL, NULL, 0, NULL, NULL) == MPI_SUCCESS,
          "  0-D");
}

/* Off somewhere is off everywhere, and the same as dims_create. */
static void check_off(void)
{
    int dims[] = {0, 0, 0}, want[] = {0, 0, 0};
    static const int along[] = {1, 0, 0};
    if (check_rank(MPI_COMM_WORLD) == check_size(MPI_COMM_WORLD) - 1)
        setenv("STENCILMAP_MPI", "off", 1);
    int rc = stencilmap_dims_create_stencil(MPI_COMM_WORLD, 3, dims, NULL, 1, along, NULL);
    stencilmap_dims_create(check_size(MPI_COMM_WORLD), 3, want);
    unsetenv("STENCILMAP_MPI");
    check(rc == MPI_SUCCESS && memcmp(dims, want, sizeof(dims)) == 0, "off: balanced");
}

static void check_sub_communicators(void)
{
    MPI_Comm half, both;
    int rank = check_rank(MPI_COMM_WORLD), dims[] = {0, 0};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    check_stencil(half, "halves");
    if (check_size(MPI_COMM_WORLD) > 1) {
        /* The first of the others: the last rank of MPI_COMM_WORLD that is even, or odd. */
        int size = check_size(MPI_COMM_WORLD), last = size - 1 - (size - rank) % 2;
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, last, 7, &both);
        MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
        int rc = stencilmap_dims_create_stencil(both, 2, dims, NULL, 4, five, NULL);
        check(error_class(rc) == MPI_ERR_COMM, "inter-communicator: MPI_ERR_COMM");
        MPI_Comm_free(&both);
    }
    int rc = stencilmap_dims_create_stencil(MPI_COMM_NULL, 2, dims, NULL, 4, five, NULL);
    check(error_class(rc) == MPI_ERR_COMM, "MPI_COMM_NULL: MPI_ERR_COMM");
    MPI_Comm_free(&half);
}

static void print_dims(int argc, char *argv[])
{
    int ndims = atoi(argv[1]), k = 0, count = 0, dims[CHECK_DIMS_MAX] = {0};
    int offsets[LIST_MAX] = {0};
    for (int i = 2; i < argc && count < LIST_MAX; i++)
        offsets[count++] = atoi(argv[i]);
    for (int i = 0; argc == 2 && i < ndims; i++) {
        offsets[count + i] = 1;
        offsets[count + ndims + i] = -1;
        count += 2 * ndims;
    }
    k = count / ndims;
    stencilmap_dims_create_stencil(MPI_COMM_WORLD, ndims, dims, NULL, k, offsets, NULL);
    for (int i = 0; i < ndims && check_rank(MPI_COMM_WORLD) == 0; i++)
        printf("%s%d%s", i ? "x" : "dims ", dims[i], i == ndims - 1 ? "\n" : "");
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    if (argc > 1) {
        print_dims(argc, argv);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check_balanced();
    check_errors();
    check_lattice();
    check_stencil(MPI_COMM_WORLD, "all");
    check_off();
    check_sub_communicators();
    int failures = check_failures();
    if (check_rank(MPI_COMM_WORLD) == 0)
        printf("%d failures on %d processes\n", failures, check_size(MPI_COMM_WORLD));
    MPI_Finalize();
    return failures > 0;
}
