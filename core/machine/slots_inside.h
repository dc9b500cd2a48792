/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels around the places that tasks have on a real node, as inside.h wants them. */
#ifndef SMAP_SLOTS_INSIDE_H
#define SMAP_SLOTS_INSIDE_H

#include "levels/inside.h"
#include "machine/slots.h"

/* Seat k is the PU with OS id cpu[k]; cpus in logical order (smap_topology_logical), the same one
 * may come several times. All detected levels down to the PU, not settled. */
int smap_topology_inside(struct smap_inside *inside, const struct smap_topology *topology,
                         const unsigned cpu[], uint32_t count, struct smap_error *err);

/* place[i]: where slot i comes in the machine's own order, in which the slots of every object are
 * neighbours. That is the logical order but for GPUs, whose cores may be apart. */
int smap_slots_places(uint32_t place[], const struct smap_slots *slots, struct smap_error *err);

/* Seat k is slot number[k]; slots in the machine's own order. The levels that the slots were walked
 * through, fake ones too, settled. */
int smap_slots_inside(struct smap_inside *inside, const struct smap_slots *slots,
                      const uint32_t number[], uint32_t count, struct smap_error *err);

/* Seat k is slot k: in the slots' order. All levels, with their names, not settled. */
int smap_slots_seats(struct smap_inside *inside, const struct smap_slots *slots,
                     struct smap_error *err);

#endif
