/* SPDX-License-Identifier: BSD-3-Clause */
/* The srun side: from options to a layout, and the hand-over to the nodes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "best/best.h"
#include "contexts.h"
#include "handover.h"
#include "options.h"
#include "order/order_nodes.h"
#include "plan/plan.h"
#include "settings.h"
#include "srun/allocation.h"
#include "srun/daemons.h"
#include "srun/launch.h"
#include "srun/mpi.h"
#include "srun/srunopts.h"
#include "srun/steplayout.h"
#include "srun/switches.h"
#include "step/layout.h"

/* What init_post_opt decided and local_user_init carries out. */
static struct {
    bool nothing_gained;     /* Slurm's own layout is as good */
    char *why_comm;          /* why not launch, for the user; NULL if comm was wanted */
    uint32_t block;          /* an order deals ranks to nodes so, but they stay where they are */
    struct allocation own;   /* Slurm's own layout, as predicted */
    struct smap_outer outer; /* the switches above its nodes, where they count */
    struct smap_plan *plan;
    unsigned components; /* of a heterogeneous step: init_post_opt is called once for each */
} decision;

/* The levels inside the nodes count where a task is one of their leaves. */
static struct smap_request request(void)
{
    bool tells = srunopts_number("cpus-per-task") <= 1;
    return (struct smap_request){
        .map = options_get(OPTION_MAP),
        .stencil = options_get(OPTION_STENCIL),
        .dims = options_get(OPTION_DIMS),
        .periodic = options_get(OPTION_PERIODIC),
        .effort = options_get(OPTION_EFFORT),
        .objective = options_get(OPTION_OBJECTIVE),
        .hierarchy = tells ? options_get(OPTION_HIERARCHY) : NULL,
        .order = options_get(OPTION_ORDER),
    };
}

static bool placement_is(const char *word)
{
    const char *placement = options_get(OPTION_PLACEMENT);
    return strcmp(placement ? placement : "auto", word) == 0;
}

/* Did somebody type an option on this very srun? */
static bool typed(void)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (i != OPTION_REPORT && options_origin((enum option)i) == ORIGIN_COMMAND_LINE)
            return true;
    return false;
}

/* Is there anything that the user asked for himself, not the site? */
static bool asked(void)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options_origin((enum option)i) > ORIGIN_PARTITION)
            return true;
    return false;
}

/* A directive that does not fit: what was typed here stops srun, what the user said elsewhere
 * leaves the step alone and says so, and a default of the site does so quietly. */
static void refuse(const char *reason)
{
    if (typed()) {
        slurm_error("stencilmap: %s", reason);
        exit(1);
    }
    if (asked() || settings()->verbose)
        slurm_info("stencilmap: step left alone: %s", reason);
    options_clear();
}

/* With verbose: where each value comes from. */
static void tell_origins(void)
{
    for (int i = 0; settings()->verbose && i < OPTION_COUNT; i++)
        if (options_get((enum option)i))
            slurm_info("stencilmap: --%s=%s (%s)", options_name((enum option)i),
                       options_get((enum option)i),
                       options_origin_text(options_origin((enum option)i)));
}

/* The defaults of the site for the partition that this step runs in. */
static void read_defaults(void)
{
    char *wanted = srunopts_get("partition");
    const char *job = getenv("SLURM_JOB_PARTITION");
    settings_read(job ? job : wanted);
    free(wanted);
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

/* Placement launch, if the nodes are known and the layout is nobody else's: SMAP_ENOTSUP and the
 * reason if not. Other codes are errors in the request. */
static int try_launch(uint32_t tasks, struct smap_error *err)
{
    struct smap_request wanted = request();
    if (!srunopts_available() || tasks == 0)
        return smap_fail(err, SMAP_ENOTSUP, "this srun does not show its options to plugins");
    int rc = allocation_predict(&decision.own, tasks, !asked(), err);
    if (rc == SMAP_OK && wanted.objective && strcmp(wanted.objective, "levels") == 0)
        rc = switches_read(&decision.outer, decision.own.hosts, err);
    if (rc != SMAP_OK)
        return rc;
    wanted.outer = decision.outer.levels > 0 ? &decision.outer : NULL;
    rc = smap_plan_create(&decision.plan, &wanted, decision.own.sizes, decision.own.node_of_rank,
                          err);
    if (rc != SMAP_OK)
        return rc == SMAP_ENOTSUP ? SMAP_EINVAL : rc; /* comm would meet the same refusal */
    if (!decision.plan->gains) {
        decision.nothing_gained = true;
        return SMAP_OK;
    }
    return launch_ask(&decision.own, decision.plan->node_of_cell, err);
}

static void choose_placement(uint32_t tasks)
{
    struct smap_error err = {""};
    if (placement_is("comm"))
        return;
    int rc = try_launch(tasks, &err);
    if (rc == SMAP_OK)
        return;
    if (rc != SMAP_ENOTSUP) {
        refuse(err.text);
    } else if (placement_is("launch")) {
        struct smap_error reason = err;
        smap_fail(&err, SMAP_EINVAL, "--stencil-placement=launch: not possible: %s", reason.text);
        refuse(err.text);
    } else {
        decision.why_comm = strdup(err.text);
    }
}

/* Placement launch for an order: SMAP_ENOTSUP and the reason if that is not possible. */
static int launch_blocks(uint32_t tasks, uint32_t block, struct smap_error *err)
{
    int rc = tasks ? allocation_predict(&decision.own, tasks, !asked(), err)
                   : smap_fail(err, SMAP_ENOTSUP, "srun does not say how many tasks there are");
    if (rc == SMAP_OK)
        rc = smap_layout_blocks(decision.own.sizes, block, decision.own.node_of_rank, err);
    if (rc == SMAP_OK)
        rc = launch_ask(&decision.own, decision.own.node_of_rank, err);
    return rc;
}

/* An order that interleaves nodes: the ranks go round them in blocks. Where srun cannot place them
 * so, they stay where they are, and every task is told its rank in the order. */
static int interleave_nodes(uint32_t tasks, struct smap_error *err)
{
    const char *order = options_get(OPTION_ORDER), *hierarchy = options_get(OPTION_HIERARCHY);
    uint32_t block, nodes = srunopts_number("nodes");
    int rc = smap_order_block(order, hierarchy, nodes, tasks, &block, err);
    if (rc != SMAP_OK || block == SMAP_WHOLE_NODE || nodes == 1)
        return rc;
    if (!placement_is("comm")) {
        rc = launch_blocks(tasks, block, err);
        if (rc != SMAP_ENOTSUP)
            return rc;
        struct smap_error reason = *err;
        if (placement_is("launch"))
            return smap_fail(err, SMAP_EINVAL, "--stencil-placement=launch: not possible: %s",
                             reason.text);
        decision.why_comm = strdup(reason.text);
    }
    decision.block = block;
    return SMAP_OK;
}

static void decide_order(void)
{
    struct smap_error err = {""};
    if (srunopts_isset("cpu-bind")) {
        if (asked() || settings()->verbose)
            slurm_info("stencilmap: --cpu-bind is set and stays in force, --rank-order is not "
                       "applied");
        return;
    }
    /* With a mapping, the mapping says which node. */
    if (!options_get(OPTION_MAP) && interleave_nodes(task_count(), &err) != SMAP_OK)
        refuse(err.text);
}

/* Options that only make sense beside another one. */
static const char *missing_partner(char *text, size_t size)
{
    static const enum option needs_map[] = {OPTION_STENCIL,   OPTION_DIMS,   OPTION_PERIODIC,
                                            OPTION_PLACEMENT, OPTION_EFFORT, OPTION_OBJECTIVE};
    for (size_t i = 0; i < sizeof(needs_map) / sizeof(needs_map[0]); i++) {
        const char *value = options_get(needs_map[i]);
        if (options_get(OPTION_MAP) || options_origin(OPTION_MAP) != ORIGIN_NONE ||
            (needs_map[i] == OPTION_PLACEMENT && options_get(OPTION_ORDER)))
            continue;
        if (value && options_origin(needs_map[i]) == ORIGIN_COMMAND_LINE) {
            snprintf(text, size, "--%s=%.120s: there is no --stencil-map for it",
                     options_name(needs_map[i]), value);
            return text;
        }
    }
    if (options_origin(OPTION_HIERARCHY) == ORIGIN_COMMAND_LINE &&
        options_origin(OPTION_ORDER) == ORIGIN_NONE && options_origin(OPTION_MAP) == ORIGIN_NONE) {
        snprintf(text, size,
                 "--rank-hierarchy=%.120s: there is no --rank-order or --stencil-map for it",
                 options_get(OPTION_HIERARCHY));
        return text;
    }
    return NULL;
}

void srun_init_post_opt(spank_t spank)
{
    struct smap_error err = {""};
    char text[512];
    (void)spank;
    if (decision.components++ == 0) {
        options_read_environment();
        read_defaults();
    }
    const char *missing = missing_partner(text, sizeof(text));
    if (missing) {
        refuse(missing);
        return;
    }
    if (!options_get(OPTION_MAP) && !options_get(OPTION_ORDER))
        return;
    if (daemons_launched()) {
        options_clear();
        return;
    }
    if (decision.components > 1) {
        refuse("the components of a heterogeneous step cannot be mapped together; "
               "use one srun per component");
        return;
    }
    tell_origins();
    if (options_get(OPTION_MAP)) {
        struct smap_request wanted = request();
        uint32_t tasks = task_count();
        struct smap_problem problem = {0};
        int rc = smap_problem_init(tasks ? &problem : NULL, &wanted, tasks, &err);
        smap_problem_release(&problem);
        if (rc != SMAP_OK)
            refuse(err.text);
        else
            choose_placement(tasks);
    }
    if (options_get(OPTION_ORDER))
        decide_order();
}

/* Placement comm: the layout is Slurm's, so the plan is made on the real one. */
static int plan_on_real_layout(const struct allocation *real, struct smap_error *err)
{
    struct smap_request wanted = request();
    wanted.keep_blocks = true; /* slurmstepd takes them in order */
    smap_plan_destroy(decision.plan);
    decision.plan = NULL;
    int rc = smap_plan_create(&decision.plan, &wanted, real->sizes, real->node_of_rank, err);
    if (rc == SMAP_OK)
        decision.nothing_gained = !decision.plan->gains;
    return rc;
}

static void set_number(enum handover variable, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, value);
    handover_set(variable, text);
}

/* What slurmstepd finds its tasks' cells with, in placement comm (with launch, ranks are cells). A
 * result of the search that has no short form is searched for again there, and found. */
static void hand_over_form(const struct smap_request *wanted)
{
    char *form = smap_best_encode(decision.plan->mapping);
    handover_set(HANDOVER_FORM, form ? form : wanted->map);
    handover_set(HANDOVER_EFFORT, wanted->effort);
    handover_set(HANDOVER_OBJECTIVE, wanted->objective);
    free(form);
}

static void hand_over_plan(const char *placement)
{
    const struct smap_plan *plan = decision.plan;
    struct smap_request wanted = request();
    const struct smap_score *score = decision.nothing_gained ? &plan->before : &plan->after;
    char *dims = smap_problem_dims(&plan->problem);
    char *periodic = smap_problem_periodic(&plan->problem);
    char *sizes = smap_nodesizes_format(plan->instance.sizes);
    handover_set(HANDOVER_MAP, wanted.map);
    hand_over_form(&wanted);
    handover_set(HANDOVER_PLACEMENT, placement);
    handover_set(HANDOVER_STENCIL, wanted.stencil ? wanted.stencil : "nn");
    handover_set(HANDOVER_DIMS, dims);
    handover_set(HANDOVER_PERIODIC, periodic);
    handover_set(HANDOVER_NODE_SIZES, sizes);
    set_number(HANDOVER_JSUM, score->jsum);
    set_number(HANDOVER_JMAX, score->jmax);
    free(dims);
    free(periodic);
    free(sizes);
}

static void print_report(const char *placement)
{
    struct smap_error err = {""};
    struct smap_request wanted = request();
    const char *mode = options_get(OPTION_REPORT);
    if (!asked() && !settings()->verbose)
        return;
    char *summary = smap_plan_summary(decision.plan, &wanted);
    slurm_info("stencilmap: %s%s%s%s%s%s", summary ? summary : "",
               decision.nothing_gained ? "" : " (", decision.nothing_gained ? "" : placement,
               decision.why_comm && !decision.nothing_gained ? ": " : "",
               decision.why_comm && !decision.nothing_gained ? decision.why_comm : "",
               decision.nothing_gained ? "" : ")");
    free(summary);
    if (!mode)
        return;
    char *report =
        smap_plan_report(decision.plan, &wanted, placement, strcmp(mode, "full") == 0, &err);
    fputs(report ? report : "", stderr);
    free(report);
}

/* The ranks of an order, where they are only told. */
static void hand_over_ranks(const struct allocation *real)
{
    char *sizes = smap_nodesizes_format(real->sizes);
    set_number(HANDOVER_BLOCK, decision.block);
    handover_set(HANDOVER_NODE_SIZES, sizes);
    free(sizes);
    if (asked() || settings()->verbose)
        slurm_info("stencilmap: --rank-order=%s: ranks stay on their nodes, STENCILMAP_RANK is the "
                   "rank in the order (comm%s%s)",
                   options_get(OPTION_ORDER), decision.why_comm ? ": " : "",
                   decision.why_comm ? decision.why_comm : "");
}

static void carry_out(const struct allocation *real)
{
    struct smap_error err = {""};
    const char *placement = launch_asked() ? "launch" : "comm";
    if (launch_asked())
        mpi_hand_over(real);
    if (launch_asked() && !launch_is_as_asked(real)) {
        slurm_error("stencilmap: Slurm did not lay out the tasks as asked; no hints are given");
        return;
    }
    if (decision.block)
        hand_over_ranks(real);
    if (!options_get(OPTION_MAP))
        return;
    if (!launch_asked()) {
        int rc = plan_on_real_layout(real, &err);
        if (rc != SMAP_OK) {
            refuse(err.text);
            return;
        }
    }
    hand_over_plan(decision.nothing_gained ? "none" : placement);
    print_report(placement);
}

void srun_local_user_init(spank_t spank)
{
    struct smap_error err = {""};
    struct allocation real = {0};
    if (!options_get(OPTION_MAP) && !options_get(OPTION_ORDER))
        return; /* nothing is handed over, and nothing can leak */
    if (options_get(OPTION_MAP) || launch_asked() || decision.block) {
        if (steplayout_read(&real, spank, &err) == SMAP_OK)
            carry_out(&real);
        else
            slurm_error("stencilmap: no hints are given: %s", err.text);
    }
    handover_set(HANDOVER_ORDER, options_get(OPTION_ORDER));
    handover_set(HANDOVER_HIERARCHY, options_get(OPTION_HIERARCHY));
    if (srunopts_available())
        handover_set(HANDOVER_CPU_BIND, srunopts_isset("cpu-bind") ? "user" : "slurm");
    if (options_get(OPTION_ORDER) && options_origin(OPTION_ORDER) != ORIGIN_COMMAND_LINE)
        handover_set(HANDOVER_QUIET,
                     options_origin(OPTION_ORDER) > ORIGIN_PARTITION || settings()->verbose
                         ? "first"
                         : "none");
    handover_set(HANDOVER_REPORT, asked() ? options_get(OPTION_REPORT) : NULL);
    launch_put_back();
    smap_plan_destroy(decision.plan);
    decision.plan = NULL;
    smap_outer_clear(&decision.outer);
    allocation_release(&decision.own);
    allocation_release(&real);
    launch_release();
    free(decision.why_comm);
    decision.why_comm = NULL;
}
