/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpumask.h"
#include "slots_tasks.h"

/* A mask to give away. */
struct place {
    struct cpumask mask;
    size_t key; /* logical number of its first cpu: the order of the machine */
    uint32_t slot;
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

static size_t first_logical(const struct smap_topology *topology, const struct cpumask *mask)
{
    size_t first = SIZE_MAX;
    for (unsigned cpu = 0; cpu < CPUMASK_MAX; cpu++) {
        size_t logical = cpumask_has(mask, cpu) ? smap_topology_logical(topology, cpu) : SIZE_MAX;
        first = logical < first ? logical : first;
    }
    return first;
}

/* The masks that Slurm gave the processes. */
static int read_masks(const struct smap_topology *topology, const pid_t pids[],
                      struct place places[], size_t count, struct smap_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (cpumask_get(pids[i], &places[i].mask) != 0)
            return system_error(err, "sched_getaffinity");
        places[i].key = first_logical(topology, &places[i].mask);
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

/* All cpus that a process could have: asked for more than its cpuset holds, the kernel gives what
 * it holds. This works for every version of cgroups, wherever they are mounted. */
static int reachable(pid_t pid, struct cpumask *cpus, struct smap_error *err)
{
    const struct cpumask all = cpumask_all();
    if (cpumask_set(pid, &all) != 0 || cpumask_get(pid, cpus) != 0)
        return system_error(err, "asking for the cpuset of a task");
    return SMAP_OK;
}

static bool topology_has(const struct smap_topology *topology, const struct cpumask *cpus,
                         struct smap_error *err)
{
    struct smap_shape shape = {0};
    struct cpumask known = {0};
    if (smap_topology_shape(topology, SMAP_LEAF_PU, 0, &shape, err) == SMAP_OK)
        for (size_t i = 0; i < shape.leaves; i++)
            cpumask_add(&known, shape.cpus[shape.leaf[i].first] % CPUMASK_MAX);
    smap_shape_clear(&shape);
    return cpumask_within(cpus, &known);
}

/* Has a cpu that is plugged in been taken offline? If it took a core with it, that is one less to
 * hwloc, while Slurm counts as when slurmd started. */
static bool cpus_are_missing(void)
{
    static const char *const files[] = {"/sys/devices/system/cpu/present",
                                        "/sys/devices/system/cpu/online"};
    char line[2][512] = {"", ""};
    for (size_t i = 0; i < 2; i++) {
        FILE *file = fopen(files[i], "re");
        if (!file)
            return false;
        if (!fgets(line[i], sizeof(line[i]), file))
            line[i][0] = '\0';
        fclose(file);
    }
    return strcmp(line[0], line[1]) != 0;
}

/* Which cpus are the step's, where Slurm's numbers of cores may mean others than hwloc's: those of
 * the cpuset or those of the masks that Slurm chose, if there are such. */
static int limit_by_masks(const struct smap_topology *topology, const struct bind_request *request,
                          const struct cpumask *bound, struct cpumask *within,
                          struct smap_error *err)
{
    size_t reach;
    if (!cpumask_equal(bound, within)) {
        *within = *bound;
        return SMAP_OK;
    }
    unsigned *cpus = cpumask_cpus(within, &reach);
    free(cpus);
    if (!cpus)
        return smap_nomem(err);
    if (reach < smap_topology_cpu_count(topology) ||
        request->core_count >= smap_topology_core_count(topology))
        return SMAP_OK;
    return smap_fail(err, SMAP_ENOTSUP,
                     "some cpus are offline, and which are the step's cannot be told");
}

/* Narrows the topology to the step's cpus. */
static int confine(struct smap_topology *topology, const struct bind_request *request,
                   const struct place slurms[], size_t count, pid_t pid, struct smap_error *err)
{
    struct cpumask within, bound = {0};
    const char *cores = request->cores;
    size_t cpu_count;
    int rc = reachable(pid, &within, err);
    for (size_t i = 0; i < count; i++)
        cpumask_add_all(&bound, &slurms[i].mask);
    if (rc == SMAP_OK && cores && cpus_are_missing()) {
        cores = NULL;
        rc = limit_by_masks(topology, request, &bound, &within, err);
    }
    if (rc != SMAP_OK)
        return rc;
    unsigned *cpus = cpumask_cpus(&within, &cpu_count);
    rc = cpus ? smap_topology_restrict(topology, cores, cpus, cpu_count, err) : smap_nomem(err);
    free(cpus);
    if (rc == SMAP_OK && !cpumask_equal(&bound, &within) && !topology_has(topology, &bound, err))
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "Slurm binds tasks to other cores than %s as hwloc numbers them",
                       cores ? cores : "the step's");
    return rc;
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
        rc = smap_topology_shape(topology, SMAP_LEAF_PU, 0, &shape, err);
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
    };
    int rc = smap_topology_task_slots(topology, &wanted, request->cpus_per_task,
                                      request->cpus_per_core, &outcome->slots, err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        places[i] = (struct place){.slot = (uint32_t)i};
        for (size_t c = slots->first[i]; c < slots->first[i + 1]; c++)
            cpumask_add(&places[i].mask, slots->cpus[c] % CPUMASK_MAX);
        places[i].key = first_logical(topology, &places[i].mask);
    }
    return rc == SMAP_OK ? check_limits(topology, request, places, count, err) : rc;
}

static int bind_by_order(struct smap_topology *topology, const struct bind_request *request,
                         const pid_t pids[], const uint32_t seat[], const struct place slurms[],
                         size_t count, struct bind_outcome *outcome, struct smap_error *err)
{
    struct place *places = calloc(count, sizeof(*places));
    outcome->slot = calloc(count, sizeof(*outcome->slot));
    int rc = places && outcome->slot ? confine(topology, request, slurms, count, pids[0], err)
                                     : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = slot_places(request, topology, places, count, outcome, err);
    if (rc == SMAP_OK && !request->walk)
        qsort(places, count, sizeof(*places), by_key);
    if (rc == SMAP_OK)
        rc = apply(places, pids, request->walk ? NULL : seat, count, err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++)
        outcome->slot[i] = places[request->walk ? i : seat[i]].slot;
    free(places);
    if (rc != SMAP_OK)
        bind_outcome_release(outcome);
    return rc;
}

static int hand_round(struct place places[], const pid_t pids[], const uint32_t seat[],
                      size_t count, struct smap_error *err)
{
    bool all_equal = true;
    for (size_t i = 1; i < count; i++)
        all_equal = all_equal && cpumask_equal(&places[i].mask, &places[0].mask);
    if (all_equal)
        return SMAP_OK;
    qsort(places, count, sizeof(*places), by_key);
    return apply(places, pids, seat, count, err);
}

int bind_tasks(struct smap_topology *topology, const struct bind_request *request,
               const pid_t pids[], const uint32_t seat[], size_t count,
               struct bind_outcome *outcome, struct smap_error *err)
{
    struct place *slurms = calloc(count, sizeof(*slurms));
    struct place *sorted = calloc(count, sizeof(*sorted));
    int rc = slurms && sorted ? read_masks(topology, pids, slurms, count, err) : smap_nomem(err);
    if (rc == SMAP_OK) {
        memcpy(sorted, slurms, count * sizeof(*slurms));
        rc = request->order
                 ? bind_by_order(topology, request, pids, seat, slurms, count, outcome, err)
                 : hand_round(sorted, pids, seat, count, err);
        if (rc != SMAP_OK)
            apply(slurms, pids, NULL, count, NULL);
    }
    free(slurms);
    free(sorted);
    return rc;
}

void bind_outcome_release(struct bind_outcome *outcome)
{
    smap_slots_clear(&outcome->slots);
    free(outcome->slot);
    outcome->slot = NULL;
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
        nodes = smap_topology_numa_nodes(topology, cpus, cpu_count, node, cpu_count);
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
