/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/tasks.h"

#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "stepd/bind.h"
#include "stepd/nodetable.h"
#include "stepd/own.h"

struct tasks {
    struct tasks_request request;
    struct smap_topology *topology;
    /* The tasks are copies of this process made before it knows how binding went; this they share.
     */
    volatile bool *bound;
};

static bool wants_memory(const char *order)
{
    static const char word[] = ",membind";
    size_t length = order ? strlen(order) : 0;
    return length >= sizeof(word) && strcmp(order + length - (sizeof(word) - 1), word) == 0;
}

static volatile bool *shared_flag(void)
{
    void *page =
        mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? NULL : page;
}

/* May tasks get other cpus than Slurm has given them? */
static bool binds(const struct tasks_request *request)
{
    return request->cpus_ours &&
           (request->order || (request->share->mapped && !request->masks_stay));
}

/* Is something to be told that must be looked up? */
static bool tells(const struct tasks_request *request)
{
    return request->report == TASKS_TABLE ||
           (request->report == TASKS_LINE && request->share->mapped && request->cpus_ours);
}

void tasks_create(struct tasks **tasks, const struct tasks_request *request)
{
    struct smap_error err = {""};
    const struct smap_topology_source source = {
        .xml = request->topology,
        .gpus = smap_topology_wants_gpus(request->order, request->hierarchy),
    };
    *tasks = NULL;
    if (!binds(request) && !tells(request))
        return;
    struct tasks *made = calloc(1, sizeof(*made));
    if (!made)
        return;
    made->request = *request;
    made->bound = shared_flag();
    if (smap_topology_load(&made->topology, &source, &err) == SMAP_OK) {
        if (request->step_gpus)
            smap_topology_keep_gpus(made->topology, request->step_gpus);
        *tasks = made;
        return;
    }
    voice_say(request->voice, "tasks are left where Slurm bound them: %s", err.text);
    tasks_destroy(made);
}

void tasks_destroy(struct tasks *tasks)
{
    if (!tasks)
        return;
    smap_topology_destroy(tasks->topology);
    if (tasks->bound)
        munmap((void *)tasks->bound, sizeof(bool));
    free(tasks);
}

/* Slurm may count cores or their threads as cpus, whatever the machine has. */
static uint32_t cpus_per_core(spank_t spank, size_t cores)
{
    uint16_t cpus = 0;
    if (spank_get_item(spank, S_JOB_NCPUS, &cpus) != ESPANK_SUCCESS || cores == 0)
        return 0;
    return (uint32_t)((cpus + cores - 1) / cores);
}

static struct bind_request bind_request(const struct tasks_request *tasks, spank_t spank)
{
    char *cores = NULL;
    struct bind_request request = {
        .order = tasks->order,
        .hierarchy = tasks->hierarchy,
        .nodes = tasks->items->nodes,
        .cpus_per_task = items_number(spank, S_STEP_CPUS_PER_TASK),
        .threads_per_core = items_limit(spank, "SLURM_THREADS_PER_CORE"),
        .tasks_per_core = items_limit(spank, "SLURM_NTASKS_PER_CORE"),
        .tasks_per_socket = items_limit(spank, "SLURM_NTASKS_PER_SOCKET"),
        .strict = tasks->strict,
        .problem = tasks->share->mapped ? &tasks->share->problem : NULL,
        .cell = tasks->share->mapped ? tasks->share->cell : NULL,
        .seats_by_cells = !tasks->masks_stay,
    };
    if (spank_get_item(spank, S_STEP_ALLOC_CORES, &cores) == ESPANK_SUCCESS)
        request.cores = cores;
    request.core_count = smap_list_length(cores);
    request.cpus_per_core = cpus_per_core(spank, request.core_count);
    if (request.cpus_per_task >= NO_VAL16) /* not set, in 16 or 32 bits */
        request.cpus_per_task = 1;
    return request;
}

static const char *what_bound(const struct tasks *tasks)
{
    bool mapped = tasks->request.share->mapped;
    if (!tasks->request.cpus_ours)
        return "bound by the user's --cpu-bind";
    if (!tasks->bound || !*tasks->bound)
        return tasks->request.masks_stay ? tasks->request.masks_stay : "bound by Slurm";
    if (!tasks->request.order)
        return "Slurm's masks, tasks by --stencil-map";
    return mapped && !tasks->request.masks_stay ? "cores by --rank-order, tasks by --stencil-map"
                                                : "bound by --rank-order";
}

static void report(const struct tasks *tasks, const char *node, const struct bind_outcome *outcome)
{
    const struct share *share = tasks->request.share;
    const struct nodetable table = {
        .node = node,
        .bound = what_bound(tasks),
        .topology = tasks->topology,
        .problem = share->mapped ? &share->problem : NULL,
        .cell = share->cell,
        .outcome = outcome,
        .rank = tasks->request.items->rank,
        .pids = tasks->request.items->pid,
        .count = tasks->request.items->tasks,
    };
    char *text = tasks->request.report == TASKS_TABLE  ? nodetable_text(&table)
                 : tasks->request.report == TASKS_LINE ? nodetable_line(node, outcome)
                                                       : NULL;
    /* Goes to the user as it is, in one piece; slurm_info would go to slurmd's log. */
    if (text)
        slurm_spank_log("%s", text);
    free(text);
}

void tasks_bind(struct tasks *tasks, spank_t spank)
{
    struct smap_error err = {""};
    struct bind_outcome outcome = {.slot = NULL};
    char node[256] = "?";
    if (!tasks)
        return;
    gethostname(node, sizeof(node) - 1);
    if (tasks->request.cpus_ours && (tasks->request.order || tasks->request.share->mapped)) {
        const struct bind_request request = bind_request(&tasks->request, spank);
        int rc = bind_tasks(&outcome, tasks->topology, &request, tasks->request.items->pid,
                            tasks->request.items->tasks, &err);
        if (rc != SMAP_OK)
            voice_say(tasks->request.voice, "node %s: tasks are left where Slurm bound them: %s",
                      node, err.text);
        if (rc == SMAP_OK && tasks->bound)
            *tasks->bound = !outcome.kept;
    }
    report(tasks, node, &outcome);
    bind_outcome_clear(&outcome);
}

void tasks_own_memory(const struct tasks *tasks, uint32_t local)
{
    struct smap_error err = {""};
    if (!tasks || !tasks->bound || !*tasks->bound || !tasks->request.memory_ours ||
        !wants_memory(tasks->request.order))
        return;
    if (own_memory(tasks->topology, &err) != SMAP_OK && local == 0)
        voice_say(tasks->request.voice, "memory is not bound: %s", err.text);
}
