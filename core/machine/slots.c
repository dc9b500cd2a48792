/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/shape_walk.h"

/* A request, understood: what is walked through, and how. */
struct walk {
    struct smap_shape shape;
    struct smap_hierarchy full; /* with the node levels in front */
    struct smap_order order;    /* of full */
};

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
static int apply_hierarchy(struct walk *walk, const struct smap_slot_request *request,
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

/* The levels as refusals name them: nodes only where there are several. */
static char *levels_text(const struct walk *walk)
{
    struct smap_text text = {0};
    char *inside = smap_shape_text(&walk->shape, ", ");
    for (size_t i = 0; i < walk->full.node_levels; i++)
        if (walk->full.level[i].arity > 1)
            smap_text_add(&text, "%s%s%" PRIu64 ", ", walk->full.level[i].name,
                          walk->full.level[i].name[0] ? ":" : "", walk->full.level[i].arity);
    if (inside)
        smap_text_add(&text, "%s", inside);
    else
        text.failed = true;
    free(inside);
    return smap_text_take(&text);
}

/* Numbers that count the levels inside the node only: the nodes are slowest then. */
static int parse_inner(const char *text, struct walk *walk, struct smap_error *err)
{
    struct smap_hierarchy inside = smap_hierarchy_inside_node(&walk->full);
    size_t nodes = walk->full.node_levels;
    struct smap_order order;
    char *levels = smap_shape_text(&walk->shape, ", ");
    int rc = levels ? smap_order_parse_shape(&order, text, &inside, levels, err) : smap_nomem(err);
    free(levels);
    if (rc != SMAP_OK)
        return rc;
    for (size_t i = 0; i < order.count; i++)
        order.level[i] = (unsigned char)(order.level[i] + nodes);
    for (size_t i = nodes; i-- > 0;)
        order.level[order.count++] = (unsigned char)i;
    walk->order = order;
    return SMAP_OK;
}

static int parse_order(const char *text, struct walk *walk, struct smap_error *err)
{
    size_t numbers;
    int rc = SMAP_OK;
    if (!text) {
        walk->order = smap_order_natural(walk->full.count);
        return SMAP_OK;
    }
    char *levels = levels_text(walk);
    if (!levels)
        return smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < walk->shape.refused_count; i++)
        if (smap_order_names(text, walk->shape.refused[i].name))
            rc = smap_fail(err, SMAP_ENOTSUP, "--rank-order=%s: %s; levels are %s", text,
                           walk->shape.refused[i].reason, levels);
    if (rc == SMAP_OK) {
        smap_order_check(&numbers, text, NULL);
        rc = numbers > 0 && numbers != walk->full.count
                 ? parse_inner(text, walk, err)
                 : smap_order_parse_shape(&walk->order, text, &walk->full, levels, err);
    }
    free(levels);
    return rc;
}

static int make_walk(const struct smap_topology *t, const struct smap_slot_request *request,
                     struct walk *walk, struct smap_error *err)
{
    const char *h = given(request->hierarchy);
    int rc = h ? smap_hierarchy_parse(&walk->full, h, err) : SMAP_OK;
    if (rc != SMAP_OK)
        return rc;
    enum smap_leaf leaf = choose_leaf(t, request, &walk->full);
    rc = smap_topology_shape(&walk->shape, t, leaf, (size_t)request->threads_per_core, err);
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
    if (walk->full.node_levels == 0)
        rc = smap_hierarchy_add_nodes(&walk->full, request->nodes ? request->nodes : 1, err);
    return rc != SMAP_OK ? rc : parse_order(given(request->order), walk, err);
}

int smap_topology_resolve(struct smap_hierarchy *hierarchy, struct smap_order *order,
                          const struct smap_topology *topology,
                          const struct smap_slot_request *request, struct smap_error *err)
{
    struct walk walk = {0};
    int rc = make_walk(topology, request, &walk, err);
    if (rc == SMAP_OK) {
        *hierarchy = walk.full;
        *order = walk.order;
    }
    smap_shape_clear(&walk.shape);
    return rc;
}

static int by_value(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a;
    unsigned y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static int allocate(struct smap_slots *slots, const struct smap_shape *shape,
                    struct smap_error *err)
{
    size_t cpus = 0;
    for (size_t i = 0; i < shape->leaves; i++)
        cpus += shape->leaf[i].count;
    slots->levels = shape->count;
    slots->first = calloc(slots->count + 1, sizeof(*slots->first));
    slots->cpus = calloc(cpus, sizeof(*slots->cpus));
    slots->core = calloc(slots->count, sizeof(*slots->core));
    slots->coordinates = calloc(slots->count * shape->count, sizeof(*slots->coordinates));
    slots->shape = smap_shape_text(shape, " ");
    return slots->first && slots->cpus && slots->core && slots->coordinates && slots->shape
               ? SMAP_OK
               : smap_nomem(err);
}

static int fill(struct smap_slots *slots, const struct smap_shape *shape,
                const struct smap_order *order, struct smap_error *err)
{
    uint32_t *coordinates = calloc(shape->leaves * shape->count, sizeof(*coordinates));
    uint32_t *sequence = calloc(shape->leaves, sizeof(*sequence));
    size_t row = shape->count * sizeof(*coordinates);
    int rc = coordinates && sequence ? allocate(slots, shape, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_shape_walk(coordinates, sequence, shape, order, err);
    for (size_t i = 0; rc == SMAP_OK && i < slots->count; i++) {
        const struct smap_shape_leaf *leaf = &shape->leaf[sequence[i]];
        unsigned *cpus = &slots->cpus[slots->first[i]];
        memcpy(cpus, &shape->cpus[leaf->first], leaf->count * sizeof(*cpus));
        qsort(cpus, leaf->count, sizeof(*cpus), by_value);
        slots->first[i + 1] = slots->first[i] + leaf->count;
        slots->core[i] = leaf->core;
        memcpy(&slots->coordinates[i * shape->count], &coordinates[sequence[i] * shape->count],
               row);
    }
    free(coordinates);
    free(sequence);
    return rc;
}

static int check_fit(const struct walk *walk, const struct smap_slot_request *request, bool ragged,
                     struct smap_error *err)
{
    const struct smap_shape *shape = &walk->shape;
    bool strict = request->strict && ragged;
    if (!strict && request->count <= shape->leaves)
        return SMAP_OK;
    char *text = smap_shape_text(shape, " ");
    const char *levels = text ? text : "?";
    int rc;
    if (strict)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "the levels here are not regular, %s, and strict orders are asked for",
                       levels);
    else if (request->per_task > 1)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "%" PRIu64 " tasks of %" PRIu64 " each, but room for %zu here (%s)",
                       request->count, request->per_task, shape->leaves, levels);
    else
        rc = smap_fail(err, SMAP_ENOTSUP, "%" PRIu64 " tasks, but only %zu %s%s here (%s)",
                       request->count, shape->leaves, shape->leaf_name,
                       shape->leaves == 1 ? "" : "s", levels);
    free(text);
    return rc;
}

int smap_topology_slots(struct smap_slots *slots, const struct smap_topology *topology,
                        const struct smap_slot_request *request, struct smap_error *err)
{
    struct walk walk = {0};
    struct smap_slots made = {0};
    int rc = make_walk(topology, request, &walk, err);
    if (rc == SMAP_OK) {
        struct smap_order order = smap_order_inside_node(&walk.order, walk.full.node_levels);
        made.ragged = !smap_shape_is_regular(&walk.shape);
        made.membind = order.membind;
        if (request->per_task > 1)
            rc = smap_shape_block(&walk.shape, &order,
                                  request->per_task > SIZE_MAX ? SIZE_MAX
                                                               : (size_t)request->per_task,
                                  request->count > SIZE_MAX ? SIZE_MAX : (size_t)request->count,
                                  request->strict, err);
        if (rc == SMAP_OK)
            rc = check_fit(&walk, request, made.ragged, err);
        made.count = request->count ? (size_t)request->count : walk.shape.leaves;
        if (rc == SMAP_OK)
            rc = fill(&made, &walk.shape, &order, err);
    }
    smap_shape_clear(&walk.shape);
    if (rc != SMAP_OK)
        smap_slots_clear(&made);
    else
        *slots = made;
    return rc;
}

void smap_slots_clear(struct smap_slots *slots)
{
    if (!slots)
        return;
    free(slots->first);
    free(slots->cpus);
    free(slots->core);
    free(slots->coordinates);
    free(slots->shape);
    *slots = (struct smap_slots){0};
}
