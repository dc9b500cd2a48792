/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mapping does to what was sent: pairs, messages and bytes between nodes, as the record has
 * them, not as a stencil predicts. */
#ifndef SMAP_OUTCOME_H
#define SMAP_OUTCOME_H

#include "detect/detect.h"
#include "plan/plan.h"

struct smap_traffic {
    uint64_t pairs, messages, bytes; /* between nodes, over all of them */
    uint64_t most_bytes;             /* that one node sends */
};

/* node_of_rank: an entry below nodes for each rank of the record. */
int smap_traffic_count(struct smap_traffic *traffic, const struct smap_record *record,
                       const uint32_t node_of_rank[], uint32_t nodes, struct smap_error *err);

/* The nodes that a record was made on. SMAP_ENOTSUP where it does not tell all of them. */
int smap_record_sizes(struct smap_nodesizes **sizes, const struct smap_record *record,
                      struct smap_error *err);

struct smap_outcome {
    struct smap_traffic before, after;
    /* The best mapping, by the stencil or the graph. node_of_rank is where the ranks are in the
     * end: where they were, if nothing is gained. */
    struct smap_plan *plan;
    struct smap_graph *graph; /* what it is of, without a finding */
};

/* The best mapping of the finding's grid to nodes of these sizes, which must outlive the outcome,
 * from the layout node_of_rank. SMAP_ENOTSUP for a grid whose ranks do not follow each other.
 * finding NULL: of the record's graph, whatever it looks like. smap_outcome_clear frees, also after
 * a failure. */
int smap_outcome_init(struct smap_outcome *outcome, const struct smap_record *record,
                      const struct smap_finding *finding, const struct smap_nodesizes *sizes,
                      const uint32_t node_of_rank[], struct smap_error *err);
void smap_outcome_clear(struct smap_outcome *outcome);

#endif
