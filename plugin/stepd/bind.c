/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/bind.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/slots_inside.h"
#include "machine/slots_tasks.h"
#include "stepd/confine.h"
#include "stepd/cpumask.h"

/* A mask to give away. */
struct place {
    struct cpumask mask;
    size_t key;   /* logical number of its first cpu: the order of the machine */
    unsigned cpu; /* that cpu */
    uint32_t slot;
    uint32_t owner; /* the process that Slurm gave it to */
};

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int system_error(struct smap_error *err, const char *what)
{
    return smap_fail(err, SMAP_ESYS, "%s: %s", what, strerror(errno));
}

static void find_first(const struct smap_topology *topology, struct place *place)
{
    place->key = SIZE_MAX;
    for (unsigned cpu = 0; cpu < CPUMASK_MAX; cpu++) {
        size_t logical =
            cpumask_has(&place->mask, cpu) ? smap_topology_logical(topology, cpu) : SIZE_MAX;
        if (logical < place->key) {
            place->key = logical;
            place->cpu = cpu;
        }
    }
}

/* The masks that Slurm gave the processes. */
static int read_masks(const struct smap_topology *topology, const pid_t pids[],
                      struct place places[], size_t count, struct smap_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (cpumask_get(pids[i], &places[i].mask) != 0)
            return system_error(err, "sched_getaffinity");
        places[i].owner = (uint32_t)i;
        find_first(topology, &places[i]);
    }
    return SMAP_OK;
}

static int apply(const struct place places[], const pid_t pids[], const uint32_t seat[],
                 size_t count, struct smap_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (cpumask_set(pids[i], &places[seat ? seat[i] : i].mask) != 0)
            return system_error(err, "sched_setaffinity");
    return SMAP_OK;
}

/* How many tasks the fullest object of a kind has; `all` if the node is one such object. */
static uint32_t fullest(const struct smap_shape *shape, const char *kind,
                        const struct place places[], uint32_t all)
{
    size_t level = 0;
    uint32_t most = 0;
    while (level < shape->count && !smap_level_has_name(&shape->level[level].label, kind))
        level++;
    if (level == shape->count)
        return all;
    uint32_t *tasks = calloc(shape->level[level].objects, sizeof(*tasks));
    for (uint32_t t = 0; tasks && t < all; t++) {
        uint32_t last = SMAP_NO_OBJECT;
        for (size_t i = 0; i < shape->leaves; i++) {
            uint32_t object = shape->level[level].object[i];
            if (object == last || !cpumask_has(&places[t].mask, shape->cpus[shape->leaf[i].first]))
                continue;
            last = object; /* the leaves of an object are neighbours: it counts once */
            if (++tasks[object] > most)
                most = tasks[object];
        }
    }
    free(tasks);
    return most;
}

/* What the user limits by --ntasks-per-core and --ntasks-per-socket. */
static int check_limits(const struct smap_topology *topology, const struct bind_request *request,
                        const struct place places[], size_t count, struct smap_error *err)
{
    const struct {
        const char *kind;
        uint32_t limit;
    } limits[] = {{"core", request->tasks_per_core}, {"socket", request->tasks_per_socket}};
    struct smap_shape shape = {0};
    int rc = SMAP_OK;
    if (request->tasks_per_core || request->tasks_per_socket)
        rc = smap_topology_shape(&shape, topology, SMAP_LEAF_PU, 0, err);
    for (size_t i = 0; rc == SMAP_OK && i < 2; i++) {
        uint32_t most =
            limits[i].limit ? fullest(&shape, limits[i].kind, places, (uint32_t)count) : 0;
        if (most > limits[i].limit)
            rc = smap_fail(err, SMAP_ENOTSUP,
                           "--rank-order=%s puts %" PRIu32
                           " tasks on one %s, --ntasks-per-%s=%" PRIu32,
                           request->order, most, limits[i].kind, limits[i].kind, limits[i].limit);
    }
    smap_shape_clear(&shape);
    return rc;
}

static int slot_places(const struct bind_request *request, const struct smap_topology *topology,
                       struct place places[], size_t count, struct bind_outcome *outcome,
                       struct smap_error *err)
{
    const struct smap_slots *slots = &outcome->slots;
    const struct smap_slot_request wanted = {
        .order = request->order,
        .hierarchy = request->hierarchy,
        .nodes = request->nodes,
        .count = count,
        .threads_per_core = request->threads_per_core,
        .strict = request->strict,
    };
    int rc = smap_topology_task_slots(&outcome->slots, topology, &wanted, request->cpus_per_task,
                                      request->cpus_per_core, err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        places[i] = (struct place){.slot = (uint32_t)i};
        for (size_t c = slots->first[i]; c < slots->first[i + 1]; c++)
            cpumask_add(&places[i].mask, slots->cpus[c] % CPUMASK_MAX);
        find_first(topology, &places[i]);
    }
    return rc == SMAP_OK ? check_limits(topology, request, places, count, err) : rc;
}

/* The levels around places in machine order. */
static int levels_around(const struct smap_topology *topology, const struct place places[],
                         size_t count, struct smap_inside *inside, struct smap_error *err)
{
    unsigned *cpu = calloc(count, sizeof(*cpu));
    for (size_t k = 0; cpu && k < count; k++)
        cpu[k] = places[k].cpu;
    int rc =
        cpu ? smap_topology_inside(inside, topology, cpu, (uint32_t)count, err) : smap_nomem(err);
    free(cpu);
    return rc;
}

static int slots_around(const struct smap_slots *slots, const struct place places[], size_t count,
                        struct smap_inside *inside, struct smap_error *err)
{
    uint32_t *number = calloc(count, sizeof(*number));
    for (size_t k = 0; number && k < count; k++)
        number[k] = places[k].slot;
    int rc =
        number ? smap_slots_inside(inside, slots, number, (uint32_t)count, err) : smap_nomem(err);
    free(number);
    return rc;
}

/* Says which process gets which of the places, which come in machine order: the mapping's word. */
static int seat(const struct smap_topology *topology, const struct bind_request *request,
                const struct place places[], size_t count, const struct bind_outcome *outcome,
                uint32_t seat_of[], struct smap_error *err)
{
    struct smap_inside inside = {0};
    int rc = outcome->slot ? slots_around(&outcome->slots, places, count, &inside, err)
                           : levels_around(topology, places, count, &inside, err);
    if (rc == SMAP_OK) {
        smap_inside_settle(&inside);
        const struct smap_instance instance = smap_problem_on(request->problem, NULL);
        rc = smap_inside_assign(seat_of, &inside, &instance, request->cell, false, err);
    }
    smap_inside_clear(&inside);
    return rc;
}

/* What crosses the machine's levels where process i has place seat_of[i]. */
static int count_crossings(const struct smap_topology *topology, const struct bind_request *request,
                           const struct place places[], size_t count, const uint32_t seat_of[],
                           struct bind_crossings *crossings, uint64_t crossing[],
                           struct smap_error *err)
{
    struct smap_inside inside = {0};
    int rc = levels_around(topology, places, count, &inside, err);
    const struct smap_instance instance = smap_problem_on(request->problem, NULL);
    if (rc == SMAP_OK)
        rc = smap_inside_crossings(crossing, &inside, &instance, request->cell, seat_of, err);
    crossings->levels = rc == SMAP_OK ? inside.levels : 0;
    memcpy(crossings->name, inside.name, sizeof(crossings->name));
    smap_inside_clear(&inside);
    return rc;
}

/* Is there less across the outermost level at which there is a difference? */
static bool lowers(const struct bind_crossings *crossings)
{
    for (size_t l = 0; l < crossings->levels; l++)
        if (crossings->after[l] != crossings->before[l])
            return crossings->after[l] < crossings->before[l];
    return false;
}

static bool all_masks_equal(const struct place places[], size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!cpumask_equal(&places[i].mask, &places[0].mask))
            return false;
    return true;
}

/* Puts the processes on the places, which are in machine order, as the mapping says. slurms: where
 * Slurm had put them. */
static int put_by_cells(const struct smap_topology *topology, const struct bind_request *request,
                        const pid_t pids[], const struct place slurms[],
                        const struct place places[], size_t count, struct bind_outcome *outcome,
                        struct smap_error *err)
{
    struct bind_crossings *crossings = &outcome->crossings;
    struct place *sorted = calloc(count, sizeof(*sorted));
    uint32_t *seat_of = calloc(2 * count, sizeof(*seat_of)), *before = seat_of + count;
    int rc = sorted && seat_of ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        memcpy(sorted, slurms, count * sizeof(*sorted));
        qsort(sorted, count, sizeof(*sorted), by_key);
        for (uint32_t k = 0; k < count; k++)
            before[sorted[k].owner] = k;
        crossings->before_known = !all_masks_equal(slurms, count);
        rc = count_crossings(topology, request, sorted, count, before, crossings, crossings->before,
                             err);
    }
    if (rc == SMAP_OK)
        rc = seat(topology, request, places, count, outcome, seat_of, err);
    if (rc == SMAP_OK)
        rc = count_crossings(topology, request, places, count, seat_of, crossings, crossings->after,
                             err);
    if (rc == SMAP_OK && !outcome->slot && !lowers(crossings)) {
        outcome->kept = true;
        memcpy(crossings->after, crossings->before, sizeof(crossings->after));
    } else if (rc == SMAP_OK) {
        rc = apply(places, pids, seat_of, count, err);
    }
    for (size_t i = 0; rc == SMAP_OK && outcome->slot && i < count; i++)
        outcome->slot[i] = places[seat_of[i]].slot;
    free(sorted);
    free(seat_of);
    return rc;
}

static int bind_by_order(struct smap_topology *topology, const struct bind_request *request,
                         const pid_t pids[], const struct place slurms[], size_t count,
                         struct bind_outcome *outcome, struct smap_error *err)
{
    struct place *places = calloc(count, sizeof(*places));
    outcome->slot = calloc(count, sizeof(*outcome->slot));
    struct cpumask bound = {0};
    for (size_t i = 0; i < count; i++)
        cpumask_add_all(&bound, &slurms[i].mask);
    int rc = places && outcome->slot
                 ? confine(topology, request->cores, request->core_count, &bound, pids[0], err)
                 : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = slot_places(request, topology, places, count, outcome, err);
    if (rc == SMAP_OK && request->cell) {
        qsort(places, count, sizeof(*places), by_key);
        rc = put_by_cells(topology, request, pids, slurms, places, count, outcome, err);
    } else if (rc == SMAP_OK) {
        rc = apply(places, pids, NULL, count, err);
        for (size_t i = 0; i < count; i++)
            outcome->slot[i] = places[i].slot;
    }
    free(places);
    return rc;
}

/* Without an order: only who gets which of Slurm's masks changes. */
static int hand_round(const struct smap_topology *topology, const struct bind_request *request,
                      const pid_t pids[], const struct place slurms[], size_t count,
                      struct bind_outcome *outcome, struct smap_error *err)
{
    struct place *sorted;
    outcome->kept = true;
    if (!request->cell || all_masks_equal(slurms, count))
        return SMAP_OK;
    outcome->kept = false;
    sorted = calloc(count, sizeof(*sorted));
    if (!sorted)
        return smap_nomem(err);
    memcpy(sorted, slurms, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_key);
    int rc = put_by_cells(topology, request, pids, slurms, sorted, count, outcome, err);
    free(sorted);
    return rc;
}

int bind_tasks(struct smap_topology *topology, const struct bind_request *request,
               const pid_t pids[], size_t count, struct bind_outcome *outcome,
               struct smap_error *err)
{
    struct place *slurms = calloc(count, sizeof(*slurms));
    int rc = slurms ? read_masks(topology, pids, slurms, count, err) : smap_nomem(err);
    if (rc == SMAP_OK) {
        rc = request->order ? bind_by_order(topology, request, pids, slurms, count, outcome, err)
                            : hand_round(topology, request, pids, slurms, count, outcome, err);
        if (rc != SMAP_OK) {
            apply(slurms, pids, NULL, count, NULL);
            bind_outcome_release(outcome);
        }
    }
    free(slurms);
    return rc;
}

void bind_outcome_release(struct bind_outcome *outcome)
{
    smap_slots_clear(&outcome->slots);
    free(outcome->slot);
    outcome->slot = NULL;
    outcome->crossings.levels = 0;
}

int bind_own_memory(const struct smap_topology *topology, struct smap_error *err)
{
    enum { NODES_MAX = 1024, WORD = 8 * sizeof(unsigned long) };
    unsigned long wanted[NODES_MAX / WORD] = {0};
    struct cpumask mask;
    size_t cpu_count, nodes = 0;
    if (cpumask_get(0, &mask) != 0)
        return system_error(err, "sched_getaffinity");
    unsigned *cpus = cpumask_cpus(&mask, &cpu_count);
    unsigned *node = calloc(cpu_count ? cpu_count : 1, sizeof(*node));
    if (cpus && node)
        nodes = smap_topology_numa_nodes(node, cpu_count, topology, cpus, cpu_count);
    for (size_t i = 0; i < nodes; i++)
        if (node[i] < NODES_MAX)
            wanted[node[i] / WORD] |= 1UL << node[i] % WORD;
    free(cpus);
    free(node);
    /* The kernel takes one bit less than it is told. */
    if (nodes > 0 && syscall(SYS_set_mempolicy, MPOL_BIND, wanted, NODES_MAX + 1UL) != 0)
        return system_error(err, "set_mempolicy");
    return SMAP_OK;
}

char *bind_own_cpus(void)
{
    struct cpumask mask;
    return cpumask_get(0, &mask) == 0 ? cpumask_list(&mask) : NULL;
}
