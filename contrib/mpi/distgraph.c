/* SPDX-License-Identifier: BSD-3-Clause */
#include "distgraph.h"

#include "agree.h"
#include "best/algorithms.h"
#include "edges.h"
#include "hints.h"
#include "nodesplit.h"
#include "search.h"

/* What the processes compare, in this order. */
enum fact { OFF, VALID, FACTS };

static const struct smap_makers *makers_of(const struct smap_distgraph_call *call)
{
    return call->makers ? call->makers : &smap_makers_mpi;
}

/* As the program has called it, with other arguments where given; the order stays. */
static int make(const struct smap_distgraph_call *call, MPI_Comm comm,
                const struct smap_neighbours *n, MPI_Comm *graph)
{
    if (!call->adjacent)
        return makers_of(call)->dist_graph_create(comm, call->n, call->sources, call->degrees,
                                                  call->destinations, call->weights, call->info, 0,
                                                  graph);
    return makers_of(call)->dist_graph_create_adjacent(
        comm, n->indegree, n->sources, n->sourceweights, n->outdegree, n->destinations,
        n->destweights, call->info, 0, graph);
}

static int make_kept(const struct smap_distgraph_call *call, MPI_Comm *graph)
{
    const struct smap_neighbours own = {
        .indegree = call->indegree,
        .outdegree = call->outdegree,
        .sources = call->sources,
        .sourceweights = call->sourceweights,
        .destinations = call->destinations,
        .destweights = call->destweights,
    };
    return make(call, call->comm, &own, graph);
}

static int make_ordered(const struct smap_distgraph_call *call, uint32_t vertex, MPI_Comm *graph)
{
    struct smap_neighbours neighbours = {.message = NULL};
    MPI_Comm ordered;
    int rc = PMPI_Comm_split(call->comm, 0, (int)vertex, &ordered);
    if (rc != MPI_SUCCESS)
        return rc;
    if (call->adjacent)
        rc = smap_neighbours_exchange(&neighbours, ordered, call);
    if (rc == MPI_SUCCESS)
        rc = make(call, ordered, &neighbours, graph);
    smap_neighbours_clear(&neighbours);
    PMPI_Comm_free(&ordered);
    return rc;
}

/* *vertex is valid where the outcome is COMPUTED. */
static int map(const struct smap_distgraph_call *call, const struct smap_nodesplit *split,
               struct smap_cart_outcome *outcome, uint32_t *vertex)
{
    struct smap_searched searched;
    struct smap_graph *graph = NULL;
    struct smap_grid line;
    const uint32_t size = smap_nodesizes_tasks(split->sizes);
    const char *algorithm = smap_algorithm_best.name;
    outcome->scored = smap_nodesizes_nodes(split->sizes) == 1;
    outcome->origin = outcome->scored ? SMAP_CART_KEPT_ONE : SMAP_CART_KEPT_FAILED;
    if (outcome->scored || smap_grid_init(&line, 1, &size, NULL, NULL) != SMAP_OK)
        return MPI_SUCCESS;
    int rc = smap_edges_gather(&graph, call, smap_is_searcher(algorithm, split));
    if (rc != MPI_SUCCESS)
        return rc;
    const struct smap_instance instance = {&line, NULL, split->sizes, graph};
    rc = smap_search(&searched, call->comm, algorithm, &instance, split);
    smap_graph_destroy(graph);
    *vertex = searched.cell;
    smap_cart_conclude(outcome, &searched.verdict, algorithm, SMAP_CART_COMPUTED);
    return rc;
}

static int decide(const struct smap_distgraph_call *call, struct smap_cart_outcome *outcome,
                  uint32_t *vertex)
{
    uint64_t facts[FACTS] = {[OFF] = smap_hints_mode("off"), [VALID] = smap_edges_valid(call)};
    uint64_t least[FACTS], greatest[FACTS];
    struct smap_nodesplit split;
    bool ok;
    int rc = smap_agree(call->comm, FACTS, facts, least, greatest);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!least[VALID] || greatest[OFF]) {
        outcome->origin = least[VALID] ? SMAP_CART_KEPT_OFF : SMAP_CART_PLAIN;
        return MPI_SUCCESS;
    }
    rc = smap_nodesplit_init(call->comm, &split, &ok);
    if (rc != MPI_SUCCESS || !ok)
        return rc;
    rc = map(call, &split, outcome, vertex);
    smap_nodesplit_clear(&split);
    return rc;
}

int smap_distgraph_call(const struct smap_distgraph_call *call, MPI_Comm *graph,
                        struct smap_cart_outcome *outcome)
{
    uint32_t vertex = 0;
    *outcome = (struct smap_cart_outcome){.origin = SMAP_CART_PLAIN};
    if (!call->reorder || !graph || !smap_is_intracomm(call->comm))
        return make_kept(call, graph);
    int rc = decide(call, outcome, &vertex);
    if (rc == MPI_SUCCESS)
        rc = smap_cart_reordered(outcome) ? make_ordered(call, vertex, graph)
                                          : make_kept(call, graph);
    if (rc == MPI_SUCCESS)
        smap_cart_finish(call->comm, *graph, NULL, outcome);
    return rc;
}
