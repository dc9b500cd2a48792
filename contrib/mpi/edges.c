/* SPDX-License-Identifier: BSD-3-Clause */
#include "edges.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TAG 1

/* An edge as it travels. */
struct edge {
    int from, to, weight;
};
enum { EDGE_INTS = 3 };

static bool are_ranks(const int ranks[], int count, int size)
{
    bool good = count == 0 || ranks;
    for (int i = 0; good && i < count; i++)
        good = ranks[i] >= 0 && ranks[i] < size;
    return good;
}

static bool are_weights(const int weights[], int count)
{
    bool good = weights == MPI_UNWEIGHTED || count == 0 || weights;
    for (int i = 0; good && weights != MPI_UNWEIGHTED && i < count; i++)
        good = weights[i] >= 0;
    return good;
}

/* The edges that this process has given; -1 for more than can be sent. */
static int count_edges(const struct smap_distgraph_call *call)
{
    int64_t count = call->adjacent ? call->outdegree : 0;
    for (int i = 0; !call->adjacent && i < call->n; i++)
        count += call->degrees[i];
    return count <= INT_MAX / EDGE_INTS ? (int)count : -1;
}

bool smap_edges_valid(const struct smap_distgraph_call *call)
{
    int size;
    PMPI_Comm_size(call->comm, &size);
    if (call->adjacent)
        return call->indegree >= 0 && call->outdegree >= 0 &&
               are_ranks(call->sources, call->indegree, size) &&
               are_ranks(call->destinations, call->outdegree, size) &&
               are_weights(call->sourceweights, call->indegree) &&
               are_weights(call->destweights, call->outdegree);
    if (call->n < 0 || !are_ranks(call->sources, call->n, size) || (call->n > 0 && !call->degrees))
        return false;
    for (int i = 0; i < call->n; i++)
        if (call->degrees[i] < 0)
            return false;
    int edges = count_edges(call);
    return edges >= 0 && are_ranks(call->destinations, edges, size) &&
           are_weights(call->weights, edges);
}

static void read_edges(struct edge edges[], const struct smap_distgraph_call *call)
{
    const int *weights = call->adjacent ? call->destweights : call->weights;
    int rank, rows = call->adjacent ? 1 : call->n, e = 0;
    PMPI_Comm_rank(call->comm, &rank);
    for (int row = 0; row < rows; row++) {
        int degree = call->adjacent ? call->outdegree : call->degrees[row];
        for (int end = e + degree; e < end; e++)
            edges[e] =
                (struct edge){call->adjacent ? rank : call->sources[row], call->destinations[e],
                              weights == MPI_UNWEIGHTED ? 1 : weights[e]};
    }
}

/* What rank 0 receives. */
struct gathering {
    int *counts, *starts;
    struct edge *edges;
    uint64_t total;
};

static bool prepare(struct gathering *g, const int counts[], int size)
{
    g->starts = calloc((size_t)size, sizeof(*g->starts));
    for (int r = 0; g->starts && r < size; r++) {
        g->starts[r] = (int)g->total;
        g->total += (uint64_t)counts[r]; /* -1: no memory there */
        if (counts[r] < 0 || g->total > INT_MAX / EDGE_INTS)
            return false;
    }
    g->edges = calloc(g->total + 1, sizeof(*g->edges));
    return g->starts && g->edges;
}

/* g->edges, on rank 0; *able, the same everywhere, is false without memory: own is NULL then, or
 * rank 0 has none. */
static int gather(struct gathering *g, bool *able, MPI_Comm comm, const struct edge own[],
                  int count)
{
    int rank, size;
    MPI_Datatype type;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    count = own ? count : -1;
    int rc = PMPI_Gather(&count, 1, MPI_INT, g->counts, 1, MPI_INT, 0, comm);
    int good = rank > 0 || prepare(g, g->counts, size);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Bcast(&good, 1, MPI_INT, 0, comm);
    *able = rc == MPI_SUCCESS && good;
    if (!*able)
        return rc;
    PMPI_Type_contiguous(EDGE_INTS, MPI_INT, &type);
    PMPI_Type_commit(&type);
    rc = PMPI_Gatherv(own, count, type, g->edges, g->counts, g->starts, type, 0, comm);
    PMPI_Type_free(&type);
    return rc;
}

static struct smap_graph *make_graph(const struct gathering *g, int size)
{
    struct smap_graph *graph = NULL;
    uint32_t *from = calloc(g->total + 1, sizeof(*from)), *to = calloc(g->total + 1, sizeof(*to));
    uint64_t *weight = calloc(g->total + 1, sizeof(*weight));
    if (from && to && weight) {
        for (uint64_t e = 0; e < g->total; e++) {
            from[e] = (uint32_t)g->edges[e].from;
            to[e] = (uint32_t)g->edges[e].to;
            weight[e] = (uint64_t)g->edges[e].weight;
        }
        const struct smap_edges edges = {
            .count = g->total, .from = from, .to = to, .weight = weight};
        if (smap_graph_create(&graph, (uint32_t)size, &edges, NULL) != SMAP_OK)
            graph = NULL;
    }
    free(from);
    free(to);
    free(weight);
    return graph;
}

/* Rank 0 tells the others that want it. wanting: these processes, rank 0 the first. */
static int share(struct gathering *g, MPI_Comm wanting)
{
    int rank, good;
    PMPI_Comm_rank(wanting, &rank);
    int rc = PMPI_Bcast(&g->total, 1, MPI_UINT64_T, 0, wanting);
    if (rc == MPI_SUCCESS && rank > 0)
        g->edges = calloc(g->total + 1, sizeof(*g->edges));
    int own = g->edges != NULL;
    if (rc == MPI_SUCCESS)
        rc = PMPI_Allreduce(&own, &good, 1, MPI_INT, MPI_MIN, wanting);
    if (rc == MPI_SUCCESS && good)
        rc = PMPI_Bcast(g->edges, (int)(g->total * EDGE_INTS), MPI_INT, 0, wanting);
    if (rc == MPI_SUCCESS && !good && rank > 0)
        g->total = 0;
    return rc;
}

int smap_edges_gather(struct smap_graph **graph, const struct smap_distgraph_call *call,
                      bool wanted)
{
    struct gathering g = {NULL, NULL, NULL, 0};
    MPI_Comm wanting = MPI_COMM_NULL;
    bool able;
    int rank, size, count = count_edges(call);
    struct edge *own = calloc((size_t)count + 1, sizeof(*own));
    *graph = NULL;
    PMPI_Comm_rank(call->comm, &rank);
    PMPI_Comm_size(call->comm, &size);
    if (own)
        read_edges(own, call);
    if (rank == 0)
        g.counts = calloc((size_t)size, sizeof(*g.counts));
    if (rank == 0 && !g.counts) {
        free(own);
        return MPI_ERR_NO_MEM;
    }
    int rc = gather(&g, &able, call->comm, own, count);
    free(own);
    if (rc == MPI_SUCCESS && able)
        rc = PMPI_Comm_split(call->comm, wanted ? 0 : MPI_UNDEFINED, 0, &wanting);
    if (rc == MPI_SUCCESS && wanting != MPI_COMM_NULL) {
        rc = share(&g, wanting);
        if (rc == MPI_SUCCESS && g.edges)
            *graph = make_graph(&g, size);
        PMPI_Comm_free(&wanting);
    }
    free(g.counts);
    free(g.starts);
    free(g.edges);
    return rc;
}

/* The head of a message; behind it sources, their weights, destinations, their weights. */
enum { INDEGREE, OUTDEGREE, SOURCE_WEIGHTS, DEST_WEIGHTS, HEAD };

static int *append(int *end, const int values[], int count, bool there)
{
    if (!there || count == 0)
        return end;
    memcpy(end, values, (size_t)count * sizeof(*end));
    return end + count;
}

static int *write_message(const struct smap_distgraph_call *call, int *length)
{
    bool in = call->sourceweights != MPI_UNWEIGHTED, out = call->destweights != MPI_UNWEIGHTED;
    int64_t ints = HEAD + (int64_t)call->indegree * (1 + in) + (int64_t)call->outdegree * (1 + out);
    int *message = ints <= INT_MAX ? calloc((size_t)ints, sizeof(*message)) : NULL;
    *length = (int)ints;
    if (!message)
        return NULL;
    message[INDEGREE] = call->indegree;
    message[OUTDEGREE] = call->outdegree;
    message[SOURCE_WEIGHTS] = in;
    message[DEST_WEIGHTS] = out;
    int *end = append(message + HEAD, call->sources, call->indegree, true);
    end = append(end, call->sourceweights, call->indegree, in);
    end = append(end, call->destinations, call->outdegree, true);
    append(end, call->destweights, call->outdegree, out);
    return message;
}

static const int *weights_at(const int *at, int degree, bool there)
{
    if (!there)
        return MPI_UNWEIGHTED;
    return degree > 0 ? at : MPI_WEIGHTS_EMPTY;
}

static void read_message(struct smap_neighbours *n)
{
    const int *at = n->message + HEAD, *head = n->message;
    n->indegree = head[INDEGREE];
    n->outdegree = head[OUTDEGREE];
    n->sources = at;
    at += n->indegree;
    n->sourceweights = weights_at(at, n->indegree, head[SOURCE_WEIGHTS]);
    at += head[SOURCE_WEIGHTS] ? n->indegree : 0;
    n->destinations = at;
    at += n->outdegree;
    n->destweights = weights_at(at, n->outdegree, head[DEST_WEIGHTS]);
}

int smap_neighbours_exchange(struct smap_neighbours *neighbours, MPI_Comm ordered,
                             const struct smap_distgraph_call *call)
{
    int old, length = 0, got = 0;
    MPI_Request request;
    MPI_Status status;
    *neighbours = (struct smap_neighbours){.message = NULL};
    PMPI_Comm_rank(call->comm, &old);
    int *message = write_message(call, &length);
    if (!message)
        return MPI_ERR_NO_MEM;
    int rc = PMPI_Isend(message, length, MPI_INT, old, TAG, ordered, &request);
    if (rc != MPI_SUCCESS) {
        free(message);
        return rc;
    }
    rc = PMPI_Probe(MPI_ANY_SOURCE, TAG, ordered, &status);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Get_count(&status, MPI_INT, &got);
    if (rc == MPI_SUCCESS) {
        neighbours->message = calloc((size_t)got, sizeof(*neighbours->message));
        rc = neighbours->message ? PMPI_Recv(neighbours->message, got, MPI_INT, status.MPI_SOURCE,
                                             TAG, ordered, MPI_STATUS_IGNORE)
                                 : MPI_ERR_NO_MEM;
    }
    if (rc == MPI_SUCCESS)
        read_message(neighbours);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    free(message);
    return rc;
}

void smap_neighbours_clear(struct smap_neighbours *neighbours)
{
    free(neighbours->message);
    *neighbours = (struct smap_neighbours){.message = NULL};
}
