/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "grid/graph.h"
#include "step/layout.h"

int smap_traffic_count(struct smap_traffic *traffic, const struct smap_record *record,
                       const uint32_t node_of_rank[], uint32_t nodes, struct smap_error *err)
{
    uint64_t *out = calloc(nodes, sizeof(*out));
    *traffic = (struct smap_traffic){0};
    if (!out)
        return smap_nomem(err);
    for (size_t i = 0; i < record->edges; i++) {
        const struct smap_record_edge *e = &record->edge[i];
        uint32_t from = node_of_rank[e->from];
        if (from == node_of_rank[e->to])
            continue;
        traffic->pairs++;
        traffic->messages += e->messages;
        traffic->bytes += e->bytes;
        out[from] += e->bytes;
    }
    for (uint32_t n = 0; n < nodes; n++)
        traffic->most_bytes = out[n] > traffic->most_bytes ? out[n] : traffic->most_bytes;
    free(out);
    return SMAP_OK;
}

int smap_record_sizes(struct smap_nodesizes **sizes, const struct smap_record *record,
                      struct smap_error *err)
{
    for (uint32_t r = 0; r < record->ranks; r++)
        if (record->node_of_rank[r] == SMAP_RECORD_NO_NODE)
            return smap_fail(err, SMAP_ENOTSUP,
                             "the record does not tell the node of rank %" PRIu32, r);
    return smap_layout_sizes(sizes, record->node_of_rank, record->ranks, record->nodes, err);
}

/* The finding as a user would type it. */
static int plan_grid(struct smap_plan **plan, const struct smap_finding *finding,
                     const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                     struct smap_error *err)
{
    struct smap_request request = {.map = "best", .stencil = finding->stencil_text};
    struct smap_text periodic = {0}, ranks = {0};
    if (finding->ranks.every || finding->ranks.out)
        return smap_fail(err, SMAP_ENOTSUP, "the grid's ranks do not follow each other");
    for (size_t i = 0; i < finding->counted.ndims; i++)
        smap_text_add(&periodic, "%s%d", i ? "," : "", finding->counted.periodic[i]);
    smap_text_add(&ranks, "%" PRIu32 "-%" PRIu32, finding->ranks.first, finding->ranks.last);
    char *dims = smap_finding_dims(finding), *flags = smap_text_take(&periodic);
    char *part = smap_text_take(&ranks);
    request.dims = dims;
    request.periodic = flags;
    if (finding->ranks.last - finding->ranks.first + 1 < smap_nodesizes_tasks(sizes))
        request.ranks = part;
    int rc = dims && flags && part ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_plan_create(plan, &request, sizes, node_of_rank, err);
    free(dims);
    free(flags);
    free(part);
    return rc;
}

static int make_graph(struct smap_graph **graph, const struct smap_record *record,
                      struct smap_error *err)
{
    uint32_t *from = malloc((record->edges + 1) * sizeof(*from));
    uint32_t *to = malloc((record->edges + 1) * sizeof(*to));
    uint64_t *weight = malloc((record->edges + 1) * sizeof(*weight));
    int rc = from && to && weight ? SMAP_OK : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < record->edges; i++) {
        from[i] = record->edge[i].from;
        to[i] = record->edge[i].to;
        weight[i] = record->edge[i].bytes;
    }
    const struct smap_edges edges = {record->edges, from, to, weight, NULL, 0};
    if (rc == SMAP_OK)
        rc = smap_graph_create(graph, record->ranks, &edges, err);
    free(from);
    free(to);
    free(weight);
    return rc;
}

int smap_outcome_init(struct smap_outcome *outcome, const struct smap_record *record,
                      const struct smap_finding *finding, const struct smap_nodesizes *sizes,
                      const uint32_t node_of_rank[], struct smap_error *err)
{
    const struct smap_request whole = {.map = "best", .stencil = "@record"};
    struct smap_request request = whole;
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    *outcome = (struct smap_outcome){.plan = NULL};
    int rc = smap_traffic_count(&outcome->before, record, node_of_rank, nodes, err);
    if (rc == SMAP_OK && finding) {
        rc = plan_grid(&outcome->plan, finding, sizes, node_of_rank, err);
    } else if (rc == SMAP_OK) {
        rc = make_graph(&outcome->graph, record, err);
        request.graph = outcome->graph;
        if (rc == SMAP_OK)
            rc = smap_plan_create(&outcome->plan, &request, sizes, node_of_rank, err);
    }
    if (rc != SMAP_OK)
        return rc;
    if (!outcome->plan->gains)
        memcpy(outcome->plan->node_of_rank, node_of_rank, record->ranks * sizeof(*node_of_rank));
    return smap_traffic_count(&outcome->after, record, outcome->plan->node_of_rank, nodes, err);
}

void smap_outcome_clear(struct smap_outcome *outcome)
{
    smap_plan_destroy(outcome->plan);
    smap_graph_destroy(outcome->graph);
    *outcome = (struct smap_outcome){.plan = NULL};
}
