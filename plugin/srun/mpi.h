/* SPDX-License-Identifier: BSD-3-Clause */
/* What an MPI library is told about who shares a node, where the layout is ours. PMIx, cray_shasta
 * and --mpi=none (each takes it from the step itself) tell any layout right. pmi2 needs a text of
 * limited length (step/procmap.h), which slurmstepd puts in place of Slurm's (stepd/pmi2.h). */
#ifndef STENCILMAP_MPI_H
#define STENCILMAP_MPI_H

#include <stdint.h>

#include "plan/plan.h"
#include "srun/allocation.h"

/* Can this srun's --mpi tell that rank r runs on node_of_rank[r] of own->hosts? SMAP_ENOTSUP and
 * the reason (to follow "because") if not. */
int mpi_fits(const struct allocation *own, const uint32_t node_of_rank[], struct smap_error *err);

/* Where that is not so of what `best` found: puts in place of *plan the best of the algorithms
 * whose mapping can be told, and its name in *algorithm (static; untouched where there is none).
 * wanted is what *plan was made from, and has the map "best". */
int mpi_best_that_fits(struct smap_plan **plan, const char **algorithm,
                       const struct smap_request *wanted, const struct allocation *own,
                       struct smap_error *err);

/* What slurmstepd needs for it. real: the step's own layout. */
void mpi_hand_over(const struct allocation *real);

#endif
