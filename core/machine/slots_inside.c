/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots_inside.h"

#include <stdlib.h>
#include <string.h>

/* The leaf that has a cpu; shape->leaves if none does. */
static size_t find_leaf(const struct smap_shape *shape, unsigned cpu)
{
    size_t i = 0;
    while (i < shape->leaves && shape->cpus[shape->leaf[i].first] != cpu)
        i++;
    return i;
}

int smap_topology_inside(struct smap_inside *inside, const struct smap_topology *topology,
                         const unsigned cpu[], uint32_t count, struct smap_error *err)
{
    struct smap_shape shape = {0};
    *inside = (struct smap_inside){0};
    int rc = smap_topology_shape(&shape, topology, SMAP_LEAF_PU, 0, err);
    if (rc == SMAP_OK)
        rc = smap_inside_init(inside, shape.count, count, err);
    for (size_t l = 0; rc == SMAP_OK && l < shape.count; l++)
        memcpy(inside->name[l], shape.level[l].label.name, SMAP_NAME_SIZE);
    for (uint32_t k = 0; rc == SMAP_OK && k < count; k++) {
        size_t leaf = find_leaf(&shape, cpu[k]);
        for (size_t l = 0; l < shape.count; l++)
            inside->object[k * shape.count + l] =
                leaf < shape.leaves ? shape.level[l].object[leaf] : SMAP_NO_OBJECT;
    }
    smap_shape_clear(&shape);
    return rc;
}

int smap_slots_inside(struct smap_inside *inside, const struct smap_slots *slots,
                      const uint32_t number[], uint32_t count, struct smap_error *err)
{
    size_t levels = slots->levels;
    int rc = smap_inside_init(inside, levels, count, err);
    if (rc != SMAP_OK)
        return rc;
    for (uint32_t k = 1; k < count; k++) {
        const uint32_t *mine = slots->coordinates + (size_t)number[k] * levels;
        const uint32_t *last = slots->coordinates + (size_t)number[k - 1] * levels;
        bool other = false;
        for (size_t l = 0; l < levels; l++) {
            other = other || mine[l] != last[l];
            inside->object[k * levels + l] = inside->object[(k - 1) * levels + l] + other;
        }
    }
    smap_inside_settle(inside);
    return SMAP_OK;
}

/* Which slots come first in the machine. */
static int by_coordinates(const void *a, const void *b, void *context)
{
    const struct smap_slots *slots = context;
    const uint32_t *x = slots->coordinates + *(const uint32_t *)a * slots->levels;
    const uint32_t *y = slots->coordinates + *(const uint32_t *)b * slots->levels;
    for (size_t l = 0; l < slots->levels; l++)
        if (x[l] != y[l])
            return x[l] < y[l] ? -1 : 1;
    return 0;
}

/* The slots in the machine's own order; NULL without memory. */
static uint32_t *sort_slots(const struct smap_slots *slots)
{
    uint32_t *sorted = calloc(slots->count + 1, sizeof(*sorted));
    for (uint32_t k = 0; sorted && k < slots->count; k++)
        sorted[k] = k;
    if (sorted)
        qsort_r(sorted, slots->count, sizeof(*sorted), by_coordinates, (void *)slots);
    return sorted;
}

int smap_slots_places(uint32_t place[], const struct smap_slots *slots, struct smap_error *err)
{
    uint32_t *sorted = sort_slots(slots);
    for (uint32_t k = 0; sorted && k < slots->count; k++)
        place[sorted[k]] = k;
    free(sorted);
    return sorted ? SMAP_OK : smap_nomem(err);
}

int smap_slots_seats(struct smap_inside *inside, const struct smap_slots *slots,
                     struct smap_error *err)
{
    size_t levels = slots->levels;
    uint32_t count = (uint32_t)slots->count, object[SMAP_LEVELS_MAX] = {0};
    uint32_t *sorted = sort_slots(slots);
    *inside = (struct smap_inside){0};
    int rc = sorted ? smap_inside_init(inside, levels, count, err) : smap_nomem(err);
    for (uint32_t k = 0; rc == SMAP_OK && k < count; k++) {
        const uint32_t *mine = slots->coordinates + sorted[k] * levels;
        const uint32_t *last = k > 0 ? slots->coordinates + sorted[k - 1] * levels : NULL;
        bool other = false;
        for (size_t l = 0; l < levels; l++) {
            other = other || (last && mine[l] != last[l]);
            object[l] += other;
            inside->object[sorted[k] * levels + l] = object[l];
        }
    }
    for (size_t l = 0; rc == SMAP_OK && l < levels; l++)
        memcpy(inside->name[l], slots->hierarchy.level[slots->hierarchy.node_levels + l].name,
               SMAP_NAME_SIZE);
    free(sorted);
    return rc;
}
