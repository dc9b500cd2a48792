/* SPDX-License-Identifier: BSD-3-Clause */
/* The slurmstepd side. Nothing here fails a step: what does not work leaves the task as Slurm made
 * it. */
#include <inttypes.h>
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "contexts.h"
#include "handover.h"
#include "plan/plan.h"
#include "settings.h"
#include "step/layout.h"
#include "stepd/hints.h"
#include "stepd/place.h"
#include "stepd/pmi2.h"
#include "stepd/pmix.h"

/* This node's part of the step, worked out once in user_init. The tasks are forked later and see
 * it too. */
static struct {
    bool active; /* srun handed something over */
    bool mapped; /* a mapping is in force: problem and cell are valid */
    struct handover_values handed;
    struct smap_problem problem;
    uint32_t tasks; /* on this node */
    uint32_t *cell; /* of each local task; without a mapping its rank in an order, if ranked */
    bool ranked;
    pid_t *pids; /* known from task_post_fork on */
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

/* Placement comm: the node's stretch of the mapping's enumeration. It is the node's place in the
 * step that counts, in the order that the sizes are listed in. */
static int find_cells(spank_t spank, const struct smap_mapping *mapping,
                      const struct smap_nodesizes *sizes, struct smap_error *err)
{
    uint32_t self = item(spank, S_JOB_NODEID);
    if (self >= smap_nodesizes_nodes(sizes) || smap_nodesizes_size(sizes, self) != node.tasks)
        return smap_fail(err, SMAP_EINVAL, "node %" PRIu32 " runs other tasks than srun said",
                         self);
    for (uint32_t local = 0; local < node.tasks; local++)
        node.cell[local] = smap_mapping_cell(mapping, smap_nodesizes_first(sizes, self) + local);
    return SMAP_OK;
}

static struct smap_request handed_request(void)
{
    char **value = node.handed.value;
    return (struct smap_request){
        .map = value[HANDOVER_FORM],
        .stencil = value[HANDOVER_STENCIL],
        .dims = value[HANDOVER_DIMS],
        .periodic = value[HANDOVER_PERIODIC],
        .effort = value[HANDOVER_EFFORT],
        .objective = value[HANDOVER_OBJECTIVE],
        .hierarchy = value[HANDOVER_HIERARCHY],
        .order = value[HANDOVER_ORDER],
    };
}

/* Placement comm: the mapping again, for this node's tasks only. */
static int map_tasks(spank_t spank, struct smap_error *err)
{
    const char *sizes_text = node.handed.value[HANDOVER_NODE_SIZES];
    const struct smap_request request = handed_request();
    struct smap_mapping_options options;
    struct smap_levels levels;
    struct smap_nodesizes *sizes = NULL;
    struct smap_mapping *mapping = NULL;
    if (!request.map || !sizes_text)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half a mapping");
    int rc = smap_nodesizes_parse(&sizes, sizes_text, err);
    if (rc == SMAP_OK)
        rc = smap_problem_init(&node.problem, &request, smap_nodesizes_tasks(sizes), err);
    if (rc == SMAP_OK)
        rc = smap_request_options(&options, &levels, &request, sizes, err);
    const struct smap_instance instance = smap_problem_on(&node.problem, sizes);
    if (rc == SMAP_OK)
        rc = smap_mapping_create(&mapping, request.map, &instance, &options, err);
    if (rc == SMAP_OK)
        rc = find_cells(spank, mapping, sizes, err);
    smap_mapping_destroy(mapping);
    smap_nodesizes_destroy(sizes);
    return rc;
}

/* Placement launch, and where nothing is gained: every rank is its own cell. */
static int map_identity(spank_t spank, struct smap_error *err)
{
    struct smap_request request = handed_request();
    request.map = NULL;
    int rc = smap_problem_init(&node.problem, &request, item(spank, S_JOB_TOTAL_TASK_COUNT), err);
    for (uint32_t local = 0; rc == SMAP_OK && local < node.tasks; local++)
        if (spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &node.cell[local]) !=
                ESPANK_SUCCESS ||
            node.cell[local] >= node.problem.grid.cells)
            rc = smap_fail(err, SMAP_EINVAL, "a rank of this node is not on the grid");
    return rc;
}

/* The order deals the ranks to the nodes in blocks: which of them this node's tasks would be. */
static int rank_tasks(spank_t spank, struct smap_error *err)
{
    const char *block_text = node.handed.value[HANDOVER_BLOCK];
    const char *sizes_text = node.handed.value[HANDOVER_NODE_SIZES];
    uint32_t self = item(spank, S_JOB_NODEID);
    uint64_t block;
    struct smap_nodesizes *sizes = NULL;
    if (!smap_scan_uint(&block_text, UINT32_MAX, &block) || block == 0 || !sizes_text)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half an order");
    int rc = smap_nodesizes_parse(&sizes, sizes_text, err);
    if (rc == SMAP_OK &&
        (self >= smap_nodesizes_nodes(sizes) || smap_nodesizes_size(sizes, self) != node.tasks))
        rc = smap_fail(err, SMAP_EINVAL, "node %" PRIu32 " runs other tasks than srun said", self);
    for (uint32_t local = 0; rc == SMAP_OK && local < node.tasks; local++)
        node.cell[local] = smap_layout_block_rank(sizes, (uint32_t)block, self, local);
    smap_nodesizes_destroy(sizes);
    node.ranked = rc == SMAP_OK;
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
        char *coords = node.mapped ? smap_problem_coords(&node.problem, node.cell[local]) : NULL;
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
    return node.cell ? SMAP_OK : smap_nomem(err);
}

/* Now SLURM_CPU_BIND is in the job's environment if the user chose the binding himself (later it
 * always is), but also for --hint, --threads-per-core, --ntasks-per-core and --ntasks-per-socket,
 * from which Slurm makes one. srun can tell. */
static bool user_bound_cpus(char **env)
{
    const char *who = node.handed.value[HANDOVER_CPU_BIND];
    return handover_getenv(env, "SLURM_CPU_BIND") && !(who && strcmp(who, "slurm") == 0);
}

static void prepare_places(spank_t spank, char **env)
{
    const char *report = node.handed.value[HANDOVER_REPORT];
    const char *quiet = node.handed.value[HANDOVER_QUIET];
    const struct place_request request = {
        .quiet = quiet && (strcmp(quiet, "none") == 0 || item(spank, S_JOB_NODEID) > 0),
        .order = node.handed.value[HANDOVER_ORDER],
        .hierarchy = node.handed.value[HANDOVER_HIERARCHY],
        .topology = settings()->topology,
        .strict = settings()->strict,
        .mapped = node.mapped,
        .cpus_ours = !user_bound_cpus(env),
        .memory_ours = !handover_getenv(env, "SLURM_MEM_BIND"),
        .report = !report                       ? PLACE_SILENT
                  : strcmp(report, "full") == 0 ? PLACE_TABLE
                  : item(spank, S_JOB_NODEID)   ? PLACE_SILENT
                                                : PLACE_LINE,
        .problem = node.mapped ? &node.problem : NULL,
        .cell = node.cell,
        .tasks = node.tasks,
    };
    place_prepare(&request);
}

void stepd_init_post_opt(spank_t spank)
{
    if (is_normal_step(spank))
        pmi2_prepare(spank, job_env(spank));
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
    /* Also where nothing is gained between the nodes, there may be something inside of them. */
    if (rc == SMAP_OK && placement)
        rc = strcmp(placement, "comm") == 0 ? map_tasks(spank, &err) : map_identity(spank, &err);
    if (rc == SMAP_OK && node.handed.value[HANDOVER_BLOCK])
        rc = rank_tasks(spank, &err);
    if (rc != SMAP_OK) {
        slurm_error("stencilmap: tasks are left as Slurm made them: %s", err.text);
        return;
    }
    node.mapped = placement != NULL;
    prepare_places(spank, env);
    if ((node.mapped || node.ranked) && settings()->pmix)
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
        if (node.ranked)
            hints_set_order(spank, &node.handed, node.cell[local]);
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
    node.cell = NULL;
    node.active = node.mapped = node.ranked = false;
}
