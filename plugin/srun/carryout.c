/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/carryout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options.h"
#include "record/graph_file.h"
#include "settings.h"
#include "srun/helper.h"
#include "srun/masks.h"
#include "srun/mpi.h"
#include "srun/report.h"
#include "srun/srunopts.h"
#include "srun/steplayout.h"
#include "srun/watched.h"

/* Placement comm: the layout is Slurm's, so the plan is made on the real one. */
static int plan_on_real_layout(struct srun_decision *d, const struct allocation *real,
                               struct smap_error *err)
{
    struct smap_request wanted = srun_request(d);
    wanted.text_max = HANDOVER_TEXT_MAX; /* slurmstepd finds its tasks' cells by the text */
    smap_plan_destroy(d->plan);
    d->plan = NULL;
    int rc = smap_plan_create(&d->plan, &wanted, real->sizes, real->node_of_rank, err);
    if (rc == SMAP_OK)
        d->nothing_gained = !d->plan->gains;
    return rc;
}

static void hand_over_number(enum handover variable, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, value);
    handover_set(variable, text);
}

static void hand_over_taken(enum handover variable, char *text)
{
    handover_set(variable, text);
    free(text);
}

/* Which ranks are the grid, where there are others, and how many of them each node has. */
static void hand_over_part(const struct smap_plan *plan)
{
    if (!smap_problem_is_part(&plan->problem))
        return;
    hand_over_taken(HANDOVER_RANKS, smap_problem_ranks(&plan->problem));
    hand_over_taken(HANDOVER_CELLS, smap_part_format(&plan->part, plan->nodes));
}

/* As typed; a file by its full name, since nodes may start elsewhere. A graph has neither dims nor
 * periodic ones. */
static void hand_over_stencil(const struct smap_problem *problem)
{
    const char *stencil = options_get(OPTION_STENCIL), *path;
    struct smap_text text = {0};
    if (!problem->graph) {
        handover_set(HANDOVER_STENCIL, stencil ? stencil : "nn");
        hand_over_taken(HANDOVER_DIMS, smap_problem_dims(problem));
        hand_over_taken(HANDOVER_PERIODIC, smap_problem_periodic(problem));
        return;
    }
    smap_graph_is_file(&path, stencil);
    char *full = realpath(path, NULL);
    smap_text_add(&text, "@%s", full ? full : path);
    hand_over_taken(HANDOVER_STENCIL, smap_text_take(&text));
    free(full);
}

/* sizes: of all nodes of the step. */
static void hand_over_plan(const struct srun_decision *d, const struct smap_nodesizes *sizes,
                           const char *placement)
{
    const struct smap_plan *plan = d->plan;
    const struct smap_score *score = d->nothing_gained ? &plan->before : &plan->after;
    handover_set(HANDOVER_FORM, plan->text); /* placement comm; with launch, ranks are cells */
    handover_set(HANDOVER_PLACEMENT, placement);
    hand_over_stencil(&plan->problem);
    hand_over_taken(HANDOVER_NODE_SIZES, smap_nodesizes_format(sizes));
    hand_over_part(plan);
    hand_over_number(HANDOVER_JSUM, score->jsum);
    hand_over_number(HANDOVER_JMAX, score->jmax);
    hand_over_number(HANDOVER_JSUM_BEFORE, plan->before.jsum);
    hand_over_number(HANDOVER_JMAX_BEFORE, plan->before.jmax);
}

/* The ranks of an order, where they are only told. */
static void hand_over_ranks(const struct srun_decision *d, const struct allocation *real)
{
    hand_over_number(HANDOVER_BLOCK, d->block);
    hand_over_taken(HANDOVER_NODE_SIZES, smap_nodesizes_format(real->sizes));
}

/* A directive that does not fit, known too late: the step exists. If srun left now it would stay,
 * with its CPUs, until the job ends, and nobody but its own slurmstepds can end it. So they do. */
static void refuse_step(const char *reason)
{
    if (!options_typed_here()) {
        srun_refuse(reason);
        return;
    }
    slurm_error("stencilmap: %s", reason);
    handover_set(HANDOVER_STOP, "1");
}

/* What was decided, on the layout that there is. True if a mapping is in force. */
static bool use_layout(struct srun_decision *d, const struct allocation *real)
{
    struct smap_error err = {""};
    const char *placement = d->launch.asked ? "launch" : "comm";
    if (d->launch.asked)
        mpi_hand_over(real);
    if (d->launch.asked && !launch_is_as_asked(&d->launch, real)) {
        slurm_error("stencilmap: Slurm did not lay out the tasks as asked; no hints are given");
        return false;
    }
    if (d->block) {
        hand_over_ranks(d, real);
        report_ranks(d);
    }
    if (!options_get(OPTION_MAP))
        return false;
    if (!d->launch.asked && plan_on_real_layout(d, real, &err) != SMAP_OK) {
        refuse_step(err.text);
        return false;
    }
    hand_over_plan(d, real->sizes, d->nothing_gained ? "none" : placement);
    report_plan(d, placement);
    if (d->launch.asked || d->nothing_gained || helper_library())
        watched_promise(d->plan, d->nothing_gained ? real->node_of_rank : d->plan->node_of_cell);
    return true;
}

/* Which nodes may tell of problems on them: all if what they do was typed here (and they leave to
 * one what it can tell for others, stepd/voice.h), else one or none. */
static const char *who_tells(void)
{
    enum origin origin = options_origin(options_get(OPTION_ORDER) ? OPTION_ORDER : OPTION_MAP);
    if (origin == ORIGIN_COMMAND_LINE)
        return NULL;
    return origin > ORIGIN_PARTITION || settings()->verbose ? "first" : "none";
}

/* The layout of the step that exists. slurmctld is asked for it, but only if it has not been asked
 * anything yet: a layout by launch it carries out to the letter, or there is no step. The nodes
 * check their own part in any case. NULL: nobody says. */
static const struct allocation *find_layout(struct srun_decision *d, struct allocation *real,
                                            spank_t spank)
{
    struct smap_error err = {""};
    if (d->launch.asked && d->ctld_asked) {
        if (d->plan)
            memcpy(d->own.node_of_rank, d->plan->node_of_rank,
                   smap_nodesizes_tasks(d->own.sizes) * sizeof(*d->own.node_of_rank));
        return &d->own;
    }
    if (steplayout_read(real, spank, &err) == SMAP_OK)
        return real;
    slurm_error("stencilmap: no hints are given: %s", err.text);
    return NULL;
}

/* What decides where tasks run; true if a mapping is in force. */
static bool carry_out_directives(struct srun_decision *decision, spank_t spank)
{
    struct allocation real = {0};
    bool mapped = false;
    if (options_get(OPTION_MAP) || decision->launch.asked || decision->block) {
        const struct allocation *layout = find_layout(decision, &real, spank);
        mapped = layout && use_layout(decision, layout);
    }
    options_hand_over(mapped);
    if (srunopts_available())
        handover_set(HANDOVER_CPU_BIND, srunopts_binds_cpus() ? "user" : "slurm");
    handover_set(HANDOVER_QUIET, who_tells());
    handover_set(HANDOVER_REPORT, options_from_user() ? options_get(OPTION_REPORT) : NULL);
    launch_put_back(&decision->launch);
    masks_hand_over();
    allocation_release(&real);
    return mapped;
}

void srun_carry_out(struct srun_decision *decision, spank_t spank)
{
    /* Without an option nothing is handed over, and nothing can leak. */
    bool mapped = (options_get(OPTION_MAP) || options_get(OPTION_ORDER)) &&
                  carry_out_directives(decision, spank);
    helper_hand_over(mapped, spank);
}
