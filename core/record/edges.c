/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/edges.h"

#include <inttypes.h>
#include <stdlib.h>

#include "step/nodesizes.h"

int smap_edge_list_begin(struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                         uint64_t ranks, struct smap_error *err)
{
    if (ranks == 0 || ranks > SMAP_TASKS_MAX - 1)
        return smap_fail(err, SMAP_EINVAL, "a graph of %" PRIu64 " ranks", ranks);
    list->ranks = wanted->ranks ? wanted->ranks : (uint32_t)ranks;
    list->first = wanted->tasks && ranks == wanted->tasks ? wanted->first : 0;
    if (ranks == list->ranks || (wanted->tasks && ranks == wanted->tasks))
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL, "a graph of %" PRIu64 " ranks, not of %" PRIu32, ranks,
                     list->ranks);
}

/* The rank in the graph. */
static bool find_rank(uint32_t *rank, const struct smap_edge_list *list,
                      const struct smap_edges_wanted *wanted, uint64_t of_file)
{
    uint32_t low = 0, high = wanted->own_count;
    if (of_file < list->first || of_file - list->first >= list->ranks)
        return false;
    *rank = (uint32_t)(of_file - list->first);
    if (!wanted->own)
        return true;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wanted->own[middle] < *rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < wanted->own_count && wanted->own[low] == *rank;
}

bool smap_edges_want(const struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                     uint64_t rank)
{
    uint32_t found;
    return find_rank(&found, list, wanted, rank);
}

static int grow(struct smap_edge_list *list, struct smap_error *err)
{
    uint64_t room = list->room ? list->room + list->room / 2 : 1024;
    uint32_t *from = reallocarray(list->from, room, sizeof(*from));
    list->from = from ? from : list->from;
    uint32_t *to = reallocarray(list->to, room, sizeof(*to));
    list->to = to ? to : list->to;
    uint64_t *weight = reallocarray(list->weight, room, sizeof(*weight));
    list->weight = weight ? weight : list->weight;
    if (!from || !to || !weight)
        return smap_nomem(err);
    list->room = room;
    return SMAP_OK;
}

int smap_edge_list_add(struct smap_edge_list *list, const struct smap_edges_wanted *wanted,
                       const uint64_t ends[2], uint64_t weight, struct smap_error *err)
{
    uint32_t from, to;
    if (!find_rank(&from, list, wanted, ends[0]) || !find_rank(&to, list, wanted, ends[1]))
        return SMAP_OK;
    if (wanted->edges_max && list->count == wanted->edges_max)
        return smap_fail(err, SMAP_ENOTSUP, "more than %" PRIu64 " edges", wanted->edges_max);
    if (list->count == list->room && grow(list, err) != SMAP_OK)
        return SMAP_ENOMEM;
    list->from[list->count] = from;
    list->to[list->count] = to;
    list->weight[list->count++] = weight;
    return SMAP_OK;
}

int smap_edge_list_graph(struct smap_graph **graph, const struct smap_edge_list *list,
                         const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    const struct smap_edges edges = {.count = list->count,
                                     .from = list->from,
                                     .to = list->to,
                                     .weight = list->weight,
                                     .own = wanted->own,
                                     .own_count = wanted->own_count};
    return smap_graph_create(graph, list->ranks, &edges, err);
}

void smap_edge_list_clear(struct smap_edge_list *list)
{
    free(list->from);
    free(list->to);
    free(list->weight);
    *list = (struct smap_edge_list){0};
}
