/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots for tasks of several cpus, where a scheduler counts hardware threads as cpus. */
#ifndef SMAP_SLOTS_TASKS_H
#define SMAP_SLOTS_TASKS_H

#include "machine/slots.h"

/* smap_topology_slots with request->per_task and ->leaf worked out from ->cpus_per_task and
 * ->cpus_per_core; what is set there is not looked at. cpus_per_core: as how many cpus the
 * scheduler counts a core, whatever PUs it has now; 0: as many as it has usable PUs. Either way
 * request->threads_per_core at most.
 *
 * A task gets whole cores: cpus_per_task / cpus_per_core, rounded up. Only if these are more than
 * there are, and cores have more than one PU, tasks share cores: each gets cpus_per_task PUs that
 * are neighbours, and the order goes over all cores before it comes to their next PUs.
 * Where ORDER or H names the level "pu", or H multiplies to the number of PUs, it is PUs at once
 * (unless it multiplies to the cores of request->nodes nodes, and these are enough).
 * The refusal is that for whole cores. */
int smap_topology_task_slots(struct smap_slots *slots, const struct smap_topology *topology,
                             const struct smap_slot_request *request, struct smap_error *err);

#endif
