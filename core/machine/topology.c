/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/topology_private.h"

hwloc_obj_t smap_hw_core(const struct smap_topology *t, hwloc_obj_t pu)
{
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(t->hw, HWLOC_OBJ_CORE, pu);
    return core ? core : pu;
}

static int collect_cores(struct smap_topology *t, struct smap_error *err)
{
    int pus = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_PU);
    if (pus <= 0)
        return smap_fail(err, SMAP_EINVAL, "no cpus in the topology");
    t->core = calloc((size_t)pus, sizeof(*t->core));
    if (!t->core)
        return smap_nomem(err);
    for (int i = 0; i < pus; i++) {
        hwloc_obj_t core = smap_hw_core(t, hwloc_get_obj_by_type(t->hw, HWLOC_OBJ_PU, (unsigned)i));
        if (t->cores == 0 || t->core[t->cores - 1] != core)
            t->core[t->cores++] = core;
    }
    return SMAP_OK;
}

/* hwloc looks through all objects for each such question: it is asked once for all. GPU memory that
 * the kernel shows as a NUMA node is nobody's main memory. */
static int collect_cpus(struct smap_topology *t, struct smap_error *err)
{
    hwloc_obj_t pu = NULL;
    hwloc_obj_t node = NULL;
    int last = hwloc_bitmap_last(hwloc_topology_get_topology_cpuset(t->hw));
    t->cpus = last < 0 ? 0 : (size_t)last + 1;
    t->cpu = calloc(t->cpus + 1, sizeof(*t->cpu));
    if (!t->cpu)
        return smap_nomem(err);
    while ((pu = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_PU, pu)))
        if (pu->os_index < t->cpus)
            t->cpu[pu->os_index].pu = pu;
    while ((node = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_NUMANODE, node))) {
        int size = hwloc_bitmap_weight(node->cpuset);
        unsigned id;
        if (node->subtype && strcmp(node->subtype, "GPUMemory") == 0)
            continue;
        hwloc_bitmap_foreach_begin(id, node->cpuset)
        {
            struct smap_hw_cpu *cpu = id < t->cpus ? &t->cpu[id] : NULL;
            if (cpu && (!cpu->numa || size < cpu->numa_size)) {
                cpu->numa = node;
                cpu->numa_size = size;
            }
        }
        hwloc_bitmap_foreach_end();
    }
    return SMAP_OK;
}

static int load(struct smap_topology *t, const struct smap_topology_source *source,
                struct smap_error *err)
{
    if (hwloc_topology_init(&t->hw))
        return smap_nomem(err);
    /* Slurm numbers the cores of the whole machine, so those not allowed must be counted too. */
    hwloc_topology_set_flags(t->hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_set_io_types_filter(t->hw, HWLOC_TYPE_FILTER_KEEP_NONE);
    if (source->xml && hwloc_topology_set_xml(t->hw, source->xml))
        return smap_fail(err, SMAP_ESYS, "topology %s: %s", source->xml, strerror(errno));
    if (source->synthetic && hwloc_topology_set_synthetic(t->hw, source->synthetic))
        return smap_fail(err, SMAP_EINVAL, "topology '%s': not a synthetic description",
                         source->synthetic);
    if (hwloc_topology_load(t->hw))
        return smap_fail(err, SMAP_ESYS, "topology %s: hwloc cannot load it",
                         source->xml         ? source->xml
                         : source->synthetic ? source->synthetic
                                             : "of this machine");
    t->allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t->hw));
    if (!t->allowed)
        return smap_nomem(err);
    hwloc_bitmap_and(t->allowed, t->allowed, hwloc_topology_get_topology_cpuset(t->hw));
    if (hwloc_bitmap_iszero(t->allowed))
        return smap_fail(err, SMAP_EINVAL, "topology: no cpu of it is allowed");
    int rc = collect_cores(t, err);
    return rc != SMAP_OK ? rc : collect_cpus(t, err);
}

int smap_topology_load(struct smap_topology **topology, const struct smap_topology_source *source,
                       struct smap_error *err)
{
    struct smap_topology *t = calloc(1, sizeof(*t));
    if (!t)
        return smap_nomem(err);
    int rc = load(t, source, err);
    if (rc != SMAP_OK)
        smap_topology_destroy(t);
    else
        *topology = t;
    return rc;
}

void smap_topology_destroy(struct smap_topology *topology)
{
    if (!topology)
        return;
    if (topology->hw)
        hwloc_topology_destroy(topology->hw);
    hwloc_bitmap_free(topology->allowed);
    free(topology->core);
    free(topology->cpu);
    free(topology);
}

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
