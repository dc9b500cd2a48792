/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/topology.h"

#include <hwloc.h>

#include "base/text.h"
#include "machine/topology_private.h"

/* Adds the cpus of the cores in "0-1,4" to set; numbers beyond the machine are no error. */
static bool scan_cores(const struct smap_topology *t, const char *cursor, hwloc_bitmap_t set)
{
    do {
        uint64_t first;
        uint64_t last;
        if (!smap_scan_uint(&cursor, UINT32_MAX, &first))
            return false;
        last = first;
        if (smap_scan_char(&cursor, '-') &&
            (!smap_scan_uint(&cursor, UINT32_MAX, &last) || last < first))
            return false;
        for (uint64_t i = first; i <= last && i < t->cores; i++)
            hwloc_bitmap_or(set, set, t->core[i]->cpuset);
    } while (smap_scan_char(&cursor, ','));
    return *cursor == '\0';
}

int smap_topology_restrict(struct smap_topology *topology, const char *cores, const unsigned *cpus,
                           size_t cpu_count, struct smap_error *err)
{
    int rc = SMAP_OK;
    hwloc_bitmap_t left = hwloc_bitmap_dup(topology->allowed);
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    bool garbled = false;
    if (!left || !set) {
        rc = smap_nomem(err);
        goto out;
    }
    if (cores) {
        garbled = !scan_cores(topology, cores, set);
        hwloc_bitmap_and(left, left, set);
    }
    if (cpus) {
        hwloc_bitmap_zero(set);
        /* The machine's ids bound the bitmap: a wild id must not make it huge. */
        int last = hwloc_bitmap_last(topology->allowed);
        for (size_t i = 0; i < cpu_count; i++)
            if (last < 0 || cpus[i] <= (unsigned)last)
                hwloc_bitmap_set(set, cpus[i]);
        hwloc_bitmap_and(left, left, set);
    }
    if (garbled) {
        rc = smap_fail(err, SMAP_EINVAL, "core list '%s': not of the form 0-1,4", cores);
    } else if (hwloc_bitmap_iszero(left)) {
        char allowed[128];
        hwloc_bitmap_list_snprintf(allowed, sizeof(allowed), topology->allowed);
        rc = smap_fail(err, SMAP_EINVAL,
                       "none of the step's cpus is here (cores %s%s); there are %s",
                       cores ? cores : "all", cpus ? ", with an affinity mask" : "", allowed);
    } else {
        hwloc_bitmap_copy(topology->allowed, left);
    }
out:
    hwloc_bitmap_free(left);
    hwloc_bitmap_free(set);
    return rc;
}

/* Allowed PUs of a core. */
static size_t threads_of(const struct smap_topology *t, hwloc_obj_t core)
{
    size_t threads = 0;
    unsigned cpu;
    hwloc_bitmap_foreach_begin(cpu, core->cpuset)
    {
        threads += hwloc_bitmap_isset(t->allowed, cpu) ? 1 : 0;
    }
    hwloc_bitmap_foreach_end();
    return threads;
}

size_t smap_topology_core_count(const struct smap_topology *topology)
{
    size_t count = 0;
    for (size_t i = 0; i < topology->cores; i++)
        count += hwloc_bitmap_intersects(topology->core[i]->cpuset, topology->allowed) ? 1 : 0;
    return count;
}

bool smap_topology_has_cores(const struct smap_topology *topology)
{
    return topology->core[0]->type == HWLOC_OBJ_CORE;
}

size_t smap_topology_cpu_count(const struct smap_topology *topology)
{
    return (size_t)hwloc_bitmap_weight(topology->allowed);
}

void smap_topology_threads(size_t *smallest, size_t *largest, const struct smap_topology *topology)
{
    *smallest = SIZE_MAX;
    *largest = 0;
    for (size_t i = 0; i < topology->cores; i++) {
        size_t threads = threads_of(topology, topology->core[i]);
        if (threads > 0 && threads < *smallest)
            *smallest = threads;
        if (threads > *largest)
            *largest = threads;
    }
}

size_t smap_topology_logical(const struct smap_topology *topology, unsigned cpu)
{
    hwloc_obj_t pu = cpu < topology->cpus ? topology->cpu[cpu].pu : NULL;
    return pu ? pu->logical_index : SIZE_MAX;
}

size_t smap_topology_numa_nodes(unsigned *nodes, size_t capacity,
                                const struct smap_topology *topology, const unsigned *cpus,
                                size_t cpu_count)
{
    size_t count = 0;
    unsigned id;
    hwloc_bitmap_t found = hwloc_bitmap_alloc();
    if (!found)
        return 0;
    for (size_t i = 0; i < cpu_count; i++) {
        hwloc_obj_t node = cpus[i] < topology->cpus ? topology->cpu[cpus[i]].numa : NULL;
        if (node)
            hwloc_bitmap_set(found, node->os_index);
    }
    hwloc_bitmap_foreach_begin(id, found)
    {
        if (count < capacity)
            nodes[count] = id;
        count++;
    }
    hwloc_bitmap_foreach_end();
    hwloc_bitmap_free(found);
    return count;
}
