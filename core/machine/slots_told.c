/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots on a machine that is only told. */
#include <inttypes.h>
#include <stdlib.h>

#include "machine/slots_private.h"

/* The hardware threads of a core, where the last level is these, else 0. */
static uint64_t threads_of(const struct smap_hierarchy *h)
{
    const struct smap_level *last = &h->level[h->count - 1];
    return smap_level_has_name(last, "pu") ? last->arity : 0;
}

/* Uses the first threads of each core only: *step are there, *used are taken. */
static int limit_threads(struct smap_hierarchy *full, uint64_t *step, uint64_t *used,
                         const struct smap_slot_request *request, struct smap_error *err)
{
    uint64_t threads = threads_of(full), limit = request->threads_per_core;
    *step = *used = threads ? threads : 1;
    if (limit > *step)
        return smap_fail(err, SMAP_EINVAL,
                         "--threads-per-core=%" PRIu64 ": cores of --rank-hierarchy=%.120s have "
                         "%" PRIu64,
                         limit, request->hierarchy, *step);
    if (limit > 0 && threads > 0)
        full->level[full->count - 1].arity = *used = limit;
    return SMAP_OK;
}

/* Leaf i is the i-th used thread, by its number among all of them. */
static int build_leaves(struct smap_shape *shape, uint64_t leaves, uint64_t step, uint64_t used,
                        struct smap_error *err)
{
    int rc = smap_shape_init(shape, (size_t)leaves, (size_t)leaves, err);
    for (size_t i = 0; rc == SMAP_OK && i < leaves; i++) {
        shape->cpus[i] = (unsigned)(i / used * step + i % used);
        shape->leaf[i] = (struct smap_shape_leaf){shape->cpus[i], i, 1};
    }
    return rc;
}

static int build_levels(struct smap_shape *shape, const struct smap_hierarchy *inside,
                        struct smap_error *err)
{
    size_t size = shape->leaves;
    uint32_t *object = calloc(shape->leaves, sizeof(*object));
    int rc = object ? SMAP_OK : smap_nomem(err);
    for (size_t l = 0; rc == SMAP_OK && l < inside->count; l++) {
        size /= (size_t)inside->level[l].arity;
        for (size_t i = 0; i < shape->leaves; i++)
            object[i] = (uint32_t)(i / size);
        rc = smap_shape_append(shape, &inside->level[l], object, (uint32_t)(shape->leaves / size),
                               err);
    }
    free(object);
    return rc;
}

/* Bare numbers count nodes first if that is what makes them fit. */
static int read_levels(struct smap_hierarchy *full, const struct smap_slot_request *request,
                       struct smap_error *err)
{
    int rc = smap_hierarchy_parse(full, request->hierarchy, err);
    if (rc == SMAP_OK && request->nodes > 1)
        smap_hierarchy_split(full, request->nodes, request->count, UINT64_MAX);
    if (rc == SMAP_OK && full->node_levels == full->count)
        rc = smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%.120s: no level inside a node",
                       request->hierarchy);
    uint64_t nodes = 1;
    for (size_t i = 0; rc == SMAP_OK && i < full->node_levels; i++)
        nodes *= full->level[i].arity;
    if (rc == SMAP_OK && full->node_levels > 0 && request->nodes > 0 && nodes != request->nodes)
        rc = smap_fail(err, SMAP_EINVAL,
                       "--rank-hierarchy=%.120s: %" PRIu64 " nodes, but there are %" PRIu64,
                       request->hierarchy, nodes, request->nodes);
    return rc;
}

static int build_shape(struct smap_slot_walk *walk, const struct smap_slot_request *request,
                       struct smap_error *err)
{
    uint64_t step, used;
    int rc = limit_threads(&walk->full, &step, &used, request, err);
    struct smap_hierarchy inside = smap_hierarchy_inside_node(&walk->full);
    uint64_t leaves = smap_hierarchy_product(&inside);
    if (rc == SMAP_OK && leaves > SMAP_TOLD_LEAVES_MAX)
        rc = smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%.120s: more than %d cores",
                       request->hierarchy, SMAP_TOLD_LEAVES_MAX);
    if (rc == SMAP_OK)
        rc = build_leaves(&walk->shape, leaves, step, used, err);
    if (rc == SMAP_OK)
        rc = build_levels(&walk->shape, &inside, err);
    return rc;
}

int smap_told_shape(struct smap_shape *shape, const struct smap_slot_request *request,
                    struct smap_error *err)
{
    struct smap_slot_walk walk = {0};
    int rc = read_levels(&walk.full, request, err);
    if (rc == SMAP_OK)
        rc = build_shape(&walk, request, err);
    *shape = walk.shape;
    return rc;
}

int smap_told_slots(struct smap_slots *slots, const struct smap_slot_request *request,
                    struct smap_error *err)
{
    struct smap_slot_walk walk = {0};
    struct smap_slot_request leaves = *request;
    leaves.per_task = request->cpus_per_task;
    int rc = read_levels(&walk.full, request, err);
    if (rc == SMAP_OK)
        rc = build_shape(&walk, request, err);
    if (rc == SMAP_OK)
        rc = smap_slot_walk_order(&walk, request, err);
    if (rc == SMAP_OK)
        rc = smap_slot_walk_fill(slots, &walk, &leaves, err);
    smap_shape_clear(&walk.shape);
    return rc;
}
