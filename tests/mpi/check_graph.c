/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs, any: the neighbours are those of the vertex, the order is better or as it
 * was, and the gain that is told is the one that can be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_cart.h"
#include "stencilmap_mpi.h"

/* The weights of all edges, p x p, the same on all processes; 0: no edge. */
struct graph {
    int p;
    int *weight;
};

static int weight_of(const struct graph *g, int from, int to)
{
    return g->weight[from * g->p + to];
}

static void graph_init(struct graph *g, int p)
{
    g->p = p;
    g->weight = calloc((size_t)p * (size_t)p, sizeof(*g->weight));
}

/* At random, few edges and never the same ones; or rings whose members are far apart. */
static void fill_random(struct graph *g, int degree)
{
    for (int i = 0; i < g->p * degree; i++)
        g->weight[check_random(g->p * g->p)] = 1 + check_random(9);
}

static void fill_rings(struct graph *g, int stride)
{
    for (int r = 0; r < g->p; r++) {
        g->weight[r * g->p + (r + stride) % g->p] = 5;
        g->weight[(r + stride) % g->p * g->p + r] = 2;
    }
}

/* By the hosts, independently. */
static struct check_score score_of(MPI_Comm comm, const struct graph *g, bool weighted)
{
    struct check_score score = {0, 0};
    int host = check_host(comm), *hosts = calloc((size_t)g->p, sizeof(*hosts));
    int64_t *out = calloc((size_t)g->p, sizeof(*out));
    MPI_Allgather(&host, 1, MPI_INT, hosts, 1, MPI_INT, comm);
    for (int from = 0; from < g->p; from++)
        for (int to = 0; to < g->p; to++)
            if (hosts[from] != hosts[to] && weight_of(g, from, to))
                out[hosts[from]] += weighted ? weight_of(g, from, to) : 1;
    for (int i = 0; i < g->p; i++) {
        score.jsum += out[i];
        score.jmax = out[i] > score.jmax ? out[i] : score.jmax;
    }
    free(hosts);
    free(out);
    return score;
}

/* The edges of one vertex, in or out. */
struct row {
    int degree;
    int *rank, *weight;
};

static struct row row_of(const struct graph *g, int vertex, bool out)
{
    struct row row = {0, calloc((size_t)g->p + 1, sizeof(int)),
                      calloc((size_t)g->p + 1, sizeof(int))};
    /* Downwards, so that the order in which they were given can be told from a sorted one. */
    for (int other = g->p - 1; other >= 0; other--) {
        int weight = out ? weight_of(g, vertex, other) : weight_of(g, other, vertex);
        if (weight == 0)
            continue;
        row.rank[row.degree] = other;
        row.weight[row.degree++] = weight;
    }
    return row;
}

static void row_clear(struct row *row)
{
    free(row->rank);
    free(row->weight);
}

static int compare_pairs(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int));
}

/* In the same order, or (sorted) in any. */
static bool same_row(const struct row *want, int degree, const int rank[], const int weight[],
                     bool weighted, bool sorted)
{
    int(*pairs)[2] = calloc((size_t)want->degree + 1, sizeof(*pairs));
    int(*found)[2] = calloc((size_t)want->degree + 1, sizeof(*found));
    bool same = degree == want->degree;
    for (int i = 0; same && i < degree; i++) {
        memcpy(pairs[i], (int[]){want->rank[i], weighted ? want->weight[i] : 0}, sizeof(*pairs));
        memcpy(found[i], (int[]){rank[i], weighted ? weight[i] : 0}, sizeof(*found));
    }
    if (same && sorted) {
        qsort(pairs, (size_t)degree, sizeof(*pairs), compare_pairs);
        qsort(found, (size_t)degree, sizeof(*found), compare_pairs);
    }
    same = same && memcmp(pairs, found, (size_t)degree * sizeof(*pairs)) == 0;
    free(pairs);
    free(found);
    return same;
}

/* Has the process with rank v in comm the neighbours of vertex v? */
static bool neighbours_right(MPI_Comm comm, const struct graph *g, bool weighted, bool sorted)
{
    int kind, has_weights = 0, in = 0, out = 0, rank = check_rank(comm);
    MPI_Topo_test(comm, &kind);
    if (kind != MPI_DIST_GRAPH)
        return false;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &has_weights);
    int *lists = calloc((size_t)(2 * in + 2 * out) + 1, sizeof(*lists));
    int *sources = lists, *sourceweights = sources + in, *destinations = sourceweights + in;
    int *destweights = destinations + out;
    MPI_Dist_graph_neighbors(comm, in, sources, weighted ? sourceweights : MPI_UNWEIGHTED, out,
                             destinations, weighted ? destweights : MPI_UNWEIGHTED);
    struct row from = row_of(g, rank, false), to = row_of(g, rank, true);
    bool good = !has_weights == !weighted &&
                same_row(&from, in, sources, sourceweights, weighted, sorted) &&
                same_row(&to, out, destinations, destweights, weighted, sorted);
    row_clear(&from);
    row_clear(&to);
    free(lists);
    return good;
}

/* What one process says of its own vertex. */
static int create_adjacent(MPI_Comm comm, const struct graph *g, bool weighted, int reorder,
                           MPI_Comm *made)
{
    struct row in = row_of(g, check_rank(comm), false), out = row_of(g, check_rank(comm), true);
    const int *none = MPI_UNWEIGHTED;
    int rc = stencilmap_dist_graph_create_adjacent(
        comm, in.degree, in.rank, weighted ? in.weight : none, out.degree, out.rank,
        weighted ? out.weight : none, MPI_INFO_NULL, reorder, made);
    row_clear(&in);
    row_clear(&out);
    return rc;
}

/* Every process tells of the vertex before its own, the first half of the edges and then the rest.
 */
static int create_general(MPI_Comm comm, const struct graph *g, bool weighted, int reorder,
                          MPI_Comm *made)
{
    int vertex = (check_rank(comm) + g->p - 1) % g->p;
    struct row out = row_of(g, vertex, true);
    const int sources[] = {vertex, vertex};
    const int degrees[] = {out.degree / 2, out.degree - out.degree / 2};
    int rc = stencilmap_dist_graph_create(comm, 2, sources, degrees, out.rank,
                                          weighted ? out.weight : MPI_UNWEIGHTED, MPI_INFO_NULL,
                                          reorder, made);
    row_clear(&out);
    return rc;
}

static bool gain_is(MPI_Comm comm, struct check_score before, struct check_score after)
{
    int64_t gain[4] = {-1, -1, -1, -1};
    int flag = 0;
    return stencilmap_get_gain(comm, gain, &flag) == MPI_SUCCESS && flag &&
           gain[0] == before.jsum && gain[1] == after.jsum && gain[2] == before.jmax &&
           gain[3] == after.jmax;
}

static bool knows_no_gain(MPI_Comm comm)
{
    int64_t gain[4];
    int flag = 1;
    return stencilmap_get_gain(comm, gain, &flag) == MPI_SUCCESS && !flag;
}

static bool check_one(MPI_Comm comm, const struct graph *g, bool adjacent, bool weighted)
{
    MPI_Comm made = MPI_COMM_NULL, copy, plain = MPI_COMM_NULL;
    struct check_score before = score_of(comm, g, weighted);
    int rc = adjacent ? create_adjacent(comm, g, weighted, 1, &made)
                      : create_general(comm, g, weighted, 1, &made);
    if (rc != MPI_SUCCESS || made == MPI_COMM_NULL)
        return false;
    struct check_score after = score_of(made, g, weighted);
    bool good = neighbours_right(made, g, weighted, !adjacent) &&
                (check_same_order(comm, made) || check_better(after, before)) &&
                gain_is(made, before, after);
    MPI_Comm_dup(made, &copy);
    good = good && gain_is(copy, before, after);
    MPI_Comm_free(&made);
    good = good && gain_is(copy, before, after);
    MPI_Comm_free(&copy);
    rc = adjacent ? create_adjacent(comm, g, weighted, 0, &plain)
                  : create_general(comm, g, weighted, 0, &plain);
    good = good && rc == MPI_SUCCESS && check_same_order(comm, plain) &&
           neighbours_right(plain, g, weighted, !adjacent) && knows_no_gain(plain);
    MPI_Comm_free(&plain);
    return good;
}

static void check_graph(const struct graph *g, const char *what)
{
    for (int adjacent = 0; adjacent <= 1; adjacent++)
        for (int weighted = 0; weighted <= 1; weighted++)
            check(check_one(MPI_COMM_WORLD, g, adjacent, weighted), "%s: %s, %s", what,
                  adjacent ? "MPI_Dist_graph_create_adjacent" : "MPI_Dist_graph_create",
                  weighted ? "weighted" : "unweighted");
}

static int class_of(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* comm returns errors. */
static void check_like_mpi(MPI_Comm comm, int degree, int neighbour, int weight, const char *what)
{
    MPI_Comm made = MPI_COMM_NULL;
    const int rank[] = {neighbour}, weights[] = {weight}, one[] = {0};
    int mpi = MPI_Dist_graph_create_adjacent(comm, degree, rank, weights, degree, rank, weights,
                                             MPI_INFO_NULL, 1, &made);
    int ours = stencilmap_dist_graph_create_adjacent(comm, degree, rank, weights, degree, rank,
                                                     weights, MPI_INFO_NULL, 1, &made);
    check(class_of(mpi) != MPI_SUCCESS && class_of(ours) == class_of(mpi),
          "%s: the same answer as MPI_Dist_graph_create_adjacent, %d", what, class_of(mpi));
    mpi = MPI_Dist_graph_create(comm, 1, one, &degree, rank, weights, MPI_INFO_NULL, 1, &made);
    ours =
        stencilmap_dist_graph_create(comm, 1, one, &degree, rank, weights, MPI_INFO_NULL, 1, &made);
    check(class_of(ours) == class_of(mpi), "%s: the same answer as MPI_Dist_graph_create, %d", what,
          class_of(mpi));
}

static void check_errors(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    check_like_mpi(comm, -1, 0, 1, "a negative degree");
#ifdef OPEN_MPI /* MPICH's own functions take it, or abort */
    check_like_mpi(comm, 1, check_size(comm), 1, "a neighbour that is not there");
#endif
    MPI_Comm_free(&comm);
}

void check_graphs(void)
{
    int p = check_size(MPI_COMM_WORLD);
    struct graph g;
    for (int degree = 0; degree <= 4; degree += 2) {
        char what[64];
        graph_init(&g, p);
        fill_random(&g, degree);
        snprintf(what, sizeof(what), "random graph, %d edges a vertex", degree);
        check_graph(&g, what);
        free(g.weight);
    }
    graph_init(&g, p);
    fill_rings(&g, p > 4 ? p / 4 : 1);
    check_graph(&g, "rings");
    struct check_score before = score_of(MPI_COMM_WORLD, &g, true), after = before;
    MPI_Comm made;
    setenv("STENCILMAP_MPI", "off", check_rank(MPI_COMM_WORLD) == 0);
    create_adjacent(MPI_COMM_WORLD, &g, true, 1, &made);
    unsetenv("STENCILMAP_MPI");
    check(check_same_order(MPI_COMM_WORLD, made) && knows_no_gain(made),
          "STENCILMAP_MPI=off: order kept");
    MPI_Comm_free(&made);
    create_adjacent(MPI_COMM_WORLD, &g, true, 1, &made);
    after = score_of(made, &g, true);
    check(after.jsum <= before.jsum, "rings: J_sum %d -> %d", (int)before.jsum, (int)after.jsum);
    MPI_Comm_free(&made);
    free(g.weight);
    check_errors();
}
