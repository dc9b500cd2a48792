/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

struct smap_topology {
    hwloc_topology_t hw;
    hwloc_bitmap_t allowed;
    size_t cores; /* of the whole machine, in logical order */
    hwloc_obj_t *core;
};

/* The core of a PU; the PU itself where hwloc knows no core. */
static hwloc_obj_t core_of(const struct smap_topology *t, hwloc_obj_t pu)
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
        hwloc_obj_t core = core_of(t, hwloc_get_obj_by_type(t->hw, HWLOC_OBJ_PU, (unsigned)i));
        if (t->cores == 0 || t->core[t->cores - 1] != core)
            t->core[t->cores++] = core;
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
    return collect_cores(t, err);
}

int smap_topology_load(struct smap_topology **topology, const struct smap_topology_source *source,
                       struct smap_error *err)
{
    struct smap_topology *t = calloc(1, sizeof(*t));
    if (!t)
        return smap_nomem(err);
    int rc = load(t, source, err);
    if (rc)
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

void smap_topology_threads(const struct smap_topology *topology, size_t *smallest, size_t *largest)
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

/* The NUMA node next to some cpus: the smallest that holds one of them, of equals the first. GPU
 * memory that the kernel shows as a node is nobody's main memory. */
static hwloc_obj_t numa_of(const struct smap_topology *t, hwloc_const_bitmap_t cpus)
{
    hwloc_obj_t best = NULL;
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_NUMANODE, node))) {
        if (node->subtype && strcmp(node->subtype, "GPUMemory") == 0)
            continue;
        if (hwloc_bitmap_intersects(node->cpuset, cpus) &&
            (!best || hwloc_bitmap_weight(node->cpuset) < hwloc_bitmap_weight(best->cpuset)))
            best = node;
    }
    return best;
}

size_t smap_topology_logical(const struct smap_topology *topology, unsigned cpu)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hw, cpu);
    return pu ? pu->logical_index : SIZE_MAX;
}

size_t smap_topology_numa_nodes(const struct smap_topology *topology, const unsigned *cpus,
                                size_t cpu_count, unsigned *nodes, size_t capacity)
{
    size_t count = 0;
    unsigned id;
    hwloc_bitmap_t found = hwloc_bitmap_alloc();
    if (!found)
        return 0;
    for (size_t i = 0; i < cpu_count; i++) {
        hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hw, cpus[i]);
        hwloc_obj_t node = pu ? numa_of(topology, pu->cpuset) : NULL;
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

/* Fills in the leaves and their cpus; core[i] is the hwloc core of leaf i. */
static void collect_leaves(const struct smap_topology *t, enum smap_leaf kind, size_t threads,
                           struct smap_shape *shape, hwloc_obj_t *core)
{
    size_t at = SIZE_MAX; /* core number */
    size_t used = 0;      /* PUs of this core so far */
    size_t leaves = 0;
    size_t cpus = 0;
    int pus = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_PU);
    for (int i = 0; i < pus; i++) {
        hwloc_obj_t pu = hwloc_get_obj_by_type(t->hw, HWLOC_OBJ_PU, (unsigned)i);
        if (at == SIZE_MAX || core_of(t, pu) != t->core[at]) {
            at++;
            used = 0;
        }
        if (!hwloc_bitmap_isset(t->allowed, pu->os_index) || (threads > 0 && used == threads))
            continue;
        if (used == 0 || kind == SMAP_LEAF_PU) {
            core[leaves] = t->core[at];
            shape->leaf[leaves++] = (struct smap_shape_leaf){(unsigned)at, cpus, 0};
        }
        shape->leaf[leaves - 1].count++;
        shape->cpus[cpus++] = pu->os_index;
        used++;
    }
    shape->leaves = leaves;
    shape->leaf_name = kind == SMAP_LEAF_PU ? "pu" : "core";
}

/* Offers the objects at one depth of the tree as a level. */
static int add_depth(const struct smap_topology *t, struct smap_shape *shape, const char *name,
                     int depth, hwloc_obj_t *core, uint32_t *label, struct smap_error *err)
{
    for (size_t i = 0; i < shape->leaves; i++) {
        hwloc_obj_t object = hwloc_get_ancestor_obj_by_depth(t->hw, depth, core[i]);
        /* hwloc answers with the next object above where this branch of the tree skips the depth.
         */
        bool there = object && object->depth == depth;
        label[i] = there ? object->logical_index : SMAP_NO_OBJECT;
    }
    return smap_shape_add(shape, name, label, hwloc_get_nbobjs_by_depth(t->hw, depth), err);
}

static int add_type(const struct smap_topology *t, struct smap_shape *shape, const char *name,
                    hwloc_obj_type_t type, hwloc_obj_t *core, uint32_t *label,
                    struct smap_error *err)
{
    int depth = hwloc_get_type_depth(t->hw, type);
    return depth < 0 ? SMAP_OK : add_depth(t, shape, name, depth, core, label, err);
}

/* Groups are what hwloc has no better name for; there may be several depths of them. */
static int add_groups(const struct smap_topology *t, struct smap_shape *shape, hwloc_obj_t *core,
                      uint32_t *label, struct smap_error *err)
{
    enum { MOST = SMAP_MAX_LEVELS - 8 }; /* leaves room for the other kinds */
    int groups = 0;
    int rc = SMAP_OK;
    for (int d = 0; !rc && d < hwloc_topology_get_depth(t->hw) && groups < MOST; d++) {
        char name[SMAP_NAME_SIZE] = "group";
        if (hwloc_get_depth_type(t->hw, d) != HWLOC_OBJ_GROUP)
            continue;
        if (++groups > 1)
            snprintf(name, sizeof(name), "group%d", groups);
        rc = add_depth(t, shape, name, d, core, label, err);
    }
    return rc;
}

static int add_numa(const struct smap_topology *t, struct smap_shape *shape, hwloc_obj_t *core,
                    uint32_t *label, struct smap_error *err)
{
    for (size_t i = 0; i < shape->leaves; i++) {
        bool same = i > 0 && core[i] == core[i - 1];
        hwloc_obj_t node = same ? NULL : numa_of(t, core[i]->cpuset);
        label[i] = same ? label[i - 1] : node ? node->logical_index : SMAP_NO_OBJECT;
    }
    int nodes = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_NUMANODE);
    return smap_shape_add(shape, "numa", label, nodes > 0 ? (uint32_t)nodes : 0, err);
}

static int add_leaves(struct smap_shape *shape, enum smap_leaf kind, uint32_t *label,
                      struct smap_error *err)
{
    uint32_t cores = 0;
    for (size_t i = 0; i < shape->leaves; i++) {
        cores += i > 0 && shape->leaf[i].core != shape->leaf[i - 1].core;
        label[i] = cores;
    }
    int rc = smap_shape_add(shape, "core", label, cores + 1, err);
    if (rc || kind != SMAP_LEAF_PU)
        return rc;
    for (size_t i = 0; i < shape->leaves; i++)
        label[i] = (uint32_t)i;
    return smap_shape_add(shape, "pu", label, (uint32_t)shape->leaves, err);
}

int smap_topology_shape(const struct smap_topology *topology, enum smap_leaf leaf, size_t threads,
                        struct smap_shape *shape, struct smap_error *err)
{
    const struct smap_topology *t = topology;
    size_t cpus = smap_topology_cpu_count(t);
    hwloc_obj_t *core = calloc(cpus, sizeof(hwloc_obj_t));
    uint32_t *label = calloc(cpus, sizeof(*label));
    int rc = smap_shape_init(shape, cpus, cpus, err);
    if (!rc && (!core || !label))
        rc = smap_nomem(err);
    if (!rc) {
        collect_leaves(t, leaf, threads, shape, core);
        rc = add_type(t, shape, "socket", HWLOC_OBJ_PACKAGE, core, label, err);
    }
    if (!rc)
        rc = add_type(t, shape, "die", HWLOC_OBJ_DIE, core, label, err);
    if (!rc)
        rc = add_groups(t, shape, core, label, err);
    if (!rc)
        rc = add_numa(t, shape, core, label, err);
    if (!rc)
        rc = add_type(t, shape, "l3", HWLOC_OBJ_L3CACHE, core, label, err);
    if (!rc)
        rc = add_type(t, shape, "l2", HWLOC_OBJ_L2CACHE, core, label, err);
    if (!rc)
        rc = add_leaves(shape, leaf, label, err);
    if (!rc)
        rc = smap_shape_settle(shape, err);
    free(core);
    free(label);
    return rc;
}

char *smap_topology_text(const struct smap_topology *topology, enum smap_leaf leaf)
{
    struct smap_shape shape = {0};
    char *text = NULL;
    if (!smap_topology_shape(topology, leaf, 0, &shape, NULL))
        text = smap_shape_text(&shape, " ");
    smap_shape_clear(&shape);
    return text;
}

bool smap_topology_is_regular(const struct smap_topology *topology, enum smap_leaf leaf)
{
    struct smap_hierarchy hierarchy;
    bool regular;
    return !smap_topology_hierarchy(topology, leaf, &hierarchy, &regular, NULL) && regular;
}

int smap_topology_hierarchy(const struct smap_topology *topology, enum smap_leaf leaf,
                            struct smap_hierarchy *hierarchy, bool *regular, struct smap_error *err)
{
    struct smap_shape shape = {0};
    int rc = smap_topology_shape(topology, leaf, 0, &shape, err);
    if (!rc) {
        *hierarchy = smap_shape_hierarchy(&shape);
        if (regular)
            *regular = smap_shape_is_regular(&shape);
    }
    smap_shape_clear(&shape);
    return rc;
}
