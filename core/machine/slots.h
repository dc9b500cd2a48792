/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of slots (cores to bind tasks to) of one node in a given order.
 *
 * Enumeration. The coordinates of a leaf are its index among its allowed siblings at each level.
 * Slots are sorted by these coordinates, the order's slowest level first; levels that the order has
 * joined have one coordinate together. On a regular machine that is exactly Algorithm 3 of the
 * mixed-radix paper; on a ragged one every allowed leaf still comes exactly once, and a smaller
 * object just drops out of the round earlier. */
#ifndef SMAP_SLOTS_H
#define SMAP_SLOTS_H

#include "machine/topology.h"

struct smap_slot_request {
    const char *order;         /* ORDER, see order_parse.h; NULL or "": the natural order */
    const char *hierarchy;     /* H, see hierarchy.h; NULL or "": the detected levels */
    uint64_t nodes;            /* of the step, to check H's node level against; 0: not known */
    uint64_t count;            /* slots wanted; 0: all there are */
    uint64_t per_task;         /* leaves per slot, see smap_topology_slots; 0 means 1 */
    uint64_t cpus_per_task;    /* as the user said it: for texts here, see slots_tasks.h; 0: 1 */
    uint64_t cpus_per_core;    /* as a scheduler counts, for slots_tasks.h; 0: not known */
    uint64_t tasks_per_socket; /* no more slots in a socket; 0: no limit */
    uint64_t threads_per_core; /* use only the first so many PUs of each core; 0: all allowed */
    enum smap_leaf leaf;
    bool strict; /* refuse ragged machines, and leaves left over by per_task */
};

/* The full hierarchy and order that a request means here. The hierarchy begins with the node levels
 * of H, else with a node level of arity `nodes` (1 if not known). H of bare numbers may begin with
 * levels that multiply to the number of nodes. Level numbers in ORDER count either all these levels
 * or, when there are fewer, the levels inside the node. H is checked against the machine: known
 * levels must be there in that number, fake and nameless ones may split or join them but not cross
 * a border, and the product must be the number of leaves. */
int smap_topology_resolve(struct smap_hierarchy *hierarchy, struct smap_order *order,
                          const struct smap_topology *topology,
                          const struct smap_slot_request *request, struct smap_error *err);

/* Slots in enumeration order. Slot i owns cpus[first[i]] .. cpus[first[i+1]-1], ascending OS ids.
 */
struct smap_slots {
    size_t count;
    size_t *first;         /* count + 1 */
    unsigned *cpus;        /* OS ids; no id twice */
    unsigned *core;        /* count: logical number (whole machine) of the slot's first core */
    uint32_t *gpu;         /* count: the nearest GPU; NULL unless a level "gpu" was named */
    size_t levels;         /* inside the node, outermost first */
    uint32_t *coordinates; /* count * levels */
    char *shape;           /* the levels walked through: "socket:2 core:8" */
    /* The same with the node levels in front; arities are the largest ones. */
    struct smap_hierarchy hierarchy;
    bool ragged;
    bool membind; /* the order text asked for it */
};

/* Inside one node: node levels of the request are checked and left out.
 * per_task = c > 1: the c leaves of a slot are neighbours in logical order and lie in one object of
 * a level: of the innermost level at which as many such blocks fit as slots are wanted. That is one
 * L3 if there is room, else one NUMA node, and so on up to the node (count 0: where any fits).
 * Leaves left over in an object stay idle (strict: refused). The level "block" takes the place of
 * the levels inside the object, in the order that of the outermost of them. Where c divides the
 * last arity this is Algorithm 3 on the hierarchy with the last arity divided by c. Refused with
 * SMAP_ENOTSUP: more slots wanted than there are, with the number there is. With a limit of tasks
 * per socket later slots take the place of those that are one too many, but where an order was
 * asked for it is refused. */
int smap_topology_slots(struct smap_slots *slots, const struct smap_topology *topology,
                        const struct smap_slot_request *request, struct smap_error *err);

/* The same for a machine that is only told: request->hierarchy, of cores that have one PU each, or
 * those of its level "pu". The cpus are numbers of leaves, from 0. cpus_per_task are leaves;
 * request->leaf and ->per_task are not looked at. At most SMAP_TOLD_LEAVES_MAX leaves in a node. */
enum { SMAP_TOLD_LEAVES_MAX = 1 << 20 };
int smap_told_slots(struct smap_slots *slots, const struct smap_slot_request *request,
                    struct smap_error *err);

/* All leaves of such a machine and its levels, of request->hierarchy, ->nodes, ->count and
 * ->threads_per_core. The caller clears *shape, also after a failure. */
int smap_told_shape(struct smap_shape *shape, const struct smap_slot_request *request,
                    struct smap_error *err);

void smap_slots_clear(struct smap_slots *slots); /* NULL and zeroed ones are fine */

#endif
