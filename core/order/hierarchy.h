/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchies of compute resources: [[node:16, socket:2, core:8]], outermost level first, and
 * Algorithm 1 of Swartvagher et al., "Using Mixed-Radix Decomposition to Enumerate Computational
 * Resources of Deeply Hierarchical Architectures" (SC-W 2023), here called "the paper".
 * A hierarchy is plain data without pointers: copy it, put it on the stack, nothing to free. */
#ifndef SMAP_HIERARCHY_H
#define SMAP_HIERARCHY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SMAP_LEVELS_MAX = 16,
    SMAP_NAME_SIZE = 16, /* with the terminating zero */
    SMAP_ALIASES_MAX = 8,
};

/* Names are lower case and canonical (smap_level_canonical). */
struct smap_level {
    char name[SMAP_NAME_SIZE]; /* "" in a hierarchy of bare numbers */
    uint64_t arity;            /* how many of these one object of the level outside holds, >= 1 */
    /* All names of the level, outermost first and `name` among them, where several kinds of
     * objects coincide on a machine (a NUMA node that is one L3: "numa", "l3"). alias_count 0 means
     * `name` alone. */
    size_t alias_count;
    char alias[SMAP_ALIASES_MAX][SMAP_NAME_SIZE];
};

struct smap_hierarchy {
    size_t count;
    /* This many leading levels count nodes (and racks, ... outside of them); the others lie inside
     * one node. 0 for the hierarchy of one node. */
    size_t node_levels;
    struct smap_level level[SMAP_LEVELS_MAX];
    /* Kinds of which the node has exactly one ("socket" on a one-socket machine): no level, but
     * not a mistake in an order either. */
    size_t trivial_count;
    char trivial[SMAP_ALIASES_MAX][SMAP_NAME_SIZE];
};

/* The canonical word for a level: "package" -> "socket", "L3Cache" and "ccx" -> "l3", "thread" and
 * "hwthread" -> "pu", ... Other well-formed names are only put in lower case. False if
 * text[0..length) is no name: a letter, then letters, digits and '_', at most SMAP_NAME_SIZE - 1 in
 * all. */
bool smap_level_canonical(char name[SMAP_NAME_SIZE], const char *text, size_t length);

/* True for the kinds of objects that machines have: node, those below, group2, group3, ... */
bool smap_level_is_known(const char *name);

/* The kinds inside a node, for texts: "socket, die, numa, ..."; owned by the caller, NULL without
 * memory. */
char *smap_level_kinds(void);

/* True for fake, fake1, fake2, ...: levels of the user's own making. */
bool smap_level_is_fake(const char *name);

/* True if the level goes by this canonical name or alias. */
bool smap_level_has_name(const struct smap_level *level, const char *name);

/* Reads H: "16,2,2,8" or "node:16,socket:2,fake:2,core:8", all levels named or none; arities
 * from 1. Names inside a node must be known ones or fake, fake1, fake2, ... (a level of the user's
 * own making); in front of "node" any name goes (rack:2,node:8,core:4). A name may appear once,
 * except "fake". node_levels becomes the number of levels up to "node", 0 without one: a hierarchy
 * of bare numbers does not say whether it begins with nodes, the caller may know and set it.
 * Refused with a text that begins "--rank-hierarchy=...": no or garbled levels, arity 0, more than
 * SMAP_LEVELS_MAX, a product above 2^64 - 1. */
int smap_hierarchy_parse(struct smap_hierarchy *hierarchy, const char *text,
                         struct smap_error *err);

/* Puts a level of so many nodes in front; it is called "node" unless the others have no names. */
int smap_hierarchy_add_nodes(struct smap_hierarchy *hierarchy, uint64_t nodes,
                             struct smap_error *err);

/* Bare numbers do not say whether the first of them count nodes. Sets node_levels to the fewest
 * leading levels that fit what is known: that they multiply to `nodes` (0: nobody knows; then no
 * level is possible too), and that the others, one at least, multiply to `least` to `most` leaves
 * in a node. False, with nothing changed: none fit, the levels have names, or node_levels is set
 * already. */
bool smap_hierarchy_split(struct smap_hierarchy *hierarchy, uint64_t nodes, uint64_t least,
                          uint64_t most);

/* The hierarchy of one node: without the leading node levels. */
struct smap_hierarchy smap_hierarchy_inside_node(const struct smap_hierarchy *hierarchy);

/* "node:16,socket:2,core:8" or "16,2,8": smap_hierarchy_parse reads it back. NULL without memory;
 * the caller frees. */
char *smap_hierarchy_format(const struct smap_hierarchy *hierarchy);

/* Number of leaves (cores). The functions above make sure that it fits. */
uint64_t smap_hierarchy_product(const struct smap_hierarchy *hierarchy);

/* The level that goes by a canonical name (or alias); SIZE_MAX if none does. */
size_t smap_hierarchy_find(const struct smap_hierarchy *hierarchy, const char *name);

/* Algorithm 1: the coordinates of leaf `rank` < product, one per level, outermost first. */
void smap_hierarchy_coordinates(uint64_t *coordinate, const struct smap_hierarchy *hierarchy,
                                uint64_t rank);

#endif
