/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "slots.h"
#include "text.h"
#include "topology.h"

/* Enough for any kernel; masks are allocated at this size throughout. */
#define CPUS_MAX 8192

struct mask {
    cpu_set_t *set;
    size_t key; /* logical number of its first cpu: the order of the machine */
};

static size_t mask_size(void)
{
    return CPU_ALLOC_SIZE(CPUS_MAX);
}

static void free_masks(struct mask *masks, size_t count)
{
    for (size_t i = 0; masks && i < count; i++)
        if (masks[i].set)
            CPU_FREE(masks[i].set);
    free(masks);
}

static struct mask *new_masks(size_t count)
{
    struct mask *masks = calloc(count, sizeof(*masks));
    for (size_t i = 0; masks && i < count; i++) {
        masks[i].set = CPU_ALLOC(CPUS_MAX);
        if (!masks[i].set) {
            free_masks(masks, count);
            return NULL;
        }
        CPU_ZERO_S(mask_size(), masks[i].set);
    }
    return masks;
}

static int by_key(const void *a, const void *b)
{
    const struct mask *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int system_error(struct smap_error *err, const char *what)
{
    return smap_fail(err, SMAP_ESYS, "%s: %s", what, strerror(errno));
}

/* The masks that Slurm gave the processes. */
static int read_masks(const struct smap_topology *topology, const pid_t pids[], struct mask masks[],
                      size_t count, bool *all_equal, struct smap_error *err)
{
    *all_equal = true;
    for (size_t i = 0; i < count; i++) {
        if (sched_getaffinity(pids[i], mask_size(), masks[i].set) != 0)
            return system_error(err, "sched_getaffinity");
        masks[i].key = SIZE_MAX;
        for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
            if (!CPU_ISSET_S(cpu, mask_size(), masks[i].set))
                continue;
            size_t logical = smap_topology_logical(topology, cpu);
            masks[i].key = logical < masks[i].key ? logical : masks[i].key;
        }
        *all_equal = *all_equal && CPU_EQUAL_S(mask_size(), masks[i].set, masks[0].set);
    }
    return SMAP_OK;
}

static int apply(const struct mask masks[], const pid_t pids[], const uint32_t seat[], size_t count,
                 struct smap_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (sched_setaffinity(pids[i], mask_size(), masks[seat[i]].set) != 0)
            return system_error(err, "sched_setaffinity");
    return SMAP_OK;
}

/* Cores that a task of so many cpus needs: Slurm counts hardware threads. */
static uint64_t cores_per_task(const struct smap_topology *topology, uint32_t cpus_per_task)
{
    size_t smallest, largest;
    smap_topology_threads(topology, &smallest, &largest);
    return largest ? (cpus_per_task + largest - 1) / largest : cpus_per_task;
}

static int slot_masks(const struct bind_request *request, const struct smap_topology *topology,
                      struct mask masks[], size_t count, struct smap_error *err)
{
    struct smap_slots slots = {0};
    const struct smap_slot_request wanted = {
        .order = request->order,
        .hierarchy = request->hierarchy,
        .nodes = request->nodes,
        .count = count,
        .per_task = cores_per_task(topology, request->cpus_per_task),
    };
    int rc = smap_topology_slots(topology, &wanted, &slots, err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        masks[i].key = slots.core[i];
        for (size_t c = slots.first[i]; c < slots.first[i + 1]; c++)
            if (slots.cpus[c] < CPUS_MAX)
                CPU_SET_S(slots.cpus[c], mask_size(), masks[i].set);
    }
    smap_slots_clear(&slots);
    return rc;
}

static int bind_by_order(const struct bind_request *request, struct smap_topology *topology,
                         const pid_t pids[], const uint32_t seat[], struct mask masks[],
                         size_t count, bool walk, struct smap_error *err)
{
    int rc = smap_topology_restrict(topology, request->cores, NULL, 0, err);
    if (rc == SMAP_OK)
        rc = slot_masks(request, topology, masks, count, err);
    if (rc == SMAP_OK && !walk)
        qsort(masks, count, sizeof(*masks), by_key);
    return rc == SMAP_OK ? apply(masks, pids, seat, count, err) : rc;
}

int bind_tasks(const struct bind_request *request, const pid_t pids[], const uint32_t seat[],
               size_t count, int walk, struct smap_error *err)
{
    const struct smap_topology_source here = {0};
    struct smap_topology *topology = NULL;
    struct mask *masks = new_masks(count);
    bool all_equal;
    int rc = masks ? smap_topology_load(&topology, &here, err) : smap_nomem(err);
    if (rc == SMAP_OK && request->order) {
        rc = bind_by_order(request, topology, pids, seat, masks, count, walk, err);
    } else if (rc == SMAP_OK) {
        rc = read_masks(topology, pids, masks, count, &all_equal, err);
        qsort(masks, rc == SMAP_OK ? count : 0, sizeof(*masks), by_key);
        if (rc == SMAP_OK && !all_equal)
            rc = apply(masks, pids, seat, count, err);
    }
    smap_topology_destroy(topology);
    free_masks(masks, count);
    return rc;
}

char *bind_own_cpus(void)
{
    struct smap_text text = {0};
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
    if (!set || sched_getaffinity(0, mask_size(), set) != 0) {
        if (set)
            CPU_FREE(set);
        return NULL;
    }
    for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
        unsigned last = cpu;
        if (!CPU_ISSET_S(cpu, mask_size(), set))
            continue;
        while (last + 1 < CPUS_MAX && CPU_ISSET_S(last + 1, mask_size(), set))
            last++;
        smap_text_add(&text, "%s%u", text.length ? "," : "", cpu);
        if (last > cpu)
            smap_text_add(&text, "-%u", last);
        cpu = last;
    }
    CPU_FREE(set);
    return smap_text_take(&text);
}
