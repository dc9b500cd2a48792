/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/decide.h"

#include <inttypes.h>
#include <slurm/spank.h>
#include <stdlib.h>
#include <string.h>

#include "best/best.h"
#include "levels/levels.h"
#include "options.h"
#include "order/order_nodes.h"
#include "settings.h"
#include "srun/components.h"
#include "srun/daemons.h"
#include "srun/helper.h"
#include "srun/mpi.h"
#include "srun/srunopts.h"
#include "srun/switches.h"
#include "step/layout.h"

struct smap_request srun_request(const struct srun_decision *decision)
{
    struct smap_request request = options_request();
    request.graph = decision->graph;
    bool task_is_leaf = srunopts_number("cpus-per-task") <= 1;
    if (!task_is_leaf)
        request.hierarchy = NULL;
    return request;
}

bool srun_talks(void)
{
    return options_from_user() || settings()->verbose;
}

void srun_refuse(const char *reason)
{
    if (options_typed_here()) {
        slurm_error("stencilmap: %s", reason);
        exit(1);
    }
    if (srun_talks())
        slurm_info("stencilmap: step left alone: %s", reason);
    options_clear_directives();
}

static bool placement_is(const char *word)
{
    const char *placement = options_get(OPTION_PLACEMENT);
    return strcmp(placement ? placement : "auto", word) == 0;
}

/* The number of tasks, or 0 if srun will not say. */
static uint32_t task_count(void)
{
    uint32_t tasks = srunopts_number("ntasks");
    uint32_t nodes = srunopts_number("nodes"), per_node = srunopts_number("ntasks-per-node");
    uint64_t product = (uint64_t)nodes * per_node;
    if (tasks == 0 && product > 0 && product <= SMAP_TASKS_MAX)
        tasks = (uint32_t)product;
    return tasks;
}

/* Placement launch is not possible, for the reason in *err: an error if it was asked for, else comm
 * is what remains. */
static int fall_back(struct srun_decision *d, struct smap_error *err)
{
    const struct smap_error reason = *err;
    if (placement_is("launch"))
        return smap_fail(err, SMAP_EINVAL, "--stencil-placement=launch: not possible: %s",
                         reason.text);
    d->why_comm = strdup(reason.text);
    return SMAP_OK;
}

/* What is above the nodes: what the user says stands in front of "node", else the switches. */
static int find_outer(struct srun_decision *d, struct smap_error *err)
{
    const char *hierarchy = options_get(OPTION_HIERARCHY);
    uint32_t nodes = smap_nodesizes_nodes(d->own.sizes);
    struct smap_levels levels;
    int rc = hierarchy ? smap_levels_parse(&levels, hierarchy, NULL, nodes,
                                           smap_nodesizes_largest(d->own.sizes), err)
                       : SMAP_OK;
    if (rc != SMAP_OK)
        return rc;
    if (hierarchy && levels.full.node_levels > 1)
        return smap_outer_from_hierarchy(&d->outer, &levels.full, nodes, err);
    d->ctld_asked = true;
    return switches_read(&d->outer, d->own.hosts, err);
}

/* Slurm's time for such a layout grows with the square of the tasks. */
static int check_size(uint32_t tasks, struct smap_error *err)
{
    if (tasks <= settings()->launch_max)
        return SMAP_OK;
    return smap_fail(err, SMAP_ENOTSUP,
                     "%" PRIu32 " tasks are more than the site's launch-max of %" PRIu32, tasks,
                     settings()->launch_max);
}

/* What Slurm would do without us, for a layout of our own. */
static int predict(struct srun_decision *d, uint32_t tasks, struct smap_error *err)
{
    int rc = check_size(tasks, err);
    if (rc == SMAP_OK)
        rc = allocation_predict(&d->own, tasks, !options_from_user(), err);
    d->ctld_asked = d->own.ctld_asked;
    return rc;
}

/* Placement launch for a mapping, if the nodes are known and the layout is nobody else's:
 * SMAP_ENOTSUP and the reason if not. Other codes are errors in the request. */
static int launch_mapping(struct srun_decision *d, uint32_t tasks, struct smap_error *err)
{
    struct smap_request wanted = srun_request(d);
    if (!srunopts_available() || tasks == 0)
        return smap_fail(err, SMAP_ENOTSUP, "this srun does not show its options to plugins");
    int rc = predict(d, tasks, err);
    if (rc == SMAP_OK && wanted.objective && strcmp(wanted.objective, "levels") == 0)
        rc = find_outer(d, err);
    if (rc != SMAP_OK)
        return rc;
    wanted.outer = d->outer.levels > 0 ? &d->outer : NULL;
    rc = smap_plan_create(&d->plan, &wanted, d->own.sizes, d->own.node_of_rank, err);
    if (rc != SMAP_OK)
        return rc == SMAP_ENOTSUP ? SMAP_EINVAL : rc; /* comm would meet the same refusal */
    d->nothing_gained = !d->plan->gains;
    if (!d->nothing_gained && smap_best_result(d->plan->mapping))
        rc = mpi_best_that_fits(&d->plan, &d->instead, &wanted, &d->own, err);
    if (rc == SMAP_OK && !d->nothing_gained)
        rc = launch_ask(&d->launch, &d->own, d->plan->node_of_rank, err);
    return rc;
}

static int decide_mapping(struct srun_decision *d, struct smap_error *err)
{
    const struct smap_request wanted = srun_request(d);
    struct smap_problem problem = {0};
    uint32_t tasks = task_count();
    int rc = smap_problem_init(tasks ? &problem : NULL, &wanted, tasks, err);
    d->graph = problem.own_graph;
    problem.own_graph = NULL;
    smap_problem_clear(&problem);
    if (rc != SMAP_OK || placement_is("comm"))
        return rc;
    rc = launch_mapping(d, tasks, err);
    return rc == SMAP_ENOTSUP ? fall_back(d, err) : rc;
}

/* Placement launch for an order: SMAP_ENOTSUP and the reason if that is not possible. */
static int launch_blocks(struct srun_decision *d, uint32_t tasks, uint32_t block,
                         struct smap_error *err)
{
    int rc = tasks ? predict(d, tasks, err)
                   : smap_fail(err, SMAP_ENOTSUP, "srun does not say how many tasks there are");
    if (rc == SMAP_OK)
        rc = smap_layout_blocks(d->own.node_of_rank, d->own.sizes, block, err);
    if (rc == SMAP_OK)
        rc = launch_ask(&d->launch, &d->own, d->own.node_of_rank, err);
    return rc;
}

/* An order that interleaves nodes: the ranks go round them in blocks. Where srun cannot place them
 * so, they stay where they are, and every task is told its rank in the order. */
static int interleave_nodes(struct srun_decision *d, uint32_t tasks, struct smap_error *err)
{
    const char *order = options_get(OPTION_ORDER), *hierarchy = options_get(OPTION_HIERARCHY);
    uint32_t block, nodes = srunopts_number("nodes");
    int rc = smap_order_block(&block, order, hierarchy, nodes, tasks, err);
    if (rc != SMAP_OK || block == SMAP_WHOLE_NODE || nodes == 1)
        return rc;
    if (!placement_is("comm")) {
        rc = launch_blocks(d, tasks, block, err);
        if (rc == SMAP_ENOTSUP)
            rc = fall_back(d, err);
        if (rc != SMAP_OK || d->launch.asked)
            return rc;
    }
    d->block = block;
    return SMAP_OK;
}

static int decide_order(struct srun_decision *d, struct smap_error *err)
{
    if (srunopts_binds_cpus()) {
        if (srun_talks())
            slurm_info("stencilmap: --cpu-bind is set and stays in force, --rank-order is not "
                       "applied");
        return SMAP_OK;
    }
    /* With a mapping, the mapping says which node. */
    return options_get(OPTION_MAP) ? SMAP_OK : interleave_nodes(d, task_count(), err);
}

/* With verbose: where each value comes from. */
static void tell_origins(void)
{
    for (enum option i = 0; settings()->verbose && i < OPTION_COUNT; i++)
        if (options_get(i))
            slurm_info("stencilmap: --%s=%s (%s)", option_row(i)->name, options_get(i),
                       options_origin_text(options_origin(i)));
}

/* A heterogeneous step is to be known by its first component: a layout that is asked for that one
 * stays in force, whatever becomes of the others. */
static int check_components(struct srun_decision *d, struct smap_error *err)
{
    d->heterogeneous = d->components > 1 || components_follow();
    if (!d->heterogeneous)
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL,
                     "the components of a heterogeneous step cannot be mapped together; one srun "
                     "per component can, but each is an MPI world of its own");
}

/* Steps that are no parallel program of ours to lay out. */
static int check_kind(struct smap_error *err)
{
    if (srunopts_isset("external-launcher"))
        return smap_fail(err, SMAP_EINVAL,
                         "--external-launcher: this step starts a launcher, whose processes are no "
                         "ranks");
    if (srunopts_isset("async"))
        return smap_fail(err, SMAP_EINVAL,
                         "--async: srun ends before it has told the nodes what to do");
    bool told = options_get(OPTION_DIMS) || options_get(OPTION_RANKS);
    if (srunopts_isset("multi-prog") && options_get(OPTION_MAP) && !told)
        return smap_fail(err, SMAP_EINVAL,
                         "--multi-prog may run several programs, and that one grid covers all "
                         "ranks is not known: say so by --stencil-dims or --stencil-ranks");
    return SMAP_OK;
}

/* Whoever asks for a record wants it. */
static void check_watch(void)
{
    struct smap_error err = {""};
    if (helper_check_watch(&err) == SMAP_OK)
        return;
    slurm_error("stencilmap: %s", err.text);
    if (options_origin(OPTION_WATCH) == ORIGIN_COMMAND_LINE)
        exit(1);
    options_forget(OPTION_WATCH);
}

void srun_decide(struct srun_decision *decision)
{
    struct smap_error err = {""};
    int rc = options_check_partners(&err);
    bool wanted = options_get(OPTION_MAP) || options_get(OPTION_ORDER);
    const char *daemon = rc == SMAP_OK && wanted ? daemons_launched() : NULL;
    if (daemon && options_typed_here())
        slurm_info("stencilmap: step left alone: %s is a daemon of an MPI launcher and no rank, "
                   "options typed for it have no effect",
                   daemon);
    /* salloc's shell is a step of its own and inherits what is meant for those inside. */
    bool interactive = rc == SMAP_OK && wanted && srunopts_isset("interactive");
    bool said_before = decision->heterogeneous && !options_typed_here();
    if (daemon || interactive || said_before) {
        options_clear();
        return;
    }
    check_watch();
    if (rc == SMAP_OK && wanted)
        rc = check_kind(&err);
    if (rc == SMAP_OK && wanted)
        rc = check_components(decision, &err);
    if (rc == SMAP_OK && wanted)
        tell_origins();
    if (rc == SMAP_OK && options_get(OPTION_MAP))
        rc = decide_mapping(decision, &err);
    if (rc == SMAP_OK && options_get(OPTION_ORDER))
        rc = decide_order(decision, &err);
    if (rc != SMAP_OK)
        srun_refuse(err.text);
}

void srun_decision_clear(struct srun_decision *decision)
{
    smap_plan_destroy(decision->plan);
    smap_graph_destroy(decision->graph);
    smap_outer_clear(&decision->outer);
    allocation_release(&decision->own);
    launch_clear(&decision->launch);
    free(decision->why_comm);
    *decision = (struct srun_decision){.components = decision->components,
                                       .heterogeneous = decision->heterogeneous};
}
