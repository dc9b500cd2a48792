/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/shape_walk.h"

/* A request, understood: what is walked through, and how. */
struct plan {
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
    smap_topology_threads(t, &least, &most);
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
    smap_topology_threads(t, &least, &most);
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
static int apply_hierarchy(struct plan *plan, const struct smap_slot_request *request,
                           struct smap_error *err)
{
    struct smap_hierarchy *full = &plan->full;
    smap_hierarchy_split(full, 0, plan->shape.leaves, plan->shape.leaves);
    uint64_t nodes = suffix_product(full, 0) / suffix_product(full, full->node_levels);
    if (full->node_levels > 0 && request->nodes > 0 && nodes != request->nodes)
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-hierarchy=%s: %" PRIu64 " nodes, but there are %" PRIu64,
                         request->hierarchy, nodes, request->nodes);
    struct smap_hierarchy inside = smap_hierarchy_inside_node(full);
    int rc = smap_shape_divide(&plan->shape, &inside, request->hierarchy, err);
    /* The levels inside have got the aliases of the machine's. */
    for (size_t i = 0; !rc && i < inside.count; i++)
        full->level[full->node_levels + i] = inside.level[i];
    return rc;
}

/* The levels as refusals name them: nodes only where there are several. */
static char *levels_text(const struct plan *plan)
{
    struct smap_text text = {0};
    char *inside = smap_shape_text(&plan->shape, ", ");
    for (size_t i = 0; i < plan->full.node_levels; i++)
        if (plan->full.level[i].arity > 1)
            smap_text_add(&text, "%s%s%" PRIu64 ", ", plan->full.level[i].name,
                          plan->full.level[i].name[0] ? ":" : "", plan->full.level[i].arity);
    if (inside)
        smap_text_add(&text, "%s", inside);
    else
        text.failed = true;
    free(inside);
    return smap_text_take(&text);
}

/* Numbers that count the levels inside the node only: the nodes are slowest then. */
static int parse_inner(const char *text, struct plan *plan, struct smap_error *err)
{
    struct smap_hierarchy inside = smap_hierarchy_inside_node(&plan->full);
    size_t nodes = plan->full.node_levels;
    struct smap_order order;
    char *levels = smap_shape_text(&plan->shape, ", ");
    int rc = levels ? smap_order_parse_shape(text, &inside, levels, &order, err) : smap_nomem(err);
    free(levels);
    if (rc)
        return rc;
    for (size_t i = 0; i < order.count; i++)
        order.level[i] = (unsigned char)(order.level[i] + nodes);
    for (size_t i = nodes; i-- > 0;)
        order.level[order.count++] = (unsigned char)i;
    plan->order = order;
    return SMAP_OK;
}

static int parse_order(const char *text, struct plan *plan, struct smap_error *err)
{
    size_t numbers;
    int rc = SMAP_OK;
    if (!text) {
        plan->order = smap_order_natural(plan->full.count);
        return SMAP_OK;
    }
    char *levels = levels_text(plan);
    if (!levels)
        return smap_nomem(err);
    for (size_t i = 0; !rc && i < plan->shape.refused_count; i++)
        if (smap_order_names(text, plan->shape.refused[i].name))
            rc = smap_fail(err, SMAP_ENOTSUP, "--rank-order=%s: %s; levels are %s", text,
                           plan->shape.refused[i].reason, levels);
    if (!rc) {
        smap_order_check(text, &numbers, NULL);
        rc = numbers > 0 && numbers != plan->full.count
                 ? parse_inner(text, plan, err)
                 : smap_order_parse_shape(text, &plan->full, levels, &plan->order, err);
    }
    free(levels);
    return rc;
}

static int make_plan(const struct smap_topology *t, const struct smap_slot_request *request,
                     struct plan *plan, struct smap_error *err)
{
    const char *h = given(request->hierarchy);
    int rc = h ? smap_hierarchy_parse(h, &plan->full, err) : SMAP_OK;
    if (rc)
        return rc;
    enum smap_leaf leaf = choose_leaf(t, request, &plan->full);
    rc = smap_topology_shape(t, leaf, (size_t)request->threads_per_core, &plan->shape, err);
    if (!rc && leaf == SMAP_LEAF_PU)
        rc = check_threads(t, request, &plan->shape, err);
    if (!rc && h)
        rc = apply_hierarchy(plan, request, err);
    if (rc)
        return rc;
    if (!h)
        plan->full = smap_shape_hierarchy(&plan->shape);
    plan->full.trivial_count = plan->shape.trivial_count;
    memcpy(plan->full.trivial, plan->shape.trivial, sizeof(plan->full.trivial));
    if (plan->full.node_levels == 0)
        rc = smap_hierarchy_add_nodes(&plan->full, request->nodes ? request->nodes : 1, err);
    return rc ? rc : parse_order(given(request->order), plan, err);
}

int smap_topology_resolve(const struct smap_topology *topology,
                          const struct smap_slot_request *request, struct smap_hierarchy *hierarchy,
                          struct smap_order *order, struct smap_error *err)
{
    struct plan plan = {0};
    int rc = make_plan(topology, request, &plan, err);
    if (!rc) {
        *hierarchy = plan.full;
        *order = plan.order;
    }
    smap_shape_clear(&plan.shape);
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
    if (!rc)
        rc = smap_shape_walk(shape, order, coordinates, sequence, err);
    for (size_t i = 0; !rc && i < slots->count; i++) {
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

static int check_fit(const struct plan *plan, const struct smap_slot_request *request, bool ragged,
                     struct smap_error *err)
{
    const struct smap_shape *shape = &plan->shape;
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

int smap_topology_slots(const struct smap_topology *topology,
                        const struct smap_slot_request *request, struct smap_slots *slots,
                        struct smap_error *err)
{
    struct plan plan = {0};
    struct smap_slots made = {0};
    int rc = make_plan(topology, request, &plan, err);
    if (!rc) {
        struct smap_order order = smap_order_inside_node(&plan.order, plan.full.node_levels);
        made.ragged = !smap_shape_is_regular(&plan.shape);
        made.membind = order.membind;
        if (request->per_task > 1)
            rc = smap_shape_block(&plan.shape, &order,
                                  request->per_task > SIZE_MAX ? SIZE_MAX
                                                               : (size_t)request->per_task,
                                  request->count > SIZE_MAX ? SIZE_MAX : (size_t)request->count,
                                  request->strict, err);
        if (!rc)
            rc = check_fit(&plan, request, made.ragged, err);
        made.count = request->count ? (size_t)request->count : plan.shape.leaves;
        if (!rc)
            rc = fill(&made, &plan.shape, &order, err);
    }
    smap_shape_clear(&plan.shape);
    if (rc)
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
