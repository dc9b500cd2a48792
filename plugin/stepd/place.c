/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "handover.h"
#include "stepd/nodetable.h"

static struct {
    struct place_request request;
    struct smap_topology *topology;
    pid_t *pids; /* NULL: nothing to do here */
    /* The tasks are copies of this process made before it knows how binding went; this they share.
     */
    volatile bool *bound;
} place;

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

void place_prepare(const struct place_request *request)
{
    struct smap_error err = {""};
    const struct smap_topology_source source = {.xml = request->topology};
    bool binds = (request->order || request->mapped) && request->cpus_ours;
    if (!binds && request->report != PLACE_TABLE)
        return;
    place.request = *request;
    if (smap_topology_load(&place.topology, &source, &err) != SMAP_OK) {
        if (!request->quiet)
            slurm_error("stencilmap: tasks are left where Slurm bound them: %s", err.text);
        return;
    }
    place.pids = calloc(request->tasks, sizeof(*place.pids));
    place.bound = shared_flag();
}

static uint32_t item(spank_t spank, spank_item_t which)
{
    uint32_t value = 0;
    return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : 0;
}

/* A positive number from the step's environment, else 0. */
static uint32_t limit(spank_t spank, const char *name)
{
    char **env = NULL;
    uint64_t number = 0;
    if (spank_get_item(spank, S_JOB_ENV, &env) != ESPANK_SUCCESS)
        return 0;
    const char *value = handover_getenv(env, name);
    return value && smap_scan_uint(&value, 65533, &number) && *value == '\0' ? (uint32_t)number : 0;
}

/* Slurm may count cores or their threads as cpus, whatever the machine has. */
static uint32_t cpus_per_core(spank_t spank, size_t cores)
{
    uint16_t cpus = 0;
    if (spank_get_item(spank, S_JOB_NCPUS, &cpus) != ESPANK_SUCCESS || cores == 0)
        return 0;
    return (uint32_t)((cpus + cores - 1) / cores);
}

static struct bind_request bind_request(spank_t spank)
{
    char *cores = NULL;
    struct bind_request request = {
        .order = place.request.order,
        .hierarchy = place.request.hierarchy,
        .nodes = item(spank, S_JOB_NNODES),
        .cpus_per_task = item(spank, S_STEP_CPUS_PER_TASK),
        .threads_per_core = limit(spank, "SLURM_THREADS_PER_CORE"),
        .tasks_per_core = limit(spank, "SLURM_NTASKS_PER_CORE"),
        .tasks_per_socket = limit(spank, "SLURM_NTASKS_PER_SOCKET"),
        .strict = place.request.strict,
        .problem = place.request.problem,
        .cell = place.request.mapped ? place.request.cell : NULL,
    };
    if (spank_get_item(spank, S_STEP_ALLOC_CORES, &cores) == ESPANK_SUCCESS)
        request.cores = cores;
    request.core_count = smap_list_length(cores);
    request.cpus_per_core = cpus_per_core(spank, request.core_count);
    if (request.cpus_per_task >= 65534) /* NO_VAL of 16 or 32 bits: not set */
        request.cpus_per_task = 1;
    return request;
}

static const char *what_bound(void)
{
    if (!place.request.cpus_ours)
        return "bound by the user's --cpu-bind";
    if (!place.bound || !*place.bound)
        return "bound by Slurm";
    return place.request.order ? place.request.mapped
                                     ? "cores by --rank-order, tasks by --stencil-map"
                                     : "bound by --rank-order"
                               : "Slurm's masks, tasks by --stencil-map";
}

static char *table(spank_t spank, const char *name, const struct bind_outcome *outcome)
{
    uint32_t *ranks = calloc(place.request.tasks, sizeof(*ranks));
    struct nodetable table = {
        .node = name,
        .bound = what_bound(),
        .topology = place.topology,
        .problem = place.request.problem,
        .cell = place.request.cell,
        .outcome = outcome,
        .rank = ranks,
        .pids = place.pids,
        .count = place.request.tasks,
    };
    for (uint32_t local = 0; ranks && local < place.request.tasks; local++)
        spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &ranks[local]);
    char *text = ranks ? nodetable_text(&table) : NULL;
    free(ranks);
    return text;
}

static void report(spank_t spank, const char *name, const struct bind_outcome *outcome)
{
    char *text = place.request.report == PLACE_TABLE  ? table(spank, name, outcome)
                 : place.request.report == PLACE_LINE ? nodetable_line(name, outcome)
                                                      : NULL;
    /* Goes to the user as it is, in one piece; slurm_info would go to slurmd's log. */
    if (text)
        slurm_spank_log("%s", text);
    free(text);
}

static void place_all(spank_t spank)
{
    struct smap_error err = {""};
    struct bind_outcome outcome = {.slot = NULL};
    char name[256] = "?";
    gethostname(name, sizeof(name) - 1);
    if (place.request.cpus_ours && (place.request.order || place.request.mapped)) {
        struct bind_request request = bind_request(spank);
        int rc =
            bind_tasks(place.topology, &request, place.pids, place.request.tasks, &outcome, &err);
        if (rc != SMAP_OK && !place.request.quiet)
            slurm_error("stencilmap: node %s: tasks are left where Slurm bound them: %s", name,
                        err.text);
        if (rc == SMAP_OK && place.bound)
            *place.bound = !outcome.kept;
    }
    report(spank, name, &outcome);
    bind_outcome_release(&outcome);
}

void place_forked(spank_t spank, uint32_t local, pid_t pid)
{
    if (!place.pids || local >= place.request.tasks || pid <= 0)
        return;
    place.pids[local] = pid;
    if (local + 1 == place.request.tasks)
        place_all(spank);
}

void place_own_memory(uint32_t local)
{
    struct smap_error err = {""};
    if (!place.topology || !place.bound || !*place.bound || !place.request.memory_ours ||
        !wants_memory(place.request.order))
        return;
    if (bind_own_memory(place.topology, &err) != SMAP_OK && local == 0)
        slurm_error("stencilmap: memory is not bound: %s", err.text);
}

void place_release(void)
{
    smap_topology_destroy(place.topology);
    place.topology = NULL;
    free(place.pids);
    place.pids = NULL;
    if (place.bound)
        munmap((void *)place.bound, sizeof(bool));
    place.bound = NULL;
}
