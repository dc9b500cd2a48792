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
    hwloc_obj_t *core;                 /* of each leaf */
    uint32_t *label;                   /* room for one number a leaf */
    const struct smap_gpu_level *gpus; /* NULL: no such level */
    uint32_t *gpu;                     /* then: of each leaf */
};

/* Has an object of the kind in s->label leaves of several GPUs? */
static bool has_several_gpus(const struct survey *s)
{
    for (size_t i = 1; i < s->shape->leaves; i++)
        if (s->label[i] != SMAP_NO_OBJECT && s->gpu[i] != s->gpu[i - 1] &&
            s->label[i] == s->label[i - 1])
            return true;
    return false;
}

/* Offers the kind in s->label, unless it would only stand in the way of GPUs. */
static int offer(const struct survey *s, const char *name, uint32_t labels, struct smap_error *err)
{
    if (s->gpus && has_several_gpus(s) && !s->gpus->named(s->gpus->context, name))
        return SMAP_OK;
    return smap_shape_add(s->shape, name, s->label, labels, err);
}

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
    return offer(s, name, hwloc_get_nbobjs_by_depth(hw, depth), err);
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
    return offer(s, "numa", nodes > 0 ? (uint32_t)nodes : 0, err);
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

/* Leaf i goes to place, with all that is known of it. */
struct moved {
    struct smap_shape_leaf leaf;
    hwloc_obj_t core;
    uint32_t gpu;
    size_t from;
};

static int by_gpu(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Finds the GPU of each leaf and puts the leaves in the order of these: objects are numbered as the
 * leaves meet them. */
static int sort_by_gpus(const struct survey *s, struct smap_error *err)
{
    const struct smap_topology *t = s->topology;
    struct smap_shape *shape = s->shape;
    uint32_t *of_core = calloc(t->cores, sizeof(*of_core));
    struct moved *moved = calloc(shape->leaves, sizeof(*moved));
    int rc = of_core && moved ? smap_hw_gpus_of_cores(of_core, t, err) : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < shape->leaves; i++)
        moved[i] = (struct moved){shape->leaf[i], s->core[i], of_core[shape->leaf[i].core], i};
    if (rc == SMAP_OK)
        qsort(moved, shape->leaves, sizeof(*moved), by_gpu);
    for (size_t i = 0; rc == SMAP_OK && i < shape->leaves; i++) {
        shape->leaf[i] = moved[i].leaf;
        s->core[i] = moved[i].core;
        s->gpu[i] = moved[i].gpu;
    }
    free(of_core);
    free(moved);
    return rc;
}

int smap_topology_shape_gpus(struct smap_shape *shape, const struct smap_topology *topology,
                             enum smap_leaf leaf, size_t threads, const struct smap_gpu_level *gpus,
                             struct smap_error *err)
{
    size_t cpus = smap_topology_cpu_count(topology);
    const struct survey survey = {topology,
                                  shape,
                                  calloc(cpus, sizeof(hwloc_obj_t)),
                                  calloc(cpus, sizeof(uint32_t)),
                                  gpus,
                                  calloc(cpus, sizeof(uint32_t))};
    int rc = smap_shape_init(shape, cpus, cpus, err);
    if (rc == SMAP_OK && (!survey.core || !survey.label || !survey.gpu))
        rc = smap_nomem(err);
    if (rc == SMAP_OK) {
        collect_leaves(topology, leaf, threads, shape, survey.core);
        rc = gpus ? sort_by_gpus(&survey, err) : SMAP_OK;
    }
    if (rc == SMAP_OK && gpus)
        rc = smap_shape_add(shape, "gpu", survey.gpu, SMAP_GPUS_MAX, err);
    if (rc == SMAP_OK)
        rc = add_levels(&survey, leaf, err);
    if (rc == SMAP_OK)
        rc = smap_shape_settle(shape, err);
    free(survey.core);
    free(survey.label);
    free(survey.gpu);
    return rc;
}

int smap_topology_shape(struct smap_shape *shape, const struct smap_topology *topology,
                        enum smap_leaf leaf, size_t threads, struct smap_error *err)
{
    return smap_topology_shape_gpus(shape, topology, leaf, threads, NULL, err);
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
