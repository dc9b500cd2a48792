/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement launch: srun itself puts every rank on the wanted node, by an arbitrary distribution.
 */
#ifndef STENCILMAP_LAUNCH_H
#define STENCILMAP_LAUNCH_H

#include <stdbool.h>

#include "srun/allocation.h"

/* The layout that srun was asked for. Starts as {0}. */
struct launch {
    bool asked;
    uint32_t tasks;
    char *hosts;        /* the node name of every rank, comma separated */
    char *distribution; /* what --distribution would be without us */
};

/* Sets srun's options so that rank r runs on node node_of_rank[r] of own->hosts. SMAP_ENOTSUP if
 * this srun does not take them. */
int launch_ask(struct launch *launch, const struct allocation *own, const uint32_t node_of_rank[],
               struct smap_error *err);

/* Did every rank of the real step get the node that was asked for? */
bool launch_is_as_asked(const struct launch *launch, const struct allocation *real);

/* Puts the user's own --distribution back, for local_user_init. srun reads it once for the step's
 * request, which slurmctld has answered by then, and once more for the launch message, by which
 * slurmstepd binds tasks; so the sockets and cores are chosen as without us, and so is
 * SLURM_DISTRIBUTION, which a nested srun obeys. */
void launch_put_back(const struct launch *launch);

void launch_clear(struct launch *launch);

#endif
