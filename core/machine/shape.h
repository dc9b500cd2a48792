/* SPDX-License-Identifier: BSD-3-Clause */
/* How the leaves (cores or PUs) of one node are divided into sockets, NUMA nodes, ... : found by
 * topology.c, which knows hwloc, and enumerated by slots.c. Nothing here needs a regular machine.
 *
 * A level is a partition of the leaves into objects 0 .. objects-1; every object of a level lies in
 * one object of the level before it. Leaves are in natural order: the leaves of an object are
 * neighbours, and objects are numbered in that order. The last level is the leaves themselves. */
#ifndef SMAP_SHAPE_H
#define SMAP_SHAPE_H

#include "order/hierarchy.h"

#define SMAP_NO_OBJECT UINT32_MAX /* as a label: the leaf is in no object of the kind */

struct smap_shape_leaf {
    unsigned core; /* logical core number on the whole machine */
    size_t first;  /* its cpus: cpus[first] .. cpus[first + count - 1] of the shape */
    size_t count;
};

struct smap_shape_level {
    struct smap_level label; /* name and aliases; arity: the largest, see smap_shape_settle */
    uint32_t objects;
    uint32_t *object; /* of each leaf */
};

struct smap_shape {
    const char *leaf_name; /* "core", "pu": for texts */
    size_t leaves;
    struct smap_shape_leaf *leaf; /* filled in by the maker */
    unsigned *cpus;               /* OS ids */
    size_t count;
    struct smap_shape_level level[SMAP_LEVELS_MAX];
    size_t trivial_count;
    char trivial[SMAP_ALIASES_MAX][SMAP_NAME_SIZE];
    /* Kinds that are there, but do not divide the leaves, and why. */
    size_t refused_count;
    struct smap_shape_refusal {
        char name[SMAP_NAME_SIZE];
        char reason[96];
    } refused[SMAP_LEVELS_MAX];
};

/* Room for leaves and cpus; smap_shape_clear frees, also after a failure and on a zeroed shape. */
int smap_shape_init(struct smap_shape *shape, size_t leaves, size_t cpus, struct smap_error *err);
void smap_shape_clear(struct smap_shape *shape);

/* Offers a kind of objects as a level: label[i] < labels names the object of leaf i, in any
 * numbering, or is SMAP_NO_OBJECT. Beyond the room for levels, ignored. */
int smap_shape_add(struct smap_shape *shape, const char *name, const uint32_t *label,
                   uint32_t labels, struct smap_error *err);

/* After all kinds are added, the leaf kind (each leaf an object) last: nests the levels, merges
 * equal ones, drops those that hold everything or cross others, and puts the leaves in natural
 * order. */
int smap_shape_settle(struct smap_shape *shape, struct smap_error *err);

/* For leaves in natural order: adds one more level inside the others, its arity taken from the
 * objects. */
int smap_shape_append(struct smap_shape *shape, const struct smap_level *label,
                      const uint32_t *object, uint32_t objects, struct smap_error *err);

/* Why this kind is no level; NULL if that is not so. */
const char *smap_shape_refusal(const struct smap_shape *shape, const char *name);

/* "socket:2, core:9+8" with the separator ", "; NULL without memory; the caller frees. */
char *smap_shape_text(const struct smap_shape *shape, const char *separator);

bool smap_shape_is_regular(const struct smap_shape *shape);

/* Names, aliases and largest arities. */
struct smap_hierarchy smap_shape_hierarchy(const struct smap_shape *shape);

/* The members of each object of level i-1 (of the node for i = 0) at level i:
 * members[0 .. parents-1], which the caller frees; NULL without memory. */
uint32_t *smap_shape_members(size_t *parents, const struct smap_shape *shape, size_t i);

#endif
