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

/* What the levels of a shape are found with. */
struct survey {
    const struct smap_topology *topology;
    struct smap_shape *shape;
    hwloc_obj_t *core; /* of each leaf */
    uint32_t *label;   /* room for one number a leaf */
};

/* Offers the objects at one depth of the tree as a level. */
static int add_depth(const struct survey *s, const char *name, int depth, struct smap_error *err)
{
    hwloc_topology_t hw = s->topology->hw;
    for (size_t i = 0; i < s->shape->leaves; i++) {
        hwloc_obj_t object = hwloc_get_ancestor_obj_by_depth(hw, depth, s->core[i]);
        /* hwloc answers with the next object above where this branch of the tree skips the depth.
         */
        bool there = object && object->depth == depth;
        s->label[i] = there ? object->logical_index : SMAP_NO_OBJECT;
    }
    return smap_shape_add(s->shape, name, s->label, hwloc_get_nbobjs_by_depth(hw, depth), err);
}

static int add_type(const struct survey *s, const char *name, hwloc_obj_type_t type,
                    struct smap_error *err)
{
    int depth = hwloc_get_type_depth(s->topology->hw, type);
    return depth < 0 ? SMAP_OK : add_depth(s, name, depth, err);
}

/* Groups are what hwloc has no better name for; there may be several depths of them. */
static int add_groups(const struct survey *s, struct smap_error *err)
{
    enum { MOST = SMAP_LEVELS_MAX - 8 }; /* leaves room for the other kinds */
    hwloc_topology_t hw = s->topology->hw;
    int groups = 0;
    int rc = SMAP_OK;
    for (int d = 0; rc == SMAP_OK && d < hwloc_topology_get_depth(hw) && groups < MOST; d++) {
        char name[SMAP_NAME_SIZE] = "group";
        if (hwloc_get_depth_type(hw, d) != HWLOC_OBJ_GROUP)
            continue;
        if (++groups > 1)
            snprintf(name, sizeof(name), "group%d", groups);
        rc = add_depth(s, name, d, err);
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

static int add_numa(const struct survey *s, struct smap_error *err)
{
    for (size_t i = 0; i < s->shape->leaves; i++) {
        bool same = i > 0 && s->core[i] == s->core[i - 1];
        hwloc_obj_t node = same ? NULL : numa_of(s->topology, s->core[i]);
        s->label[i] = same ? s->label[i - 1] : node ? node->logical_index : SMAP_NO_OBJECT;
    }
    int nodes = hwloc_get_nbobjs_by_type(s->topology->hw, HWLOC_OBJ_NUMANODE);
    return smap_shape_add(s->shape, "numa", s->label, nodes > 0 ? (uint32_t)nodes : 0, err);
}

static int add_leaves(const struct survey *s, enum smap_leaf kind, struct smap_error *err)
{
    const struct smap_shape *shape = s->shape;
    uint32_t cores = 0;
    for (size_t i = 0; i < shape->leaves; i++) {
        cores += i > 0 && shape->leaf[i].core != shape->leaf[i - 1].core;
        s->label[i] = cores;
    }
    int rc = smap_shape_add(s->shape, "core", s->label, cores + 1, err);
    if (rc != SMAP_OK || kind != SMAP_LEAF_PU)
        return rc;
    for (size_t i = 0; i < shape->leaves; i++)
        s->label[i] = (uint32_t)i;
    return smap_shape_add(s->shape, "pu", s->label, (uint32_t)shape->leaves, err);
}

/* All kinds, the outer ones first. */
static int add_levels(const struct survey *s, enum smap_leaf kind, struct smap_error *err)
{
    int rc = add_type(s, "socket", HWLOC_OBJ_PACKAGE, err);
    if (rc == SMAP_OK)
        rc = add_type(s, "die", HWLOC_OBJ_DIE, err);
    if (rc == SMAP_OK)
        rc = add_groups(s, err);
    if (rc == SMAP_OK)
        rc = add_numa(s, err);
    if (rc == SMAP_OK)
        rc = add_type(s, "l3", HWLOC_OBJ_L3CACHE, err);
    if (rc == SMAP_OK)
        rc = add_type(s, "l2", HWLOC_OBJ_L2CACHE, err);
    return rc == SMAP_OK ? add_leaves(s, kind, err) : rc;
}

int smap_topology_shape(struct smap_shape *shape, const struct smap_topology *topology,
                        enum smap_leaf leaf, size_t threads, struct smap_error *err)
{
    size_t cpus = smap_topology_cpu_count(topology);
    hwloc_obj_t *core = calloc(cpus, sizeof(hwloc_obj_t));
    uint32_t *label = calloc(cpus, sizeof(*label));
    const struct survey survey = {topology, shape, core, label};
    int rc = smap_shape_init(shape, cpus, cpus, err);
    if (rc == SMAP_OK && (!core || !label))
        rc = smap_nomem(err);
    if (rc == SMAP_OK) {
        collect_leaves(topology, leaf, threads, shape, core);
        rc = add_levels(&survey, leaf, err);
    }
    if (rc == SMAP_OK)
        rc = smap_shape_settle(shape, err);
    free(core);
    free(label);
    return rc;
}

char *smap_topology_text(const struct smap_topology *topology, enum smap_leaf leaf)
{
    struct smap_shape shape = {0};
    char *text = NULL;
    if (smap_topology_shape(&shape, topology, leaf, 0, NULL) == SMAP_OK)
        text = smap_shape_text(&shape, " ");
    smap_shape_clear(&shape);
    return text;
}

bool smap_topology_is_regular(const struct smap_topology *topology, enum smap_leaf leaf)
{
    struct smap_hierarchy hierarchy;
    bool regular;
    int rc = smap_topology_hierarchy(&hierarchy, &regular, topology, leaf, NULL);
    return rc == SMAP_OK && regular;
}

int smap_topology_hierarchy(struct smap_hierarchy *hierarchy, bool *regular,
                            const struct smap_topology *topology, enum smap_leaf leaf,
                            struct smap_error *err)
{
    struct smap_shape shape = {0};
    int rc = smap_topology_shape(&shape, topology, leaf, 0, err);
    if (rc == SMAP_OK) {
        *hierarchy = smap_shape_hierarchy(&shape);
        if (regular)
            *regular = smap_shape_is_regular(&shape);
    }
    smap_shape_clear(&shape);
    return rc;
}
