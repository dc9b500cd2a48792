/* SPDX-License-Identifier: BSD-3-Clause */
/* The seats of a node: each is a place for one task with the cpus that belong to it, and in machine
 * order they are numbered as inside.h wants them. */
#ifndef STENCILMAP_SEATS_H
#define STENCILMAP_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine/slots.h"
#include "machine/slots_inside.h"
#include "stepd/cpumask.h"

struct seat {
    struct cpumask mask;
    size_t key;     /* by this seats come in machine order: of a mask its first cpu's logical
                     * number, of a slot its place */
    unsigned cpu;   /* that cpu */
    uint32_t slot;  /* which slot of the order it is, where there is an order */
    uint32_t owner; /* the process that Slurm gave the mask to, where it did */
};

/* The seats of count processes as they are bound now, in order of the processes. */
int seats_read(struct seat seats[], const struct smap_topology *topology, const pid_t pids[],
               size_t count, struct smap_error *err);

/* The first count slots of an order, as the order walks. */
int seats_from_slots(struct seat seats[], const struct smap_topology *topology,
                     const struct smap_slots *slots, size_t count, struct smap_error *err);

void seats_sort(struct seat seats[], size_t count); /* into machine order */

bool seats_are_equal(const struct seat seats[], size_t count); /* one mask for all */

/* Binds process i to seat seat_of[i]; NULL: to seat i. */
int seats_take(const struct seat seats[], const uint32_t seat_of[], const pid_t pids[],
               size_t count, struct smap_error *err);

/* The levels around seats in machine order: those of the machine, or (slots not NULL) those that
 * the slots were walked through. The caller clears *inside, also after a failure. */
int seats_inside(struct smap_inside *inside, const struct smap_topology *topology,
                 const struct smap_slots *slots, const struct seat seats[], size_t count,
                 struct smap_error *err);

/* How many seats the fullest object of a level has, "core" or "socket"; all of them if the machine
 * has no such level. */
int seats_fullest(uint32_t *most, const struct smap_shape *shape, const char *level,
                  const struct seat seats[], uint32_t count, struct smap_error *err);

#endif
