/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of an srun line: its layout without us, and which placement a mapping gets. */
#ifndef STENCILMAP_TOOL_STEP_H
#define STENCILMAP_TOOL_STEP_H

#include "step/predict.h"
#include "tool/line.h"
#include "tool/options.h"

/* The job around a line. Starts as {0}: there is none. */
struct tool_job {
    struct smap_hostlist *hosts;
    struct smap_nodesizes *cpus; /* NULL: not known, and every node has room for its tasks */
    struct smap_node_kind node;  /* threads 0: not known */
    bool hostfile;
};

/* The job of the environment, if this is inside of one. */
int tool_job_read(struct tool_job *job, struct smap_error *err);
void tool_job_clear(struct tool_job *job);

struct step {
    struct line line; /* all values, whoever set them */
    struct smap_node_kind node;
    struct smap_nodesizes *sizes;
    uint32_t *own;         /* the node of each rank */
    char *nodes;           /* their names, "n0,n1"; NULL: not known */
    struct smap_error why; /* why a mapping would be comm; "": it is launched */
};

/* Reads a line, words[0] is srun, in front of which stand the values of `given` (what the job, the
 * script or the environment say). step_clear releases, also after a failure. */
int step_read(struct step *step, const struct line *given, char *const words[], size_t count,
              const struct tool_job *job, struct smap_error *err);
void step_clear(struct step *step);

/* The options of the tool that are on the line, as if they had been typed; borrows from the step.
 * What is set in args already stays. */
void step_options(struct args *args, const struct step *step);

#endif
