/* SPDX-License-Identifier: BSD-3-Clause */
/* What the makers of slots share: from levels and an order to the list. */
#ifndef SMAP_SLOTS_PRIVATE_H
#define SMAP_SLOTS_PRIVATE_H

#include "machine/slots.h"

/* A request, understood: what is walked through, and how. */
struct smap_slot_walk {
    struct smap_shape shape;
    struct smap_hierarchy full; /* with the node levels in front */
    struct smap_order order;    /* of full */
};

/* Puts a node level in front where there is none, and reads the request's order for the levels. */
int smap_slot_walk_order(struct smap_slot_walk *walk, const struct smap_slot_request *request,
                         struct smap_error *err);

/* The slots that the request wants of that walk, which is changed: its leaves are the slots then.
 */
int smap_slot_walk_fill(struct smap_slots *slots, struct smap_slot_walk *walk,
                        const struct smap_slot_request *request, struct smap_error *err);

#endif
