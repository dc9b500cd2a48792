/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints that are right, wrong, or wrong somewhere: right ones count, and no others do harm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_cart.h"
#include "stencilmap_mpi.h"

static const char *const variables[] = {
    "STENCILMAP_VERSION",    "STENCILMAP_MAP",   "STENCILMAP_PLACEMENT",   "STENCILMAP_STENCIL",
    "STENCILMAP_DIMS",       "STENCILMAP_RANK",  "STENCILMAP_PERIODIC",    "STENCILMAP_COORDS",
    "STENCILMAP_NODE_SIZES", "STENCILMAP_CPUS",  "STENCILMAP_JSUM",        "STENCILMAP_JMAX",
    "STENCILMAP_MPI",        "STENCILMAP_RANKS", "STENCILMAP_JSUM_BEFORE", "STENCILMAP_JMAX_BEFORE",
};

void check_clear_hints(void)
{
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
        unsetenv(variables[i]);
}

/* All right, for a 2-D grid; placement comm. */
static void set_hints(const struct check_grid *grid, int cell)
{
    char text[64];
    check_clear_hints();
    setenv("STENCILMAP_VERSION", "0.1.0", 1);
    setenv("STENCILMAP_MAP", "hyperplane", 1);
    setenv("STENCILMAP_PLACEMENT", "comm", 1);
    setenv("STENCILMAP_STENCIL", "5pt", 1);
    snprintf(text, sizeof(text), "%dx%d", grid->dims[0], grid->dims[1]);
    setenv("STENCILMAP_DIMS", text, 1);
    snprintf(text, sizeof(text), "%d,%d", grid->periods[0], grid->periods[1]);
    setenv("STENCILMAP_PERIODIC", text, 1);
    snprintf(text, sizeof(text), "%d", cell);
    setenv("STENCILMAP_RANK", text, 1);
}

static void set_gain(int jsum_before, int jsum, int jmax_before, int jmax)
{
    const struct {
        const char *name;
        int value;
    } all[] = {{"STENCILMAP_JSUM_BEFORE", jsum_before},
               {"STENCILMAP_JSUM", jsum},
               {"STENCILMAP_JMAX_BEFORE", jmax_before},
               {"STENCILMAP_JMAX", jmax}};
    char text[16];
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        snprintf(text, sizeof(text), "%d", all[i].value);
        setenv(all[i].name, text, 1);
    }
}

static MPI_Comm create_on(MPI_Comm comm, const struct check_grid *grid)
{
    MPI_Comm cart = MPI_COMM_NULL;
    stencilmap_cart_create(comm, grid->ndims, grid->dims, grid->periods, 1, &cart);
    return cart;
}

static MPI_Comm create(const struct check_grid *grid)
{
    return create_on(MPI_COMM_WORLD, grid);
}

/* The cell of this process as the library computes it without hints, but with the cells of a node
 * handed round one place: as good as that, and told apart from it. */
static int distinct_cell(MPI_Comm comm, const struct check_grid *grid)
{
    MPI_Comm node;
    check_clear_hints();
    MPI_Comm cart = create_on(comm, grid);
    int cell = check_rank(cart), host = check_host(comm);
    MPI_Comm_split(comm, host, check_rank(comm), &node);
    int rank = check_rank(node), size = check_size(node);
    MPI_Sendrecv_replace(&cell, 1, MPI_INT, (rank + 1) % size, 1, (rank + size - 1) % size, 1, node,
                         MPI_STATUS_IGNORE);
    MPI_Comm_free(&node);
    MPI_Comm_free(&cart);
    return cell;
}

static bool is_world_order(MPI_Comm cart)
{
    return check_same_order(MPI_COMM_WORLD, cart);
}

/* Right hints: followed exactly where that gains something. */
static void check_right(const struct check_grid *grid, int cell, bool gains)
{
    static const int nn[] = {0, 1, 0, -1, 1, 0, -1, 0};
    MPI_Comm cart = MPI_COMM_NULL;
    set_hints(grid, cell);
    cart = create(grid);
    check(check_consistent(MPI_COMM_WORLD, cart, grid) &&
              (gains ? check_rank(cart) == cell : is_world_order(cart)),
          "right hints: %s", gains ? "followed" : "no gain, order kept");
    MPI_Comm_free(&cart);
    MPIX_Cart_stencil_comm(MPI_COMM_WORLD, 2, grid->dims, grid->periods, 1, nn, 4, &cart);
    check(gains ? check_rank(cart) == cell : is_world_order(cart),
          "right hints, the same stencil in another order: %s", gains ? "followed" : "kept");
    MPI_Comm_free(&cart);
    MPIX_Cart_stencil_comm(MPI_COMM_WORLD, 2, grid->dims, grid->periods, 1, nn, 2, &cart);
    check(check_consistent(MPI_COMM_WORLD, cart, grid), "another stencil than that of the hints");
    MPI_Comm_free(&cart);
    setenv("STENCILMAP_PLACEMENT", "launch", 1);
    cart = create(grid);
    check(is_world_order(cart), "placement launch: order kept");
    MPI_Comm_free(&cart);
    setenv("STENCILMAP_PLACEMENT", "comm", 1);
    setenv("STENCILMAP_MPI", "off", check_rank(MPI_COMM_WORLD) == 0);
    cart = create(grid);
    check(is_world_order(cart), "STENCILMAP_MPI=off: order kept");
    MPI_Comm_free(&cart);
}

/* Hints that also say what they gain: they are believed, whatever the nodes; a gain that is none,
 * and one that differs somewhere, is not followed blindly. */
static void check_told_gain(const struct check_grid *grid)
{
    int p = check_size(MPI_COMM_WORLD), rank = check_rank(MPI_COMM_WORLD), flag = 0;
    int64_t gain[4] = {0};
    char text[16];
    set_hints(grid, p - 1 - rank);
    set_gain(12, 10, 5, 4);
    MPI_Comm cart = create(grid);
    stencilmap_get_gain(cart, gain, &flag);
    check(check_consistent(MPI_COMM_WORLD, cart, grid) && check_rank(cart) == p - 1 - rank &&
              flag && gain[0] == 12 && gain[1] == 10 && gain[2] == 5 && gain[3] == 4,
          "hints that say what they gain: followed");
    MPI_Comm_free(&cart);
    set_gain(10, 10, 4, 4);
    cart = create(grid);
    check(is_world_order(cart), "hints that say that nothing is gained: order kept");
    MPI_Comm_free(&cart);
    set_gain(12, 10, 5, 4);
    setenv("STENCILMAP_PLACEMENT", "launch", 1);
    snprintf(text, sizeof(text), "%d", rank);
    setenv("STENCILMAP_RANK", text, 1);
    cart = create(grid);
    flag = 0;
    stencilmap_get_gain(cart, gain, &flag);
    check(is_world_order(cart) && flag && gain[0] == 12 && gain[1] == 10,
          "placement launch: order kept, the gain is srun's");
    MPI_Comm_free(&cart);
    struct check_score before = check_score(MPI_COMM_WORLD, grid);
    set_hints(grid, p - 1 - rank);
    set_gain(12, rank == 0 ? 10 : 11, 5, 4);
    cart = create(grid);
    check(check_consistent(MPI_COMM_WORLD, cart, grid) &&
              (is_world_order(cart) || check_better(check_score(cart, grid), before)),
          "a gain that differs between processes: judged");
    MPI_Comm_free(&cart);
    set_hints(grid, rank / 2);
    set_gain(12, 10, 5, 4);
    cart = create(grid);
    check(check_consistent(MPI_COMM_WORLD, cart, grid) &&
              (is_world_order(cart) || check_better(check_score(cart, grid), before)),
          "a gain, but no permutation: refused");
    MPI_Comm_free(&cart);
}

static const struct wrong {
    const char *variable;
    const char *value; /* NULL: missing */
} wrongs[] = {
    {"STENCILMAP_RANK", "garbage"},
    {"STENCILMAP_RANK", "0"},
    {"STENCILMAP_RANK", "-1"},
    {"STENCILMAP_RANK", "4294967295"},
    {"STENCILMAP_RANK", "18446744073709551616"},
    {"STENCILMAP_RANK", ""},
    {"STENCILMAP_RANK", NULL},
    {"STENCILMAP_DIMS", "1x1"},
    {"STENCILMAP_DIMS", "0x0"},
    {"STENCILMAP_DIMS", "garbage"},
    {"STENCILMAP_DIMS", "65536x65536"},
    {"STENCILMAP_DIMS", NULL},
    {"STENCILMAP_PERIODIC", "1"},
    {"STENCILMAP_PERIODIC", "x"},
    {"STENCILMAP_STENCIL", "7pt"},
    {"STENCILMAP_STENCIL", "garbage"},
    {"STENCILMAP_STENCIL", NULL},
    {"STENCILMAP_STENCIL", "moore"},
    {"STENCILMAP_MAP", "garbage"},
    {"STENCILMAP_MAP", "kdtree"},
    {"STENCILMAP_MAP", "bands:run=0,snake=1,1:3x15+1x3"},
    {"STENCILMAP_MAP", NULL},
    {"STENCILMAP_PLACEMENT", "launch"},
    {"STENCILMAP_PLACEMENT", "garbage"},
    {"STENCILMAP_VERSION", NULL},
    {"STENCILMAP_MPI", "garbage"},
};

/* One wrong thing on the processes where applies is set: a communicator that is consistent and no
 * worse than the world's order. */
static bool survives(const struct check_grid *grid, int cell, const struct wrong *wrong,
                     bool applies, struct check_score before)
{
    set_hints(grid, cell);
    if (applies && wrong->value)
        setenv(wrong->variable, wrong->value, 1);
    else if (applies)
        unsetenv(wrong->variable);
    MPI_Comm cart = create(grid);
    bool good = check_consistent(MPI_COMM_WORLD, cart, grid);
    /* With hints for another stencil, that one is what gets better. */
    bool other_stencil = strcmp(wrong->variable, "STENCILMAP_STENCIL") == 0;
    if (good && !is_world_order(cart) && !other_stencil)
        good = check_better(check_score(cart, grid), before);
    MPI_Comm_free(&cart);
    return good;
}

static void check_wrong(const struct check_grid *grid, int cell)
{
    int rank = check_rank(MPI_COMM_WORLD), last = check_size(MPI_COMM_WORLD) - 1;
    struct check_score before = check_score(MPI_COMM_WORLD, grid);
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        const struct wrong *w = &wrongs[i];
        bool all = survives(grid, cell, w, true, before);
        bool one = survives(grid, cell, w, rank == last, before);
        bool others = survives(grid, cell, w, rank != last, before);
        check(all && one && others, "%s %s: on all, on one, on all but one process", w->variable,
              w->value ? w->value : "missing");
    }
}

/* STENCILMAP_MAP alone: the algorithm that computes. */
static void check_algorithms(const struct check_grid *grid)
{
    static const char *const names[] = {"blocked",  "hyperplane", "kdtree",   "strips",
                                        "nodecart", "best",       "bands:x1", "garbage"};
    struct check_score before = check_score(MPI_COMM_WORLD, grid);
    check_clear_hints();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        setenv("STENCILMAP_MAP", names[i], 1);
        MPI_Comm cart = create(grid);
        struct check_score after = check_score(cart, grid);
        check(check_consistent(MPI_COMM_WORLD, cart, grid) &&
                  (is_world_order(cart) || check_better(after, before)),
              "STENCILMAP_MAP=%s: J_sum %d -> %d", names[i], (int)before.jsum, (int)after.jsum);
        MPI_Comm_free(&cart);
    }
}

/* As square as p allows. */
static struct check_grid square(int p)
{
    int a = 1;
    for (int i = 2; i * i <= p; i++)
        a = p % i == 0 ? i : a;
    return (struct check_grid){2, {a, p / a}, {0, 0}, 0, NULL};
}

static bool cells_gain(MPI_Comm comm, const struct check_grid *grid, int cell)
{
    MPI_Comm hinted;
    MPI_Comm_split(comm, 0, cell, &hinted);
    bool gains = check_better(check_score(hinted, grid), check_score(comm, grid));
    MPI_Comm_free(&hinted);
    return gains;
}

/* Hints of a grid that is all ranks but the first and the last, on a communicator of these: in
 * their order (then they count), and in the opposite one (then they do not). */
static bool follows_part(const struct check_grid *grid, MPI_Comm part, bool reversed)
{
    char text[64];
    int cell = distinct_cell(part, grid);
    bool gains = cells_gain(part, grid, cell);
    set_hints(grid, cell);
    snprintf(text, sizeof(text), "1-%d", check_size(part));
    setenv("STENCILMAP_RANKS", text, 1);
    MPI_Comm cart = create_on(part, grid);
    struct check_score before = check_score(part, grid), after = check_score(cart, grid);
    bool good = check_consistent(part, cart, grid);
    if (gains && !reversed)
        good = good && check_rank(cart) == cell;
    else
        good = good && (check_same_order(part, cart) || check_better(after, before));
    MPI_Comm_free(&cart);
    setenv("STENCILMAP_PLACEMENT", "launch", 1);
    cart = create_on(part, grid);
    good = good && (reversed || check_same_order(part, cart));
    MPI_Comm_free(&cart);
    return good;
}

static void check_part(void)
{
    int p = check_size(MPI_COMM_WORLD), rank = check_rank(MPI_COMM_WORLD);
    if (p < 4)
        return;
    const struct check_grid grid = square(p - 2);
    bool inside = rank > 0 && rank < p - 1, good = true;
    MPI_Comm part;
    for (int reversed = 0; reversed <= 1; reversed++) {
        MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, reversed ? -rank : rank, &part);
        if (inside) {
            good = follows_part(&grid, part, reversed);
            MPI_Comm_free(&part);
        }
        check(good, "the grid is part of the ranks, %s",
              reversed ? "in another order" : "in order");
    }
}

/* stencilmap_get_hint. */
static void check_query(void)
{
    char value[8] = "before";
    int flag = -1;
    check_clear_hints();
    setenv("STENCILMAP_DIMS", "12x34x56", 1);
    bool good = stencilmap_get_hint("JSUM", sizeof(value), value, &flag) == MPI_SUCCESS && !flag &&
                strcmp(value, "before") == 0;
    good = good && stencilmap_get_hint("DIMS", sizeof(value), value, &flag) == MPI_SUCCESS &&
           flag == 1 && strcmp(value, "12x34x5") == 0;
    good = good && stencilmap_get_hint("DIMS", 1, value, &flag) == MPI_SUCCESS && value[0] == 0;
    good = good && stencilmap_get_hint("", 8, value, &flag) == MPI_ERR_ARG &&
           stencilmap_get_hint(NULL, 8, value, &flag) == MPI_ERR_ARG &&
           stencilmap_get_hint("DIMS", 0, value, &flag) == MPI_ERR_ARG &&
           stencilmap_get_hint("DIMS", 8, NULL, &flag) == MPI_ERR_ARG;
    check(good, "the query of hints: there, not there, too long, wrong");
    check_clear_hints();
}

void check_hints(void)
{
    const struct check_grid grid = square(check_size(MPI_COMM_WORLD));
    int cell = distinct_cell(MPI_COMM_WORLD, &grid);
    check_right(&grid, cell, cells_gain(MPI_COMM_WORLD, &grid, cell));
    if (check_size(MPI_COMM_WORLD) > 1)
        check_told_gain(&grid);
    check_wrong(&grid, cell);
    check_query();
    check_algorithms(&grid);
    check_part();
    check_clear_hints();
}

/* "4x8" or "1,0" */
static int parse_list(const char *text, int values[])
{
    int count = 0;
    char *end;
    while (text && *text && count < CHECK_DIMS_MAX) {
        values[count++] = (int)strtol(text, &end, 10);
        text = *end ? end + 1 : end;
    }
    return count;
}

/* The hints of a process on the grid, whose ranks are those of comm, come true. */
static bool come_true(MPI_Comm comm, const struct check_grid *grid)
{
    const char *stencil = getenv("STENCILMAP_STENCIL"), *placement = getenv("STENCILMAP_PLACEMENT");
    bool nearest =
        strcmp(stencil, "nn") == 0 || strcmp(stencil, "5pt") == 0 || strcmp(stencil, "7pt") == 0;
    MPI_Comm cart = create_on(comm, grid);
    int64_t jsum = check_score(cart, grid).jsum;
    bool good = check_consistent(comm, cart, grid) &&
                strtol(getenv("STENCILMAP_RANK"), NULL, 10) == check_rank(cart);
    if (strcmp(placement, "launch") == 0)
        good = good && check_same_order(comm, cart);
    if (nearest)
        good = good && jsum == strtol(getenv("STENCILMAP_JSUM"), NULL, 10);
    MPI_Comm_free(&cart);
    return good;
}

void check_given_hints(void)
{
    const char *rank = getenv("STENCILMAP_RANK"), *jsum = getenv("STENCILMAP_JSUM");
    struct check_grid grid = {0};
    bool good = true;
    grid.ndims = parse_list(getenv("STENCILMAP_DIMS"), grid.dims);
    parse_list(getenv("STENCILMAP_PERIODIC"), grid.periods);
    if (!getenv("STENCILMAP_STENCIL") || !getenv("STENCILMAP_PLACEMENT") || !jsum ||
        grid.ndims == 0)
        return;
    /* Processes outside of the grid have no STENCILMAP_RANK. */
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, 0, &comm);
    if (rank) {
        good = check_size(comm) == check_cells(&grid) && come_true(comm, &grid);
        MPI_Comm_free(&comm);
    }
    check(good,
          "given hints: consistent, the rank is STENCILMAP_RANK, J_sum by processor names is the "
          "prediction %s",
          jsum);
}
