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

/* SLURM_DISTRIBUTION as tasks would see it without us: srun's own choice, as a user's would have
 * kept us from asking. NULL if nothing was asked for. */
const char *launch_distribution_without(void);

void launch_release(void);

#endif
