/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/shape_walk.h"
#include "machine/slots_private.h"

static const char *given(const char *text)
{
    return text && text[0] ? text : NULL;
}

static uint64_t suffix_product(const struct smap_hierarchy *h, size_t first)
{
    uint64_t product = 1;
    for (size_t i = first; i < h->count; i++)
        product *= h->level[i].arity;
    return product;
}

static enum smap_leaf choose_leaf(const struct smap_topology *t,
                                  const struct smap_slot_request *request,
                                  const struct smap_hierarchy *h)
{
    if (request->leaf != SMAP_LEAF_AUTO)
        return request->leaf;
    if (given(request->order) && smap_order_names(request->order, "pu"))
        return SMAP_LEAF_PU;
    if (!given(request->hierarchy))
        return SMAP_LEAF_CORE;
    if (h->level[0].name[0])
        return smap_hierarchy_find(h, "pu") != SIZE_MAX ? SMAP_LEAF_PU : SMAP_LEAF_CORE;
    struct smap_hierarchy tried = *h;
    uint64_t cores = smap_topology_core_count(t), pus = smap_topology_cpu_count(t);
    size_t least;
    size_t most;
    smap_topology_threads(&least, &most, t);
    return least == most && !smap_hierarchy_split(&tried, 0, cores, cores) &&
                   smap_hierarchy_split(&tried, 0, pus, pus)
               ? SMAP_LEAF_PU
               : SMAP_LEAF_CORE;
}

/* A level "pu" where cores differ would be as ragged as the cores are many. */
static int check_threads(const struct smap_topology *t, const struct smap_slot_request *request,
                         const struct smap_shape *shape, struct smap_error *err)
{
    size_t least;
    size_t most;
    smap_topology_threads(&least, &most, t);
    if (request->threads_per_core > 0 && most > request->threads_per_core)
        most = (size_t)request->threads_per_core;
    if (least >= most)
        return SMAP_OK;
    const char *order = given(request->order);
    const char *h = given(request->hierarchy);
    bool by_order = order && smap_order_names(order, "pu");
    char *levels = smap_shape_text(shape, ", ");
    int rc = smap_fail(err, SMAP_ENOTSUP,
                       "%s%s%sno level 'pu' here: cores have %zu to %zu PUs; levels are %s",
                       by_order ? "--rank-order="
                       : h      ? "--rank-hierarchy="
                                : "",
                       by_order ? order
                       : h      ? h
                                : "",
                       by_order || h ? ": " : "", least, most, levels ? levels : "?");
    free(levels);
    return rc;
}

/* Checks the node levels of H and cuts the node into the others. */
static int apply_hierarchy(struct smap_slot_walk *walk, const struct smap_slot_request *request,
                           struct smap_error *err)
{
    struct smap_hierarchy *full = &walk->full;
    smap_hierarchy_split(full, 0, walk->shape.leaves, walk->shape.leaves);
    uint64_t nodes = suffix_product(full, 0) / suffix_product(full, full->node_levels);
    if (full->node_levels > 0 && request->nodes > 0 && nodes != request->nodes)
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-hierarchy=%s: %" PRIu64 " nodes, but there are %" PRIu64,
                         request->hierarchy, nodes, request->nodes);
    struct smap_hierarchy inside = smap_hierarchy_inside_node(full);
    int rc = smap_shape_divide(&walk->shape, &inside, request->hierarchy, err);
    /* The levels inside have got the aliases of the machine's. */
    for (size_t i = 0; rc == SMAP_OK && i < inside.count; i++)
        full->level[full->node_levels + i] = inside.level[i];
    return rc;
}

static bool names_gpus(const char *order, const struct smap_hierarchy *h)
{
    return (given(order) && smap_order_names(order, "gpu")) ||
           smap_hierarchy_find(h, "gpu") != SIZE_MAX;
}

bool smap_topology_wants_gpus(const char *order, const char *hierarchy)
{
    struct smap_hierarchy h = {.count = 0};
    if (given(hierarchy) && smap_hierarchy_parse(&h, hierarchy, NULL) != SMAP_OK)
        h.count = 0;
    return names_gpus(order, &h);
}

/* Which levels a request names, one way or other. */
struct naming {
    const struct smap_slot_request *request;
    const struct smap_hierarchy *h;
};

static bool is_named(const void *context, const char *level)
{
    const struct naming *naming = context;
    const char *order = given(naming->request->order);
    return (order && smap_order_names(order, level)) ||
           smap_hierarchy_find(naming->h, level) != SIZE_MAX ||
           (naming->request->tasks_per_socket > 0 && strcmp(level, "socket") == 0);
}

static int make_walk(const struct smap_topology *t, const struct smap_slot_request *request,
                     struct smap_slot_walk *walk, struct smap_error *err)
{
    const char *h = given(request->hierarchy);
    int rc = h ? smap_hierarchy_parse(&walk->full, h, err) : SMAP_OK;
    if (rc != SMAP_OK)
        return rc;
    enum smap_leaf leaf = choose_leaf(t, request, &walk->full);
    const struct naming naming = {request, &walk->full};
    const struct smap_gpu_level gpus = {is_named, &naming};
    rc = smap_topology_shape_gpus(&walk->shape, t, leaf, (size_t)request->threads_per_core,
                                  names_gpus(request->order, &walk->full) ? &gpus : NULL, err);
    if (rc == SMAP_OK && leaf == SMAP_LEAF_PU)
        rc = check_threads(t, request, &walk->shape, err);
    if (rc == SMAP_OK && h)
        rc = apply_hierarchy(walk, request, err);
    if (rc != SMAP_OK)
        return rc;
    if (!h)
        walk->full = smap_shape_hierarchy(&walk->shape);
    walk->full.trivial_count = walk->shape.trivial_count;
    memcpy(walk->full.trivial, walk->shape.trivial, sizeof(walk->full.trivial));
    return smap_slot_walk_order(walk, request, err);
}

int smap_topology_resolve(struct smap_hierarchy *hierarchy, struct smap_order *order,
                          const struct smap_topology *topology,
                          const struct smap_slot_request *request, struct smap_error *err)
{
    struct smap_slot_walk walk = {0};
    int rc = make_walk(topology, request, &walk, err);
    if (rc == SMAP_OK) {
        *hierarchy = walk.full;
        *order = walk.order;
    }
    smap_shape_clear(&walk.shape);
    return rc;
}

/* The GPU of each slot's first cpu. */
static int find_gpus(struct smap_slots *slots, const struct smap_topology *t,
                     struct smap_error *err)
{
    unsigned *cpu = calloc(slots->count, sizeof(*cpu));
    slots->gpu = calloc(slots->count, sizeof(*slots->gpu));
    for (size_t i = 0; cpu && i < slots->count; i++)
        cpu[i] = slots->cpus[slots->first[i]];
    int rc = cpu && slots->gpu ? smap_topology_gpus(slots->gpu, t, cpu, slots->count, err)
                               : smap_nomem(err);
    free(cpu);
    return rc;
}

int smap_topology_slots(struct smap_slots *slots, const struct smap_topology *topology,
                        const struct smap_slot_request *request, struct smap_error *err)
{
    struct smap_slot_walk walk = {0};
    struct smap_slots made = {0};
    int rc = make_walk(topology, request, &walk, err);
    if (rc == SMAP_OK)
        rc = smap_slot_walk_fill(&made, &walk, request, err);
    if (rc == SMAP_OK && names_gpus(request->order, &walk.full))
        rc = find_gpus(&made, topology, err);
    if (rc == SMAP_OK)
        *slots = made;
    else
        smap_slots_clear(&made);
    smap_shape_clear(&walk.shape);
    return rc;
}
