/* SPDX-License-Identifier: BSD-3-Clause */
/* The slurmstepd side. Nothing here fails a step: what does not work leaves the task as Slurm made
 * it. */
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contexts.h"
#include "env.h"
#include "handover.h"
#include "options.h"
#include "settings.h"
#include "stepd/gpus.h"
#include "stepd/hints.h"
#include "stepd/inject.h"
#include "stepd/items.h"
#include "stepd/pmi2.h"
#include "stepd/share.h"
#include "stepd/tasks.h"
#include "stepd/voice.h"

/* Worked out once in user_init and the same in all hooks after it: the tasks are forked later and
 * see it too. */
static struct {
    bool accepted;  /* what srun handed over is good */
    bool active;    /* srun handed something over that concerns this node's tasks */
    bool published; /* as PMIx keys */
    struct handover_values handed;
    struct items items;
    struct share share;
    struct tasks *tasks;
} node;

static bool is_normal_step(spank_t spank)
{
    uint32_t step = SLURM_BATCH_SCRIPT;
    return spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
           step <= SLURM_MAX_NORMAL_STEP_ID;
}

/* Now SLURM_CPU_BIND is in the job's environment if the user chose the binding himself (later it
 * always is), but also for --hint, --threads-per-core, --ntasks-per-core and --ntasks-per-socket,
 * from which Slurm makes one. srun can tell. */
static bool user_bound_cpus(const struct handover_values *handed, char **env)
{
    const char *who = handed->value[HANDOVER_CPU_BIND];
    return env_chooses_binding(env_get(env, "SLURM_CPU_BIND")) &&
           !(who && strcmp(who, "slurm") == 0);
}

static enum tasks_report wanted_report(const char *report, bool first)
{
    if (!report)
        return TASKS_SILENT;
    if (strcmp(report, "full") == 0)
        return TASKS_TABLE;
    return first ? TASKS_LINE : TASKS_SILENT;
}

/* Why the tasks may not get each other's masks, for the report; NULL: they may. */
static const char *why_masks_stay(const struct handover_values *handed, bool gpus)
{
    const char *masks = handed->value[HANDOVER_MASKS];
    const char *placement = handed->value[HANDOVER_PLACEMENT];
    if (placement && strcmp(placement, "comm") == 0)
        return "bound by Slurm (ranks become cells in MPI only)";
    if (masks && strcmp(masks, "stay") == 0)
        return "bound by Slurm (--distribution names the sockets)";
    if (gpus && !(masks && strcmp(masks, "lead") == 0))
        return "bound by Slurm (GPUs are bound by local task ids)";
    return NULL;
}

/* The order; a default of the site's is not meant for tasks with GPUs, wherever these are. */
static const char *order_for(const struct handover_values *handed, bool gpus)
{
    return gpus && handed->value[HANDOVER_ORDER_BY] ? NULL : handed->value[HANDOVER_ORDER];
}

static struct tasks_request tasks_request(const struct handover_values *handed,
                                          const struct items *items, const struct share *share,
                                          char **env)
{
    bool first = items->node == 0, gpus = gpus_are_there(env);
    return (struct tasks_request){
        .voice = voice_for(handed, env, items->node, VOICE_OF_KIND),
        .order = order_for(handed, gpus),
        .hierarchy = handed->value[HANDOVER_HIERARCHY],
        .step_gpus = env_get(env, "SLURM_STEP_GPUS"),
        .topology = settings()->topology,
        .strict = settings()->strict,
        .cpus_ours = !user_bound_cpus(handed, env),
        .masks_stay = why_masks_stay(handed, gpus),
        .memory_ours = !env_chooses_binding(env_get(env, "SLURM_MEM_BIND")),
        .report = wanted_report(handed->value[HANDOVER_REPORT], first),
        .share = share,
        .items = items,
    };
}

void stepd_init_post_opt(spank_t spank)
{
    if (is_normal_step(spank))
        pmi2_prepare(spank, items_env(spank));
}

/* What is wrong with a hand-over is so on every node, but for what does not fit this one. */
static enum voice voice_of_hand_over(spank_t spank, int rc)
{
    return voice_for(&node.handed, items_env(spank), items_number(spank, S_JOB_NODEID),
                     rc == SMAP_EINVAL ? VOICE_OF_STEP : VOICE_OF_NODE);
}

void stepd_user_init(spank_t spank)
{
    struct smap_error err = {""};
    if (!is_normal_step(spank))
        return;
    handover_read(&node.handed, items_env(spank));
    int rc = handover_check(&node.handed, &err);
    if (rc != SMAP_OK) {
        voice_say(voice_of_hand_over(spank, rc), "%s: tasks are left as Slurm made them", err.text);
        return;
    }
    node.accepted = true;
    if (!node.handed.value[HANDOVER_PLACEMENT] && !node.handed.value[HANDOVER_ORDER])
        return;
    settings_read(NULL);
    rc = items_read(&node.items, spank, &err);
    node.active = node.items.tasks > 0;
    if (rc == SMAP_OK && node.active)
        rc = share_find(&node.share, &node.handed, &node.items, &err);
    if (rc != SMAP_OK) {
        voice_say(voice_of_hand_over(spank, rc), "tasks are left as Slurm made them: %s", err.text);
        return;
    }
    if (node.share.unread.text[0])
        voice_say(voice_of_hand_over(spank, SMAP_EINVAL),
                  "--stencil=%.120s: %s: tasks are not placed inside the nodes",
                  node.handed.value[HANDOVER_STENCIL], node.share.unread.text);
    const struct tasks_request request =
        tasks_request(&node.handed, &node.items, &node.share, items_env(spank));
    if (node.active)
        tasks_create(&node.tasks, &request);
    if (node.active && settings()->pmix)
        node.published = hints_publish(&node.handed, &node.share, &node.items);
}

/* The number of the task that this hook is about; false if it is none of ours. */
static bool local_task(spank_t spank, uint32_t *local)
{
    int id = -1;
    if (!node.active || spank_get_item(spank, S_TASK_ID, &id) != ESPANK_SUCCESS || id < 0)
        return false;
    *local = (uint32_t)id;
    return *local < node.items.tasks;
}

void stepd_task_post_fork(spank_t spank)
{
    uint32_t local;
    pid_t pid = 0;
    if (!local_task(spank, &local) || spank_get_item(spank, S_TASK_PID, &pid) != ESPANK_SUCCESS ||
        !items_forked(&node.items, local, pid))
        return;
    tasks_bind(node.tasks, spank);
    if (node.published)
        hints_publish_cpus(&node.items);
}

void stepd_task_init(spank_t spank)
{
    uint32_t local;
    if (node.handed.value[HANDOVER_STOP])
        _exit(EXIT_FAILURE); /* in the task: srun has said why */
    if (local_task(spank, &local)) {
        tasks_own_memory(node.tasks, local);
        hints_set(spank, &node.handed, &node.share, local);
    }
    if (node.accepted)
        inject(spank, &node.handed);
    /* Also where the tasks are left alone: what srun handed over is not for them. */
    if (node.handed.any)
        hints_clean(spank);
    options_unset_remote(spank);
}

void stepd_exit(void)
{
    tasks_destroy(node.tasks);
    share_clear(&node.share);
    items_clear(&node.items);
    handover_release(&node.handed);
    node.tasks = NULL;
    node.active = node.accepted = node.published = false;
}
