/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement launch: srun itself puts every rank on the wanted node, by an arbitrary distribution.
 */
#ifndef STENCILMAP_LAUNCH_H
#define STENCILMAP_LAUNCH_H

#include <stdbool.h>

#include "srun/allocation.h"

/* Sets srun's options so that rank r runs on node node_of_rank[r] of own->hosts. SMAP_ENOTSUP if
 * this srun does not take them. */
int launch_ask(const struct allocation *own, const uint32_t node_of_rank[], struct smap_error *err);

/* Was a layout asked for? And did every rank of the real step get the node that was? */
bool launch_asked(void);
bool launch_is_as_asked(const struct allocation *real);

/* Puts the user's own --distribution back, for local_user_init. srun reads it once for the step's
 * request, which slurmctld has answered by then, and once more for the launch message, by which
 * slurmstepd binds tasks; so the sockets and cores are chosen as without us, and so is
 * SLURM_DISTRIBUTION, which a nested srun obeys. */
void launch_put_back(void);

void launch_release(void);

#endif
