/* SPDX-License-Identifier: BSD-3-Clause */
/* What was gained, kept as an attribute of the communicator that was made. MPI_Comm_dup copies it
 * (the ranks are the same), nothing else does. */
#ifndef SMAP_MPI_GAIN_H
#define SMAP_MPI_GAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "grid/score.h"

struct smap_gain {
    int64_t value[4]; /* J_sum before, after, J_max before, after */
};

/* Both are local. Nothing is kept where there is no memory or no MPI_COMM_SELF (MPI-4 sessions
 * alone): a gain is nice to have, no reason to fail. */
void smap_gain_set(MPI_Comm comm, const struct smap_score *before, const struct smap_score *after);
bool smap_gain_get(struct smap_gain *gain, MPI_Comm comm);

#endif
