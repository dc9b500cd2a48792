/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that tasks start with: the MPI helper, so that the MPI_Cart_create of a program
 * that knows nothing of us gives its grid the mapping, and the one that watches what is sent. */
#ifndef STENCILMAP_HELPER_H
#define STENCILMAP_HELPER_H

#include <slurm/spank.h>
#include <stdbool.h>

#include "base/error.h"

/* The MPI helper for a step with a mapping; NULL: none. What the site says of mpi-helper decides,
 * else whether comm was typed; and the library must be here, as it will be on the nodes. */
const char *helper_library(void);

/* --stencil-watch needs its library: SMAP_ENOTSUP if that is not here. */
int helper_check_watch(struct smap_error *err);

/* Tells the nodes which of the two the tasks of this step get, and where the record goes to. */
void helper_hand_over(bool mapped, spank_t spank);

#endif
