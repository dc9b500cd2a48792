/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/shape_walk.h"
#include "machine/slots_private.h"

static int by_value(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a;
    unsigned y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* A refusal that ends with the levels of the machine. */
__attribute__((format(printf, 3, 4))) static int
refuse(const struct smap_shape *shape, struct smap_error *err, const char *format, ...)
{
    struct smap_error why;
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof(why.text), format, args);
    va_end(args);
    char *levels = smap_shape_text(shape, " ");
    int rc = smap_fail(err, SMAP_ENOTSUP, "%.300s (%s)", why.text, levels ? levels : "?");
    free(levels);
    return rc;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Makes blocks of leaves the leaves, where a task gets several. */
static int block(struct smap_slot_walk *walk, struct smap_order *order,
                 const struct smap_slot_request *request, struct smap_error *err)
{
    const struct smap_shape *shape = &walk->shape;
    const char *leaf = shape->leaf_name;
    size_t size = request->per_task > SIZE_MAX ? SIZE_MAX : (size_t)request->per_task;
    size_t wanted = request->count > SIZE_MAX ? SIZE_MAX : (size_t)request->count;
    uint64_t asked = request->cpus_per_task ? request->cpus_per_task : size;
    if (size <= 1)
        return SMAP_OK;
    if (size > shape->leaves)
        return refuse(shape, err,
                      "--cpus-per-task=%" PRIu64 ": a task of %zu %ss, but only %zu here", asked,
                      size, leaf, shape->leaves);
    size_t room = smap_shape_room(shape, size);
    if (wanted > room)
        return refuse(shape, err,
                      "--cpus-per-task=%" PRIu64 ": room for %zu task%s of %zu %ss, not for %zu",
                      asked, room, plural(room), size, leaf, wanted);
    return smap_shape_block(&walk->shape, order, size, wanted, request->strict, err);
}

/* The socket of each slot; the number of sockets. NULL without memory. */
static uint32_t *sockets_of(const struct smap_shape *shape, size_t *sockets)
{
    uint32_t *socket = calloc(shape->leaves, sizeof(*socket));
    *sockets = 1;
    for (size_t l = 0; socket && l < shape->count; l++) {
        const struct smap_shape_level *level = &shape->level[l];
        bool first_of_numbers = l == 0 && level->label.name[0] == '\0';
        if (!first_of_numbers && !smap_level_has_name(&level->label, "socket"))
            continue;
        memcpy(socket, level->object, shape->leaves * sizeof(*socket));
        *sockets = level->objects;
        break;
    }
    return socket;
}

/* Takes those out of the sequence that are one too many on their socket; *left are there then. */
static int limit_sockets(uint32_t sequence[], size_t *left, const struct smap_shape *shape,
                         const struct smap_slot_request *request, struct smap_error *err)
{
    size_t sockets, most = 0;
    uint32_t *socket = sockets_of(shape, &sockets);
    uint32_t *taken = socket ? calloc(sockets, sizeof(*taken)) : NULL;
    bool ordered = request->order && request->order[0];
    int rc = socket && taken ? SMAP_OK : smap_nomem(err);
    *left = 0;
    for (size_t i = 0; rc == SMAP_OK && i < shape->leaves; i++) {
        uint32_t *here = &taken[socket[sequence[i]]];
        bool wanted = request->count == 0 || i < request->count;
        most = wanted && *here + 1 > most ? *here + 1 : most;
        if (++*here <= request->tasks_per_socket)
            sequence[(*left)++] = sequence[i];
    }
    if (rc == SMAP_OK && ordered && most > request->tasks_per_socket)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--rank-order=%.120s puts %zu tasks on one socket, --ntasks-per-socket="
                       "%" PRIu64,
                       request->order, most, request->tasks_per_socket);
    else if (rc == SMAP_OK && *left < request->count)
        rc = refuse(shape, err,
                    "--ntasks-per-socket=%" PRIu64 ": room for %zu task%s, not for %" PRIu64,
                    request->tasks_per_socket, *left, plural(*left), request->count);
    free(socket);
    free(taken);
    return rc;
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

/* Slot i is leaf sequence[i]. */
static void copy_leaves(struct smap_slots *slots, const struct smap_shape *shape,
                        const uint32_t coordinates[], const uint32_t sequence[])
{
    size_t row = shape->count * sizeof(*coordinates);
    for (size_t i = 0; i < slots->count; i++) {
        const struct smap_shape_leaf *leaf = &shape->leaf[sequence[i]];
        unsigned *cpus = &slots->cpus[slots->first[i]];
        memcpy(cpus, &shape->cpus[leaf->first], leaf->count * sizeof(*cpus));
        qsort(cpus, leaf->count, sizeof(*cpus), by_value);
        slots->first[i + 1] = slots->first[i] + leaf->count;
        slots->core[i] = leaf->core;
        memcpy(&slots->coordinates[i * shape->count], &coordinates[sequence[i] * shape->count],
               row);
    }
}

static int fill(struct smap_slots *slots, const struct smap_shape *shape,
                const struct smap_order *order, const struct smap_slot_request *request,
                struct smap_error *err)
{
    uint32_t *coordinates = calloc(shape->leaves * shape->count, sizeof(*coordinates));
    uint32_t *sequence = calloc(shape->leaves, sizeof(*sequence));
    size_t left = shape->leaves;
    int rc = coordinates && sequence ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_shape_walk(coordinates, sequence, shape, order, err);
    if (rc == SMAP_OK && request->tasks_per_socket > 0)
        rc = limit_sockets(sequence, &left, shape, request, err);
    slots->count = request->count ? (size_t)request->count : left;
    if (rc == SMAP_OK)
        rc = allocate(slots, shape, err);
    if (rc == SMAP_OK)
        copy_leaves(slots, shape, coordinates, sequence);
    free(coordinates);
    free(sequence);
    return rc;
}

static int check_fit(const struct smap_shape *shape, const struct smap_slot_request *request,
                     bool ragged, struct smap_error *err)
{
    if (request->strict && ragged) {
        char *text = smap_shape_text(shape, " ");
        int rc = smap_fail(err, SMAP_ENOTSUP,
                           "the levels here are not regular, %s, and strict orders are asked for",
                           text ? text : "?");
        free(text);
        return rc;
    }
    if (request->count <= shape->leaves)
        return SMAP_OK;
    return refuse(shape, err, "%" PRIu64 " tasks, but only %zu %s%s here", request->count,
                  shape->leaves, shape->leaf_name, plural(shape->leaves));
}

/* The levels that were walked through, behind those of the nodes. */
static struct smap_hierarchy levels_of(const struct smap_slot_walk *walk)
{
    struct smap_hierarchy inside = smap_shape_hierarchy(&walk->shape), h = walk->full;
    h.count = h.node_levels;
    for (size_t i = 0; i < inside.count && h.count < SMAP_LEVELS_MAX; i++)
        h.level[h.count++] = inside.level[i];
    return h;
}

int smap_slot_walk_fill(struct smap_slots *slots, struct smap_slot_walk *walk,
                        const struct smap_slot_request *request, struct smap_error *err)
{
    struct smap_order order = smap_order_inside_node(&walk->order, walk->full.node_levels);
    bool ragged = !smap_shape_is_regular(&walk->shape);
    struct smap_slots made = {.ragged = ragged, .membind = order.membind};
    int rc = block(walk, &order, request, err);
    if (rc == SMAP_OK)
        rc = check_fit(&walk->shape, request, ragged, err);
    if (rc == SMAP_OK)
        rc = fill(&made, &walk->shape, &order, request, err);
    made.hierarchy = levels_of(walk);
    if (rc == SMAP_OK)
        *slots = made;
    else
        smap_slots_clear(&made);
    return rc;
}

void smap_slots_clear(struct smap_slots *slots)
{
    if (!slots)
        return;
    free(slots->first);
    free(slots->cpus);
    free(slots->core);
    free(slots->gpu);
    free(slots->coordinates);
    free(slots->shape);
    *slots = (struct smap_slots){0};
}
