/* SPDX-License-Identifier: BSD-3-Clause */
/* creation [PER-NODE [REPEATS]]: how long it takes to create a Cartesian communicator of all
 * processes: ours beside MPI's own, with and without reordering, and beside a split. PER-NODE (8)
 * processes are taken for a node, whatever nodes there are. A table in microseconds: the median of
 * the repeats (51), each as long as on the slowest process. */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "stencilmap_mpi.h"

struct setting {
    int rank, size, ndims, repeats;
    int dims[2], periods[2];
    char node[32];
};

typedef void create(MPI_Comm *made, const struct setting *s);

static void create_split(MPI_Comm *made, const struct setting *s)
{
    MPI_Comm_split(MPI_COMM_WORLD, 0, s->size - s->rank, made);
}

static void create_plain(MPI_Comm *made, const struct setting *s)
{
    MPI_Cart_create(MPI_COMM_WORLD, s->ndims, s->dims, s->periods, 0, made);
}

static void create_mpi(MPI_Comm *made, const struct setting *s)
{
    MPI_Cart_create(MPI_COMM_WORLD, s->ndims, s->dims, s->periods, 1, made);
}

static void create_ours(MPI_Comm *made, const struct setting *s)
{
    stencilmap_cart_create(MPI_COMM_WORLD, s->ndims, s->dims, s->periods, 1, made);
}

/* Four edges of each vertex: those of the grid, as a graph. */
static void create_graph(MPI_Comm *made, const struct setting *s, int ours)
{
    int coords[] = {s->rank / s->dims[1], s->rank % s->dims[1]}, to[4], degree = 0;
    for (int i = 0; i < 4; i++) {
        int x[] = {coords[0], coords[1]};
        x[i / 2] += i % 2 ? 1 : -1;
        if (x[0] >= 0 && x[0] < s->dims[0] && x[1] >= 0 && x[1] < s->dims[1])
            to[degree++] = x[0] * s->dims[1] + x[1];
    }
    const int ones[] = {1, 1, 1, 1};
    if (ours)
        stencilmap_dist_graph_create_adjacent(MPI_COMM_WORLD, degree, to, ones, degree, to, ones,
                                              MPI_INFO_NULL, 1, made);
    else
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, to, ones, degree, to, ones,
                                       MPI_INFO_NULL, 1, made);
}

static void create_graph_mpi(MPI_Comm *made, const struct setting *s)
{
    create_graph(made, s, 0);
}

static void create_graph_ours(MPI_Comm *made, const struct setting *s)
{
    create_graph(made, s, 1);
}

static void clear(void)
{
    static const char *const names[] = {"MAP",         "RANK",  "DIMS",      "STENCIL",
                                        "PERIODIC",    "RANKS", "PLACEMENT", "JSUM",
                                        "JSUM_BEFORE", "JMAX",  "MPI_NODE",  "JMAX_BEFORE"};
    char variable[64];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(variable, sizeof(variable), "STENCILMAP_%s", names[i]);
        unsetenv(variable);
    }
}

/* As the plugin gives them; the ranks turned round. */
static void set_hints(const struct setting *s)
{
    char text[64];
    snprintf(text, sizeof(text), "%dx%d", s->dims[0], s->dims[1]);
    setenv("STENCILMAP_DIMS", text, 1);
    snprintf(text, sizeof(text), "%d", s->size - 1 - s->rank);
    setenv("STENCILMAP_RANK", text, 1);
    setenv("STENCILMAP_STENCIL", "5pt", 1);
    setenv("STENCILMAP_MAP", "hyperplane", 1);
    setenv("STENCILMAP_PLACEMENT", "comm", 1);
    setenv("STENCILMAP_JSUM", "1", 1);
    setenv("STENCILMAP_JMAX", "1", 1);
    setenv("STENCILMAP_JSUM_BEFORE", "2", 1);
    setenv("STENCILMAP_JMAX_BEFORE", "2", 1);
}

static void set_nodes(const struct setting *s)
{
    setenv("STENCILMAP_MPI_NODE", s->node, 1);
}

static void set_best(const struct setting *s)
{
    set_nodes(s);
    setenv("STENCILMAP_MAP", "best", 1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In microseconds, as long as on the slowest process. */
static double measure(create *one, const struct setting *s)
{
    MPI_Comm made;
    MPI_Barrier(MPI_COMM_WORLD);
    double time = MPI_Wtime();
    one(&made, s);
    time = MPI_Wtime() - time;
    MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_free(&made);
    return time * 1e6;
}

static const struct {
    const char *name;
    create *one;
    void (*prepare)(const struct setting *s);
} kinds[] = {
    {"MPI_Comm_split", create_split, NULL},
    {"MPI_Cart_create, reorder=0", create_plain, NULL},
    {"MPI_Cart_create, reorder=1", create_mpi, NULL},
    {"stencilmap_cart_create, hints", create_ours, set_hints},
    {"stencilmap_cart_create, no hints", create_ours, set_nodes},
    {"stencilmap_cart_create, best", create_ours, set_best},
    {"MPI_Dist_graph_create_adjacent, reorder=1", create_graph_mpi, NULL},
    {"stencilmap_dist_graph_create_adjacent", create_graph_ours, set_nodes},
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* All kinds in turn, so that whatever else the machine does meets all; the first round warms up. */
static void measure_all(double *times[KINDS], const struct setting *s)
{
    for (int i = -1; i < s->repeats; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            clear();
            if (kinds[kind].prepare)
                kinds[kind].prepare(s);
            double time = measure(kinds[kind].one, s);
            if (i >= 0)
                times[kind][i] = time;
        }
}

static void print(double *times[KINDS], const struct setting *s)
{
    double base = 0;
    printf("%dx%d processes, nodes are %s, medians of %d\n", s->dims[0], s->dims[1], s->node,
           s->repeats);
    for (int kind = 0; kind < KINDS; kind++) {
        qsort(times[kind], (size_t)s->repeats, sizeof(double), compare);
        double median = times[kind][s->repeats / 2];
        base += kind < 2 ? median : 0;
        printf(kind < 2 ? "%-44s %9.0f us\n" : "%-44s %9.0f us  %6.2f of split and reorder=0\n",
               kinds[kind].name, median, median / base);
    }
}

int main(int argc, char *argv[])
{
    struct setting s = {.ndims = 2};
    double *times[KINDS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    snprintf(s.node, sizeof(s.node), "rank/%d", argc > 1 ? atoi(argv[1]) : 8);
    s.repeats = argc > 2 ? atoi(argv[2]) : 51;
    MPI_Dims_create(s.size, s.ndims, s.dims);
    for (int kind = 0; kind < KINDS; kind++)
        times[kind] = calloc((size_t)s.repeats, sizeof(double));
    measure_all(times, &s);
    if (s.rank == 0)
        print(times, &s);
    for (int kind = 0; kind < KINDS; kind++)
        free(times[kind]);
    MPI_Finalize();
    return 0;
}
