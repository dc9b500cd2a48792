/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sub [--rounds=N] [--seed=S]: Cartesian communicators of random sub-communicators, on random
 * pretended nodes: of no to four dimensions, of as many cells as there are processes or fewer, and
 * of what has come out of that. Made and freed again N times (100): they must be what MPI says they
 * are, never worse than the order that there was, tell the gain that can be counted, and leave
 * nothing behind. Exits non-zero if something was wrong. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stencilmap_mpi.h"

/* What MPI keeps for itself may grow by so many bytes a round, of which the first half of the
 * rounds are not looked at. A communicator that is not freed takes thousands. */
#define GROWTH_MAX 1000

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

/* The same on all processes that share a part. */
struct part {
    MPI_Comm comm;
    uint64_t random;
};

static int draw(struct part *part, int n)
{
    part->random = mix(part->random + UINT64_C(0x9e3779b97f4a7c15));
    return (int)((part->random >> 33) % (uint64_t)n);
}

/* Up to three colors and MPI_UNDEFINED, in any order; nodes at random, in blocks or in turn. */
static void split_world(struct part *part, uint64_t round)
{
    char node[32];
    int rank = check_rank(MPI_COMM_WORLD);
    uint64_t shared = mix(round * 7919 + 1), own = mix(shared + (uint64_t)rank);
    uint64_t choice = own % (1 + shared % 3);
    int color = shared >> 8 & 1 && (own >> 8) % 7 == 0 ? MPI_UNDEFINED : (int)choice;
    int key = shared >> 10 & 1 ? (int)(own >> 16 & 255) : rank;
    int kind = (int)(shared >> 12) & 3, nodes = 1 + (int)(shared >> 20 & 3);
    snprintf(node, sizeof(node),
             kind == 0   ? "rank/%d"
             : kind == 1 ? "rank%%%d"
                         : "%d",
             kind < 2 ? nodes : (int)((own >> 34) % (uint64_t)(nodes + 1)));
    setenv("STENCILMAP_MPI_NODE", node, 1);
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &part->comm);
    part->random = mix(shared + (uint64_t)color);
}

/* At most as many cells as processes; half of the time as many as fit. */
static void draw_grid(struct check_grid *grid, struct part *part)
{
    int left = check_size(part->comm);
    *grid = (struct check_grid){.ndims = draw(part, 5)};
    bool all = draw(part, 2);
    for (int i = 0; i < grid->ndims; i++) {
        int dim = 1 + draw(part, left < 6 ? left : 6);
        grid->dims[i] = i + 1 == grid->ndims && all ? left : dim;
        grid->periods[i] = draw(part, 2);
        left /= grid->dims[i];
    }
}

/* Offsets +-1 and +-2 in every dimension. */
static void draw_offsets(struct check_grid *grid, int offsets[], struct part *part)
{
    grid->offsets = offsets;
    for (int i = 0; i < grid->ndims; i++)
        for (int far = 1; far <= 1 + draw(part, 2); far++)
            for (int sign = -1; sign <= 1; sign += 2) {
                memset(offsets + grid->k * grid->ndims, 0, (size_t)grid->ndims * sizeof(int));
                offsets[grid->k++ * grid->ndims + i] = sign * far;
            }
}

static int create(MPI_Comm comm, const struct check_grid *grid, int reorder, MPI_Comm *cart)
{
    *cart = comm; /* to be changed in any case */
    if (!grid->offsets)
        return stencilmap_cart_create(comm, grid->ndims, grid->dims, grid->periods, reorder, cart);
    if (grid->k % 4)
        return MPIX_Cart_stencil_comm(comm, grid->ndims, grid->dims, grid->periods, reorder,
                                      grid->offsets, grid->k, cart);
    return stencilmap_cart_stencil_create(comm, grid->ndims, grid->dims, grid->periods, reorder,
                                          grid->k, grid->offsets, NULL, cart);
}

/* Rows of the grid: of all but the first dimension, in the order of the coordinates. Of one
 * dimension nothing would be left: MPICH 4.0 then gives all but rank 0 no communicator. */
static bool sub_right(MPI_Comm cart, const struct check_grid *grid)
{
    int remain[CHECK_DIMS_MAX], coords[CHECK_DIMS_MAX], own[CHECK_DIMS_MAX];
    MPI_Comm sub;
    if (grid->ndims < 2)
        return true;
    for (int i = 0; i < grid->ndims; i++)
        remain[i] = i > 0;
    MPI_Cart_coords(cart, check_rank(cart), grid->ndims, own);
    MPI_Cart_sub(cart, remain, &sub);
    bool good = check_size(sub) == check_cells(grid) / grid->dims[0];
    MPI_Cart_coords(sub, check_rank(sub), grid->ndims - 1, coords);
    good = good && memcmp(coords, own + 1, (size_t)(grid->ndims - 1) * sizeof(int)) == 0;
    int first = own[0];
    MPI_Bcast(&first, 1, MPI_INT, 0, sub);
    MPI_Comm_free(&sub);
    return good && first == own[0];
}

static bool gain_right(MPI_Comm cart, struct check_score before, struct check_score after)
{
    int64_t gain[4];
    int flag = 0;
    stencilmap_get_gain(cart, gain, &flag);
    return flag && gain[0] == before.jsum && gain[1] == after.jsum && gain[2] == before.jmax &&
           gain[3] == after.jmax;
}

/* cart is of the processes of members, whose order was the one before. */
static bool cart_right(MPI_Comm members, MPI_Comm cart, const struct check_grid *grid, int reorder)
{
    if (!check_consistent(members, cart, grid) || !sub_right(cart, grid))
        return false;
    struct check_score before = check_score(members, grid), after = check_score(cart, grid);
    bool same = check_same_order(members, cart);
    if (!reorder || (grid->offsets && grid->k == 0) || grid->ndims == 0)
        return same;
    return (same || check_better(after, before)) && gain_right(cart, before, after);
}

/* One communicator on part->comm; perhaps another one on that. */
static bool one_grid(struct part *part, int depth)
{
    struct check_grid grid;
    int offsets[CHECK_DIMS_MAX * CHECK_DIMS_MAX * 4] = {0};
    MPI_Comm cart, members;
    draw_grid(&grid, part);
    if (draw(part, 2))
        draw_offsets(&grid, offsets, part);
    int reorder = draw(part, 5) > 0, rank = check_rank(part->comm);
    bool member = rank < check_cells(&grid), again = depth < 2 && draw(part, 3) == 0;
    bool good = create(part->comm, &grid, reorder, &cart) == MPI_SUCCESS &&
                member == (cart != MPI_COMM_NULL);
    MPI_Comm_split(part->comm, member ? 0 : MPI_UNDEFINED, rank, &members);
    if (good && member)
        good = cart_right(members, cart, &grid, reorder);
    if (good && member && again) {
        struct part next = {cart, part->random};
        good = one_grid(&next, depth + 1);
    }
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    if (members != MPI_COMM_NULL)
        MPI_Comm_free(&members);
    if (!good)
        fprintf(stderr, "%d dimensions, %dx%dx%dx%d, %d processes, depth %d\n", grid.ndims,
                grid.dims[0], grid.dims[1], grid.dims[2], grid.dims[3], check_size(part->comm),
                depth);
    return good;
}

static bool round_right(uint64_t round)
{
    struct part part;
    bool good = true;
    split_world(&part, round);
    if (part.comm != MPI_COMM_NULL) {
        good = one_grid(&part, 0);
        MPI_Comm_free(&part.comm);
    }
    if (!good)
        fprintf(stderr, "wrong in round %d, node %s\n", (int)round, getenv("STENCILMAP_MPI_NODE"));
    return good;
}

static size_t allocated(void)
{
    return mallinfo2().uordblks;
}

static int class_of(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* Every other process on the other side. */
static void check_intercomm(void)
{
    int rank = check_rank(MPI_COMM_WORLD), one = 1, zero = 0;
    MPI_Comm half, inter, made = MPI_COMM_NULL;
    if (check_size(MPI_COMM_WORLD) < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* where some raise it */
    int mpi = class_of(MPI_Cart_create(inter, 1, &one, &zero, 1, &made));
    int ours = class_of(stencilmap_cart_create(inter, 1, &one, &zero, 1, &made));
    int stencil =
        class_of(stencilmap_cart_stencil_create(inter, 1, &one, &zero, 1, 1, &one, &one, &made));
    check(mpi != MPI_SUCCESS && ours == mpi && stencil == mpi,
          "inter-communicator: the same answer as MPI_Cart_create, %d", mpi);
    int weight[] = {1};
    mpi = class_of(MPI_Dist_graph_create_adjacent(inter, 1, &zero, weight, 1, &zero, weight,
                                                  MPI_INFO_NULL, 1, &made));
    ours = class_of(stencilmap_dist_graph_create_adjacent(inter, 1, &zero, weight, 1, &zero, weight,
                                                          MPI_INFO_NULL, 1, &made));
    check(mpi != MPI_SUCCESS && ours == mpi,
          "inter-communicator: the same answer as MPI_Dist_graph_create_adjacent, %d", mpi);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static int option(int argc, char *argv[], const char *name, int value)
{
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0)
            value = atoi(argv[i] + length);
    return value;
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    int rounds = option(argc, argv, "--rounds=", 100), seed = option(argc, argv, "--seed=", 1);
    bool good = true;
    size_t half = 0;
    for (int i = 0; i < rounds; i++) {
        half = i == rounds / 2 ? allocated() : half;
        good = round_right((uint64_t)seed * 1000000 + (uint64_t)i) && good;
    }
    check(good, "%d random rounds", rounds);
    double growth = ((double)allocated() - (double)half) / (rounds - rounds / 2);
    MPI_Allreduce(MPI_IN_PLACE, &growth, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    check(growth < GROWTH_MAX || rounds<50, "nothing is left behind (%.0f bytes a round)", growth> 0
              ? growth
              : 0);
    check_intercomm();
    int failures = check_failures();
    MPI_Finalize();
    return failures > 0;
}
