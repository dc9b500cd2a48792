/* SPDX-License-Identifier: BSD-3-Clause */
/* Can an MPI library be told who shares a node in a layout that is ours? pmi2 has SMAP_PROCMAP_MAX
 * bytes for it (step/procmap.h); PMIx and the others tell any layout. */
#ifndef SMAP_TOLD_H
#define SMAP_TOLD_H

#include "plan/plan.h"

/* SMAP_ENOTSUP and the reason (to follow "because") where pmi2 cannot tell that rank r runs on
 * node_of_rank[r] of the nodes of these sizes. */
int smap_told_by_pmi2(const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                      struct smap_error *err);

/* Where that is so of what the map "best" found: puts in place of *plan the best of the algorithms
 * whose mapping can be told, and its name in *algorithm (static; untouched where *plan stays).
 * *plan was made from wanted, these sizes and node_of_rank, the layout without us. SMAP_ENOTSUP
 * where no algorithm's mapping that gains can be told. */
int smap_told_best(struct smap_plan **plan, const char **algorithm,
                   const struct smap_request *wanted, const struct smap_nodesizes *sizes,
                   const uint32_t node_of_rank[], struct smap_error *err);

#endif
