/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun tells every slurmstepd: variables SLURM_STENCILMAP_* in the job's environment (that
 * prefix survives --export=NONE). They are set last in srun, read and removed before a task sees
 * them, and cleared at the start of every srun, so that none is ever inherited. */
#ifndef STENCILMAP_HANDOVER_H
#define STENCILMAP_HANDOVER_H

#include <slurm/spank.h>
#include <stdbool.h>

#include "base/error.h"

/* One row for each variable: HANDOVER_MAP is SLURM_STENCILMAP_MAP, and so on. */
#define HANDOVER_VARIABLES(ROW)                                                                    \
    ROW(VERSION)     /* of srun's plugin; set with any other */                                    \
    ROW(MAP)         /* --stencil-map, for people */                                               \
    ROW(FORM)        /* placement comm: a text by which a node finds its cells, no search */       \
    ROW(PLACEMENT)   /* launch, comm, or none: nothing gained */                                   \
    ROW(STENCIL)     /* --stencil, made whole */                                                   \
    ROW(DIMS)        /* --stencil-dims, made whole */                                              \
    ROW(PERIODIC)    /* --stencil-periodic, made whole */                                          \
    ROW(RANKS)       /* --stencil-ranks, if there are others */                                    \
    ROW(CELLS)       /* then: how many of the grid's ranks each node has */                        \
    ROW(NODE_SIZES)  /* in the order of the mapping's nodes */                                     \
    ROW(JSUM)        /* of the layout that results */                                              \
    ROW(JMAX)        /* of it */                                                                   \
    ROW(JSUM_BEFORE) /* of the layout that there is without the mapping */                         \
    ROW(JMAX_BEFORE) /* of it */                                                                   \
    ROW(ORDER)       /* --rank-order */                                                            \
    ROW(HIERARCHY)   /* --rank-hierarchy */                                                        \
    ROW(BLOCK)       /* an order deals ranks to nodes in such blocks, but they stay */             \
    ROW(CPU_BIND)    /* who chose --cpu-bind: "user", or "slurm" */                                \
    ROW(MASKS)       /* "stay": sockets were typed; "lead": GPUs are bound by them */              \
    ROW(ORDER_BY)    /* "site": a default order, which yields to GPUs */                           \
    ROW(QUIET)       /* not typed on srun's line: of problems the "first" node tells, or "none" */ \
    ROW(STOP)        /* the step exists but is refused: its tasks end before their program */      \
    ROW(REPORT)      /* --stencil-report, if it is to be printed */                                \
    ROW(PRELOAD)     /* libraries that tasks start with, colon separated */                        \
    ROW(WATCH)       /* the file that a watched step writes its record to */                       \
    ROW(PROCESS_MAPPING) /* which ranks share a node, as pmi2 tells it */

#define HANDOVER_ENUM(word) HANDOVER_##word,
enum handover { HANDOVER_NONE, HANDOVER_VARIABLES(HANDOVER_ENUM) HANDOVER_COUNT };
#undef HANDOVER_ENUM

/* What srun hands over in one variable: execve would refuse 131072 characters. */
#define HANDOVER_TEXT_MAX 61440

/* Longer values are not taken: one for 100000 nodes of differing sizes fits. */
#define HANDOVER_MAX 1000000

/* --- srun */

/* Removes all of them from this process, those of another version too. */
void handover_clear(void);

/* value NULL: not set. With the first value the version goes along. */
void handover_set(enum handover variable, const char *value);

/* --- slurmstepd */

/* The values found in an environment array such as S_JOB_ENV, copied: that array moves as soon as
 * somebody sets a variable. Members are NULL where nothing was handed over. */
struct handover_values {
    char *value[HANDOVER_COUNT];
    bool any;              /* something is there, whether we know it or not */
    enum handover refused; /* a value that no srun of ours wrote, or HANDOVER_NONE */
};
void handover_read(struct handover_values *values, char *const env[]);
void handover_release(struct handover_values *values);

/* With a reason for people: SMAP_EINVAL where a value cannot be srun's, SMAP_ENOTSUP where srun's
 * plugin has not the version of this one. Then nothing of it may be used. */
int handover_check(const struct handover_values *values, struct smap_error *err);

/* Takes all of them out of the environment of a task, those of another version too. */
void handover_unset(spank_t spank);

const char *handover_name(enum handover variable);

#endif
