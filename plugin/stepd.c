/* SPDX-License-Identifier: BSD-3-Clause */
/* The slurmstepd side. Nothing here fails a step: what does not work leaves the task as Slurm made
 * it. */
#include <inttypes.h>
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "handover.h"
#include "hints.h"
#include "place.h"
#include "plan.h"
#include "pmix.h"
#include "settings.h"
#include "text.h"

/* This node's part of the step, worked out once in user_init. The tasks are forked later and see
 * it too. */
static struct {
    bool active; /* srun handed something over */
    bool mapped; /* a mapping is in force: problem and cell are valid */
    struct handover_values handed;
    struct smap_problem problem;
    uint32_t tasks; /* on this node */
    uint32_t *cell; /* of each local task */
    uint32_t *seat; /* its place among the node's tasks in the mapping's enumeration */
    pid_t *pids;    /* known from task_post_fork on */
} node;

static char **job_env(spank_t spank)
{
    char **env = NULL;
    return spank_get_item(spank, S_JOB_ENV, &env) == ESPANK_SUCCESS ? env : NULL;
}

static bool is_normal_step(spank_t spank)
{
    uint32_t step = SLURM_BATCH_SCRIPT;
    return spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
           step <= SLURM_MAX_NORMAL_STEP_ID;
}

static uint32_t item(spank_t spank, spank_item_t which)
{
    uint32_t value = 0;
    return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : 0;
}

struct seated {
    uint32_t task;
    uint32_t position;
};

static int by_position(const void *a, const void *b)
{
    const struct seated *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

/* The node of the step that this is, in the order that the step's node sizes are listed in. */
static int find_cells(spank_t spank, const struct smap_mapping *mapping,
                      const struct smap_nodesizes *sizes, bool launch, struct seated seated[],
                      struct smap_error *err)
{
    uint32_t self = item(spank, S_JOB_NODEID);
    if (!launch &&
        (self >= smap_nodesizes_nodes(sizes) || smap_nodesizes_size(sizes, self) != node.tasks))
        return smap_fail(err, SMAP_EINVAL, "node %" PRIu32 " runs other tasks than srun said",
                         self);
    for (uint32_t local = 0; local < node.tasks; local++) {
        uint32_t global = 0, position = 0;
        if (launch) {
            spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &global);
            if (global >= node.problem.grid.cells)
                return smap_fail(err, SMAP_EINVAL, "rank %" PRIu32 " is not on the grid", global);
            node.cell[local] = global;
            position = smap_mapping_position(mapping, global);
        } else {
            position = smap_nodesizes_first(sizes, self) + local;
            node.cell[local] = smap_mapping_cell(mapping, position);
        }
        seated[local] = (struct seated){local, position};
    }
    return SMAP_OK;
}

/* Fills cell and seat: the mapping again, for this node's tasks only. */
static int seat_tasks(spank_t spank, struct smap_error *err)
{
    const char *sizes_text = node.handed.value[HANDOVER_NODE_SIZES];
    struct smap_request request = {
        .map = node.handed.value[HANDOVER_FORM],
        .stencil = node.handed.value[HANDOVER_STENCIL],
        .dims = node.handed.value[HANDOVER_DIMS],
        .periodic = node.handed.value[HANDOVER_PERIODIC],
        .effort = node.handed.value[HANDOVER_EFFORT],
        .objective = node.handed.value[HANDOVER_OBJECTIVE],
    };
    struct smap_mapping_options options = {0};
    struct smap_nodesizes *sizes = NULL;
    struct smap_mapping *mapping = NULL;
    struct seated *seated = calloc(node.tasks, sizeof(*seated));
    bool launch = strcmp(node.handed.value[HANDOVER_PLACEMENT], "launch") == 0;
    int rc = seated ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK && (!request.map || !sizes_text))
        rc = smap_fail(err, SMAP_EINVAL, "srun handed over half a mapping");
    if (rc == SMAP_OK)
        rc = smap_nodesizes_parse(&sizes, sizes_text, err);
    if (rc == SMAP_OK)
        rc = smap_problem_init(&node.problem, &request, smap_nodesizes_tasks(sizes), err);
    if (rc == SMAP_OK)
        rc = smap_request_options(&options, &request, err);
    if (rc == SMAP_OK)
        rc = smap_mapping_create_with(&mapping, request.map, &options, &node.problem.grid,
                                      node.problem.stencil, sizes, err);
    if (rc == SMAP_OK)
        rc = find_cells(spank, mapping, sizes, launch, seated, err);
    if (rc == SMAP_OK) {
        qsort(seated, node.tasks, sizeof(*seated), by_position);
        for (uint32_t k = 0; k < node.tasks; k++)
            node.seat[seated[k].task] = k;
    }
    smap_mapping_destroy(mapping);
    smap_nodesizes_destroy(sizes);
    free(seated);
    return rc;
}

/* Nothing gained: every rank is its own cell. */
static int seat_identity(spank_t spank, struct smap_error *err)
{
    struct smap_request request = {
        .stencil = node.handed.value[HANDOVER_STENCIL],
        .dims = node.handed.value[HANDOVER_DIMS],
        .periodic = node.handed.value[HANDOVER_PERIODIC],
    };
    int rc = smap_problem_init(&node.problem, &request, item(spank, S_JOB_TOTAL_TASK_COUNT), err);
    for (uint32_t local = 0; rc == SMAP_OK && local < node.tasks; local++)
        spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &node.cell[local]);
    return rc;
}

static void publish(spank_t spank)
{
    static const struct {
        const char *key;
        enum handover variable;
    } keys[] = {
        {"stencilmap.map", HANDOVER_MAP},           {"stencilmap.placement", HANDOVER_PLACEMENT},
        {"stencilmap.stencil", HANDOVER_STENCIL},   {"stencilmap.dims", HANDOVER_DIMS},
        {"stencilmap.periodic", HANDOVER_PERIODIC}, {"stencilmap.node_sizes", HANDOVER_NODE_SIZES},
        {"stencilmap.jsum", HANDOVER_JSUM},         {"stencilmap.jmax", HANDOVER_JMAX},
    };
    struct pmix_publisher *publisher = pmix_open(item(spank, S_JOB_ID), item(spank, S_JOB_STEPID));
    if (!publisher)
        return;
    pmix_publish(publisher, PMIX_ALL_RANKS, "stencilmap.version", STENCILMAP_VERSION);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        pmix_publish(publisher, PMIX_ALL_RANKS, keys[i].key, node.handed.value[keys[i].variable]);
    for (uint32_t local = 0; local < node.tasks; local++) {
        struct smap_text rank = {0};
        uint32_t global = 0;
        char *coords = smap_problem_coords(&node.problem, node.cell[local]);
        spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &global);
        smap_text_add(&rank, "%" PRIu32, node.cell[local]);
        char *cell = smap_text_take(&rank);
        pmix_publish(publisher, global, "stencilmap.rank", cell);
        pmix_publish(publisher, global, "stencilmap.coords", coords);
        free(cell);
        free(coords);
    }
    pmix_close(publisher);
}

static int allocate(struct smap_error *err)
{
    node.cell = calloc(node.tasks, sizeof(*node.cell));
    node.seat = calloc(node.tasks, sizeof(*node.seat));
    if (!node.cell || !node.seat)
        return smap_nomem(err);
    for (uint32_t local = 0; local < node.tasks; local++)
        node.seat[local] = local;
    return SMAP_OK;
}

/* Now SLURM_CPU_BIND is in the job's environment if the user chose the binding himself (later it
 * always is), but also for --hint, --threads-per-core, --ntasks-per-core and --ntasks-per-socket,
 * from which Slurm makes one. srun can tell. */
static bool user_bound_cpus(char **env)
{
    const char *who = node.handed.value[HANDOVER_CPU_BIND];
    return handover_getenv(env, "SLURM_CPU_BIND") && !(who && strcmp(who, "slurm") == 0);
}

static void prepare_places(char **env, bool gains)
{
    const char *report = node.handed.value[HANDOVER_REPORT];
    const struct place_request request = {
        .order = node.handed.value[HANDOVER_ORDER],
        .hierarchy = node.handed.value[HANDOVER_HIERARCHY],
        .topology = settings()->topology,
        .mapped = gains,
        .cpus_ours = !user_bound_cpus(env),
        .memory_ours = !handover_getenv(env, "SLURM_MEM_BIND"),
        .report = report && strcmp(report, "full") == 0,
        .problem = node.mapped ? &node.problem : NULL,
        .cell = node.cell,
        .seat = node.seat,
        .tasks = node.tasks,
    };
    place_prepare(&request);
}

void stepd_user_init(spank_t spank)
{
    struct smap_error err = {""};
    char **env = job_env(spank);
    if (!is_normal_step(spank))
        return;
    handover_read(&node.handed, env);
    const char *placement = node.handed.value[HANDOVER_PLACEMENT];
    const char *order = node.handed.value[HANDOVER_ORDER];
    node.tasks = item(spank, S_JOB_LOCAL_TASK_COUNT);
    node.active = (placement || order) && node.tasks > 0;
    if (!node.active)
        return;
    settings_read(NULL);
    int rc = allocate(&err);
    bool gains = placement && strcmp(placement, "none") != 0;
    if (rc == SMAP_OK && placement)
        rc = gains ? seat_tasks(spank, &err) : seat_identity(spank, &err);
    if (rc != SMAP_OK) {
        slurm_error("stencilmap: tasks are left as Slurm made them: %s", err.text);
        return;
    }
    node.mapped = placement != NULL;
    prepare_places(env, gains);
    if (node.mapped && settings()->pmix)
        publish(spank);
}

void stepd_task_post_fork(spank_t spank)
{
    int local = -1;
    pid_t pid = 0;
    if (node.active && spank_get_item(spank, S_TASK_ID, &local) == ESPANK_SUCCESS && local >= 0 &&
        spank_get_item(spank, S_TASK_PID, &pid) == ESPANK_SUCCESS)
        place_forked(spank, (uint32_t)local, pid);
}

void stepd_task_init(spank_t spank)
{
    int local = -1;
    if (node.active && spank_get_item(spank, S_TASK_ID, &local) == ESPANK_SUCCESS && local >= 0 &&
        (uint32_t)local < node.tasks) {
        place_own_memory((uint32_t)local);
        hints_set(spank, &node.handed, node.mapped ? &node.problem : NULL,
                  node.cell ? node.cell[local] : 0);
    }
    /* Also where the tasks are left alone: what srun handed over is not for them. */
    if (handover_any(&node.handed))
        hints_clean(spank, &node.handed);
}

void stepd_exit(void)
{
    handover_release(&node.handed);
    smap_problem_release(&node.problem);
    place_release();
    free(node.cell);
    free(node.seat);
    node.cell = node.seat = NULL;
    node.active = node.mapped = false;
}
