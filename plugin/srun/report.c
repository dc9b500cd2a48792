/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/report.h"

#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "srun/helper.h"

/* Which programs gain, whatever the figures before it say. */
static const char *comm_means(const struct smap_plan *plan)
{
    if (plan->problem.graph)
        return "; only programs that take STENCILMAP_RANK for their rank gain";
    return helper_library() ? "; programs whose MPI_Cart_create may reorder gain"
                            : "; only programs that call the stencilmap MPI library gain";
}

static void print_line(const struct srun_decision *d, const struct smap_request *wanted,
                       const char *placement)
{
    char *summary = smap_plan_summary(d->plan, wanted);
    const char *text = summary ? summary : "";
    if (d->nothing_gained)
        slurm_info("stencilmap: %s", text);
    else if (d->instead)
        slurm_info("stencilmap: %s (%s by %s, which pmi2 can tell MPI)", text, placement,
                   d->instead);
    else
        slurm_info("stencilmap: %s (%s%s%s%s)", text, placement, d->why_comm ? ": " : "",
                   d->why_comm ? d->why_comm : "", d->launch.asked ? "" : comm_means(d->plan));
    free(summary);
}

void report_plan(const struct srun_decision *decision, const char *placement)
{
    struct smap_error err = {""};
    const struct smap_request wanted = srun_request(decision);
    const char *mode = options_get(OPTION_REPORT);
    if (!srun_talks())
        return;
    print_line(decision, &wanted, placement);
    if (!mode)
        return;
    char *report =
        smap_plan_report(decision->plan, &wanted, placement, strcmp(mode, "full") == 0, &err);
    fputs(report ? report : "", stderr);
    free(report);
}

void report_ranks(const struct srun_decision *decision)
{
    const char *why = decision->why_comm;
    if (srun_talks())
        slurm_info("stencilmap: --rank-order=%s: ranks stay on their nodes, STENCILMAP_RANK is the "
                   "rank in the order (comm%s%s)",
                   options_get(OPTION_ORDER), why ? ": " : "", why ? why : "");
}
