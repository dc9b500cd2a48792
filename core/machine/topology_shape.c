/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of a topology: what hwloc's tree says about each leaf, for shape.c to judge. */
#include <stdio.h>
#include <stdlib.h>

#include "machine/topology_private.h"

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
        if (at == SIZE_MAX || smap_hw_core(t, pu) != t->core[at]) {
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

/* The NUMA node next to a core: the smallest that holds one of its cpus, of equals the first. */
static hwloc_obj_t numa_of(const struct smap_topology *t, hwloc_obj_t core)
{
    const struct smap_hw_cpu *best = NULL;
    unsigned id;
    hwloc_bitmap_foreach_begin(id, core->cpuset)
    {
        const struct smap_hw_cpu *cpu = &t->cpu[id];
        if (!cpu->numa)
            continue;
        if (!best || cpu->numa_size < best->numa_size ||
            (cpu->numa_size == best->numa_size &&
             cpu->numa->logical_index < best->numa->logical_index))
            best = cpu;
    }
    hwloc_bitmap_foreach_end();
    return best ? best->numa : NULL;
}

static int add_numa(const struct smap_topology *t, struct smap_shape *shape, hwloc_obj_t *core,
                    uint32_t *label, struct smap_error *err)
{
    for (size_t i = 0; i < shape->leaves; i++) {
        bool same = i > 0 && core[i] == core[i - 1];
        hwloc_obj_t node = same ? NULL : numa_of(t, core[i]);
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
