/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun tells every slurmstepd: variables SLURM_STENCILMAP_* in the job's environment (that
 * prefix survives --export=NONE). They are set last in srun, read and removed before a task sees
 * them, and cleared at the start of every srun, so that none is ever inherited. */
#ifndef STENCILMAP_HANDOVER_H
#define STENCILMAP_HANDOVER_H

#include <stdbool.h>

enum handover {
    HANDOVER_MAP,
    HANDOVER_FORM, /* an algorithm that gives slurmstepd the same places per rank */
    HANDOVER_EFFORT,
    HANDOVER_OBJECTIVE,
    HANDOVER_PLACEMENT, /* launch, comm, or none: nothing gained */
    HANDOVER_STENCIL,
    HANDOVER_DIMS,
    HANDOVER_PERIODIC,
    HANDOVER_NODE_SIZES, /* in the order of the mapping's nodes */
    HANDOVER_JSUM,       /* of the layout that results */
    HANDOVER_JMAX,
    HANDOVER_ORDER,
    HANDOVER_HIERARCHY,
    HANDOVER_BLOCK, /* an order deals ranks to nodes in such blocks, but they stay where they are */
    HANDOVER_CPU_BIND,     /* who chose --cpu-bind: "user", or "slurm" */
    HANDOVER_QUIET,        /* of a problem with the order only the "first" node tells, or "none" */
    HANDOVER_REPORT,       /* the value of --stencil-report */
    HANDOVER_PROCESS_MAPPING, /* which ranks share a node, as pmi2 tells it */
    HANDOVER_COUNT
};

/* Removes all of them from this process. */
void handover_clear(void);

/* value NULL: not set. */
void handover_set(enum handover variable, const char *value);

/* The values found in an environment array such as S_JOB_ENV, copied: that array moves as soon as
 * somebody sets a variable. Members are NULL where nothing was handed over. */
struct handover_values {
    char *value[HANDOVER_COUNT];
};
void handover_read(struct handover_values *values, char **env);
bool handover_any(const struct handover_values *values);
void handover_release(struct handover_values *values);

/* Any variable of such an array, or NULL; points into it. */
const char *handover_getenv(char **env, const char *name);

const char *handover_name(enum handover variable);

#endif
