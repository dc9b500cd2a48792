/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels/levels.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels/inside.h"
#include "order/order_parse.h"

/* So many different shapes of nodes are remembered: mappings have a few, and looking through a list
 * of that length costs far less than to seat a node anew. */
#define SHAPES_MAX 256

static void number_levels(struct smap_hierarchy *h)
{
    for (size_t l = 0; l < h->count; l++)
        if (h->level[l].name[0] == '\0')
            snprintf(h->level[l].name, SMAP_NAME_SIZE, "level%u", (unsigned)(l % SMAP_LEVELS_MAX));
}

static int check_size(const struct smap_hierarchy *inside, const char *hierarchy, uint32_t most,
                      struct smap_error *err)
{
    uint64_t cores = smap_hierarchy_product(inside);
    if (cores >= most)
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL,
                     "--rank-hierarchy=%.120s: %" PRIu64 " cores in a node, but %" PRIu32
                     " tasks on the fullest one",
                     hierarchy, cores, most);
}

int smap_levels_parse(struct smap_levels *levels, const char *hierarchy, const char *order,
                      uint32_t nodes, uint32_t most, struct smap_error *err)
{
    struct smap_hierarchy full;
    struct smap_order parsed;
    int rc = smap_hierarchy_parse(&full, hierarchy, err);
    if (rc != SMAP_OK)
        return rc;
    if (nodes > 1)
        smap_hierarchy_split(&full, nodes, most, UINT64_MAX);
    levels->hierarchy = smap_hierarchy_inside_node(&full);
    if (levels->hierarchy.count == 0)
        return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%.120s: no level inside a node",
                         hierarchy);
    uint64_t outside = 1;
    for (size_t l = 0; l < full.node_levels; l++)
        outside *= full.level[l].arity;
    if (full.node_levels > 0 && outside != nodes)
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-hierarchy=%.120s: %" PRIu64 " nodes, but there are %" PRIu32,
                         hierarchy, outside, nodes);
    rc = check_size(&levels->hierarchy, hierarchy, most, err);
    levels->order = smap_order_natural(levels->hierarchy.count);
    if (rc == SMAP_OK && full.node_levels == 0)
        rc = smap_hierarchy_add_nodes(&full, nodes, err);
    /* Numbers may count all levels or those inside a node. */
    if (rc == SMAP_OK && order && smap_order_parse(&parsed, order, &full, NULL) == SMAP_OK)
        levels->order = smap_order_inside_node(&parsed, full.node_levels);
    else if (rc == SMAP_OK && order)
        rc = smap_order_parse(&levels->order, order, &levels->hierarchy, err);
    number_levels(&levels->hierarchy);
    number_levels(&full);
    levels->full = full;
    levels->seats = NULL;
    return rc;
}

void smap_levels_from_seats(struct smap_levels *levels, const struct smap_hierarchy *full,
                            const struct smap_inside *seats)
{
    *levels = (struct smap_levels){.hierarchy = smap_hierarchy_inside_node(full), .seats = seats};
    levels->order = smap_order_natural(levels->hierarchy.count);
    levels->full = *full;
    number_levels(&levels->hierarchy);
    number_levels(&levels->full);
}

/* Seats by the core that they are, or by the last of their objects, which is their own. */
struct numbered {
    uint64_t number;
    uint32_t task;
};

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* What the order gives each task. */
static int number_seats(struct numbered list[], const struct smap_levels *levels, uint32_t count,
                        struct smap_error *err)
{
    const struct smap_inside *seats = levels->seats;
    uint64_t *core = seats ? NULL : calloc((size_t)count + 1, sizeof(*core));
    int rc = SMAP_OK;
    if (!seats)
        rc = core ? smap_order_cores(core, count, &levels->hierarchy, &levels->order, err)
                  : smap_nomem(err);
    for (uint32_t i = 0; rc == SMAP_OK && i < count; i++)
        list[i] = (struct numbered){
            core ? core[i] : seats->object[(size_t)(i + 1) * seats->levels - 1], i};
    free(core);
    return rc;
}

static void copy_seats(struct smap_inside *inside, const struct smap_inside *seats,
                       const struct numbered list[])
{
    memcpy(inside->name, seats->name, sizeof(inside->name));
    for (uint32_t k = 0; k < inside->seats; k++)
        memcpy(inside->object + k * seats->levels,
               seats->object + (size_t)list[k].task * seats->levels,
               seats->levels * sizeof(*seats->object));
}

int smap_levels_inside(struct smap_inside *inside, uint32_t seat_of[],
                       const struct smap_levels *levels, uint32_t count, struct smap_error *err)
{
    const struct smap_inside *seats = levels->seats;
    *inside = (struct smap_inside){0};
    if (seats && count > seats->seats)
        return smap_fail(err, SMAP_ENOTSUP, "%" PRIu32 " tasks on %" PRIu32 " seats", count,
                         seats->seats);
    struct numbered *list = calloc((size_t)count + 1, sizeof(*list));
    int rc = list ? number_seats(list, levels, count, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = seats ? smap_inside_init(inside, seats->levels, count, err)
                   : smap_inside_from_order(inside, &levels->hierarchy, &levels->order, count, err);
    if (rc == SMAP_OK) {
        qsort(list, count, sizeof(*list), by_number);
        if (seats)
            copy_seats(inside, seats, list);
        for (uint32_t k = 0; seat_of && k < count; k++)
            seat_of[list[k].task] = k;
    }
    free(list);
    return rc;
}

/* What is known of the nodes with a certain shape. */
struct shape {
    uint64_t hash;
    uint32_t seats;
    uint32_t *cells; /* relative to the corner of the box around them */
    uint64_t crossing[SMAP_LEVELS_MAX];
};

struct walk {
    const struct smap_levels *levels;
    const struct smap_instance *in;
    enum smap_seating seating;
    struct smap_inside all;     /* for the number of seats last asked for */
    struct smap_inside settled; /* the same without levels that cannot matter */
    struct shape *shape;
    size_t shapes;
    uint32_t *relative; /* scratch, for the fullest node */
    uint32_t *seat_of;
    uint32_t *by_order; /* the seats of as many tasks as `all` has, by the order */
};

/* Puts the cells relative to the corner of their box; false if that says nothing about them: in a
 * graph, and where edges may wrap round in the box, so that not the box alone counts. */
static bool make_relative(struct walk *w, const uint32_t cells[], uint32_t count)
{
    uint32_t low[SMAP_DIMS_MAX], high[SMAP_DIMS_MAX] = {0}, coords[SMAP_DIMS_MAX] = {0};
    if (w->in->graph)
        return false;
    memset(low, 0xff, sizeof(low));
    for (uint32_t i = 0; i < count; i++) {
        smap_grid_coords(coords, w->in->grid, cells[i]);
        for (size_t d = 0; d < w->in->grid->ndims; d++) {
            low[d] = coords[d] < low[d] ? coords[d] : low[d];
            high[d] = coords[d] > high[d] ? coords[d] : high[d];
        }
    }
    uint32_t corner = smap_grid_cell(w->in->grid, low);
    for (uint32_t i = 0; i < count; i++)
        w->relative[i] = cells[i] - corner;
    for (size_t d = 0; d < w->in->grid->ndims; d++)
        for (size_t r = 0; w->in->grid->periodic[d] && r < w->in->stencil->count; r++) {
            int64_t reach = smap_stencil_offset(w->in->stencil, r)[d];
            if ((reach < 0 ? -reach : reach) + high[d] - low[d] >= w->in->grid->dims[d])
                return false;
        }
    return true;
}

static uint64_t hash_of(const uint32_t list[], uint32_t count)
{
    uint64_t hash = UINT64_C(1469598103934665603); /* FNV-1a */
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ list[i]) * UINT64_C(1099511628211);
    return hash;
}

static const struct shape *find_shape(const struct walk *w, uint64_t hash, uint32_t count)
{
    for (size_t i = 0; i < w->shapes; i++)
        if (w->shape[i].hash == hash && w->shape[i].seats == count &&
            memcmp(w->shape[i].cells, w->relative, count * sizeof(*w->relative)) == 0)
            return &w->shape[i];
    return NULL;
}

static int keep_shape(struct walk *w, uint64_t hash, uint32_t count, const uint64_t crossing[],
                      struct smap_error *err)
{
    if (w->shapes == SHAPES_MAX)
        return SMAP_OK;
    struct shape *shape = &w->shape[w->shapes];
    shape->cells = calloc(count, sizeof(*shape->cells));
    if (!shape->cells)
        return smap_nomem(err);
    memcpy(shape->cells, w->relative, count * sizeof(*shape->cells));
    memcpy(shape->crossing, crossing, w->levels->hierarchy.count * sizeof(*crossing));
    shape->hash = hash;
    shape->seats = count;
    w->shapes++;
    return SMAP_OK;
}

static int make_seats(struct walk *w, uint32_t count, struct smap_error *err)
{
    if (w->all.seats == count && w->all.object)
        return SMAP_OK;
    smap_inside_clear(&w->all);
    smap_inside_clear(&w->settled);
    int rc = smap_levels_inside(&w->all, w->by_order, w->levels, count, err);
    if (rc == SMAP_OK)
        rc = smap_levels_inside(&w->settled, NULL, w->levels, count, err);
    if (rc == SMAP_OK)
        smap_inside_settle(&w->settled);
    return rc;
}

/* Says where the cells of a node sit, when make_seats has made the seats. */
static int seat(struct walk *w, const uint32_t cells[], uint32_t count, struct smap_error *err)
{
    if (w->seating == SMAP_SEATS_QUICK || w->seating == SMAP_SEATS_BEST)
        return smap_inside_assign(w->seat_of, &w->settled, w->in, cells,
                                  w->seating == SMAP_SEATS_QUICK, err);
    for (uint32_t i = 0; i < count; i++)
        w->seat_of[i] = w->seating == SMAP_SEATS_BY_ORDER ? w->by_order[i] : i;
    return SMAP_OK;
}

/* Adds what crosses the levels inside one node. */
static int add_node(uint64_t crossing[], struct walk *w, const uint32_t cells[], uint32_t count,
                    struct smap_error *err)
{
    uint64_t found[SMAP_LEVELS_MAX];
    bool by_shape = make_relative(w, cells, count);
    uint64_t hash = by_shape ? hash_of(w->relative, count) : 0;
    const struct shape *known = by_shape ? find_shape(w, hash, count) : NULL;
    int rc = SMAP_OK;
    if (!known) {
        rc = make_seats(w, count, err);
        if (rc == SMAP_OK)
            rc = seat(w, cells, count, err);
        if (rc == SMAP_OK)
            rc = smap_inside_crossings(found, &w->all, w->in, cells, w->seat_of, err);
        if (rc == SMAP_OK && by_shape)
            rc = keep_shape(w, hash, count, found, err);
    }
    for (size_t l = 0; rc == SMAP_OK && l < w->levels->hierarchy.count; l++)
        crossing[l] += known ? known->crossing[l] : found[l];
    return rc;
}

static void release(struct walk *w)
{
    for (size_t i = 0; i < w->shapes; i++)
        free(w->shape[i].cells);
    free(w->shape);
    free(w->relative);
    free(w->seat_of);
    free(w->by_order);
    smap_inside_clear(&w->all);
    smap_inside_clear(&w->settled);
}

int smap_levels_crossings(uint64_t crossing[], const struct smap_levels *levels,
                          const struct smap_instance *instance, const struct smap_seated *seated,
                          struct smap_error *err)
{
    struct walk w = {.levels = levels, .in = instance, .seating = seated->seating};
    const struct smap_nodesizes *sizes = instance->sizes;
    uint32_t nodes = smap_nodesizes_nodes(sizes), most = smap_nodesizes_largest(sizes);
    uint32_t *cell_at = smap_nodesizes_sort(sizes, seated->node_of_cell);
    w.shape = calloc(SHAPES_MAX, sizeof(*w.shape));
    w.relative = calloc(most, sizeof(*w.relative));
    w.seat_of = calloc(most, sizeof(*w.seat_of));
    w.by_order = calloc(most, sizeof(*w.by_order));
    int rc =
        cell_at && w.shape && w.relative && w.seat_of && w.by_order ? SMAP_OK : smap_nomem(err);
    for (size_t l = 0; l < levels->hierarchy.count; l++)
        crossing[l] = seated->jsum;
    for (uint32_t i = 0; rc == SMAP_OK && i < nodes; i++)
        rc = add_node(crossing, &w, cell_at + smap_nodesizes_first(sizes, i),
                      smap_nodesizes_size(sizes, i), err);
    free(cell_at);
    release(&w);
    return rc;
}

int smap_levels_objects(uint32_t object_of_cell[], const struct smap_levels *levels,
                        const struct smap_instance *instance, const struct smap_seated *seated,
                        size_t level, struct smap_error *err)
{
    const struct smap_nodesizes *sizes = instance->sizes;
    struct walk w = {.levels = levels, .in = instance, .seating = seated->seating};
    uint32_t objects = 1, most = smap_nodesizes_largest(sizes);
    for (size_t l = 0; l <= level; l++)
        objects *= (uint32_t)levels->hierarchy.level[l].arity;
    uint32_t *cell_at = smap_nodesizes_sort(sizes, seated->node_of_cell);
    w.seat_of = calloc(most, sizeof(*w.seat_of));
    w.by_order = calloc(most, sizeof(*w.by_order));
    int rc = cell_at && w.seat_of && w.by_order ? SMAP_OK : smap_nomem(err);
    for (uint32_t node = 0; rc == SMAP_OK && node < smap_nodesizes_nodes(sizes); node++) {
        const uint32_t *cells = cell_at + smap_nodesizes_first(sizes, node);
        uint32_t count = smap_nodesizes_size(sizes, node);
        rc = make_seats(&w, count, err);
        if (rc == SMAP_OK)
            rc = seat(&w, cells, count, err);
        for (uint32_t i = 0; rc == SMAP_OK && i < count; i++)
            object_of_cell[cells[i]] =
                node * objects + w.all.object[w.seat_of[i] * w.all.levels + level];
    }
    free(cell_at);
    release(&w);
    return rc;
}

uint64_t smap_levels_total(const struct smap_levels *levels, uint64_t jsum,
                           const uint64_t crossing[])
{
    for (size_t l = 0; l + 1 < levels->hierarchy.count; l++)
        jsum += crossing[l];
    return jsum;
}
