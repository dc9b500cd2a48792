/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/seats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void find_first(struct seat *seat, const struct smap_topology *topology)
{
    seat->key = SIZE_MAX;
    for (unsigned cpu = 0; cpu < CPUMASK_MAX; cpu++) {
        size_t logical =
            cpumask_has(&seat->mask, cpu) ? smap_topology_logical(topology, cpu) : SIZE_MAX;
        if (logical < seat->key) {
            seat->key = logical;
            seat->cpu = cpu;
        }
    }
}

int seats_read(struct seat seats[], const struct smap_topology *topology, const pid_t pids[],
               size_t count, struct smap_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (cpumask_get(&seats[i].mask, pids[i]) != 0)
            return smap_fail(err, SMAP_ESYS, "sched_getaffinity: %s", strerror(errno));
        seats[i].owner = (uint32_t)i;
        find_first(&seats[i], topology);
    }
    return SMAP_OK;
}

int seats_from_slots(struct seat seats[], const struct smap_topology *topology,
                     const struct smap_slots *slots, size_t count, struct smap_error *err)
{
    uint32_t *place = calloc(slots->count + 1, sizeof(*place));
    int rc = place ? smap_slots_places(place, slots, err) : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        seats[i] = (struct seat){.slot = (uint32_t)i};
        for (size_t c = slots->first[i]; c < slots->first[i + 1]; c++)
            cpumask_add(&seats[i].mask, slots->cpus[c] % CPUMASK_MAX);
        find_first(&seats[i], topology);
        seats[i].key = place[i];
    }
    free(place);
    return rc;
}

void seats_sort(struct seat seats[], size_t count)
{
    qsort(seats, count, sizeof(*seats), by_key);
}

bool seats_are_equal(const struct seat seats[], size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!cpumask_equal(&seats[i].mask, &seats[0].mask))
            return false;
    return true;
}

int seats_take(const struct seat seats[], const uint32_t seat_of[], const pid_t pids[],
               size_t count, struct smap_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (cpumask_set(pids[i], &seats[seat_of ? seat_of[i] : i].mask) != 0)
            return smap_fail(err, SMAP_ESYS, "sched_setaffinity: %s", strerror(errno));
    return SMAP_OK;
}

int seats_inside(struct smap_inside *inside, const struct smap_topology *topology,
                 const struct smap_slots *slots, const struct seat seats[], size_t count,
                 struct smap_error *err)
{
    uint32_t *number = calloc(count, sizeof(*number));
    unsigned *cpu = calloc(count, sizeof(*cpu));
    int rc = number && cpu ? SMAP_OK : smap_nomem(err);
    for (size_t k = 0; rc == SMAP_OK && k < count; k++) {
        number[k] = seats[k].slot;
        cpu[k] = seats[k].cpu;
    }
    if (rc == SMAP_OK)
        rc = slots ? smap_slots_inside(inside, slots, number, (uint32_t)count, err)
                   : smap_topology_inside(inside, topology, cpu, (uint32_t)count, err);
    free(number);
    free(cpu);
    return rc;
}

int seats_fullest(uint32_t *most, const struct smap_shape *shape, const char *level,
                  const struct seat seats[], uint32_t count, struct smap_error *err)
{
    size_t l = 0;
    *most = count;
    while (l < shape->count && !smap_level_has_name(&shape->level[l].label, level))
        l++;
    if (l == shape->count)
        return SMAP_OK;
    uint32_t *tasks = calloc(shape->level[l].objects, sizeof(*tasks));
    if (!tasks)
        return smap_nomem(err);
    *most = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t last = SMAP_NO_OBJECT;
        for (size_t i = 0; i < shape->leaves; i++) {
            uint32_t object = shape->level[l].object[i];
            if (object == last || !cpumask_has(&seats[k].mask, shape->cpus[shape->leaf[i].first]))
                continue;
            last = object; /* the leaves of an object are neighbours: it counts once */
            if (++tasks[object] > *most)
                *most = tasks[object];
        }
    }
    free(tasks);
    return SMAP_OK;
}
