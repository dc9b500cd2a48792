/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/allocation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "srun/srunopts.h"
#include "step/layout.h"

/* Options after which Slurm's layout follows other rules than those of layout.h, or the user has
 * fixed it. */
static const char *const layout_options[] = {
    "exclude",          "relative",        "het-group",
    "threads-per-core", "ntasks-per-core", "ntasks-per-socket",
    "ntasks-per-gpu",   "gpus-per-task",   "hint",
};

static int refuse_fixed_layout(struct smap_error *err)
{
    if (getenv("SLURM_HOSTFILE") && !srunopts_isset("nodelist"))
        return smap_fail(err, SMAP_ENOTSUP, "SLURM_HOSTFILE is set");
    if (srunopts_isset("distribution"))
        return smap_fail(err, SMAP_ENOTSUP, "--distribution is set");
    for (size_t i = 0; i < sizeof(layout_options) / sizeof(layout_options[0]); i++)
        if (srunopts_isset(layout_options[i]))
            return smap_fail(err, SMAP_ENOTSUP, "--%s is set", layout_options[i]);
    return SMAP_OK;
}

/* The job around this srun, or NULL. With --jobid of another job the variables are not its. */
static const char *job_nodelist(void)
{
    const char *job = getenv("SLURM_JOB_ID");
    char *wanted = srunopts_get("jobid");
    const char *list = getenv("SLURM_JOB_NODELIST");
    if (!job || (wanted && strcmp(wanted, job) != 0))
        list = NULL;
    free(wanted);
    return list;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int all_distinct(const struct smap_hostlist *hosts, bool *distinct, struct smap_error *err)
{
    char **sorted = calloc(hosts->count, sizeof(*sorted));
    if (!sorted)
        return smap_nomem(err);
    memcpy(sorted, hosts->names, hosts->count * sizeof(*sorted));
    qsort(sorted, hosts->count, sizeof(*sorted), by_name);
    *distinct = true;
    for (size_t i = 1; i < hosts->count; i++)
        *distinct = *distinct && strcmp(sorted[i - 1], sorted[i]) != 0;
    free(sorted);
    return SMAP_OK;
}

/* The nodes of the step: those of -w, else the first ones of the job. */
static int find_hosts(struct allocation *a, uint32_t nodes, struct smap_error *err)
{
    char *typed = srunopts_get("nodelist");
    const char *list = typed ? typed : job_nodelist();
    bool fits = true;
    if (!list)
        return smap_fail(err, SMAP_ENOTSUP,
                         "the nodes are not known yet (use sbatch, salloc or -w)");
    int rc = smap_hostlist_parse(&a->hosts, list, err);
    if (rc == SMAP_OK && typed)
        rc = all_distinct(a->hosts, &fits, err);
    if (rc == SMAP_OK && typed && (!fits || a->hosts->count != nodes))
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--nodelist does not name each of the %" PRIu32 " nodes once", nodes);
    free(typed);
    if (rc != SMAP_OK)
        return rc == SMAP_ENOMEM ? rc : SMAP_ENOTSUP;
    if (a->hosts->count < nodes)
        return smap_fail(err, SMAP_ENOTSUP, "the job has %zu nodes, the step wants %" PRIu32,
                         a->hosts->count, nodes);
    while (a->hosts->count > nodes)
        free(a->hosts->names[--a->hosts->count]);
    return SMAP_OK;
}

/* The index of a name; lists mostly agree from one name to the next, so the place after the last
 * find is tried first. */
static size_t find_near(const struct smap_hostlist *hosts, const char *name, size_t near)
{
    if (near < hosts->count && strcmp(hosts->names[near], name) == 0)
        return near;
    return smap_hostlist_find(hosts, name);
}

/* How many tasks each node can take: its CPUs in the job over --cpus-per-task, and no more than
 * --ntasks-per-node. Without a job nothing is known, and Slurm deals evenly. */
static int find_capacity(const struct allocation *a, uint32_t capacity[], struct smap_error *err)
{
    const char *cpus = getenv("SLURM_JOB_CPUS_PER_NODE");
    const char *list = job_nodelist();
    uint32_t per_task = srunopts_number("cpus-per-task");
    uint32_t per_node = srunopts_number("ntasks-per-node");
    struct smap_hostlist *job = NULL;
    struct smap_nodesizes *sizes = NULL;
    int rc = SMAP_OK;
    if (list && cpus && (rc = smap_hostlist_parse(&job, list, err)) == SMAP_OK)
        rc = smap_nodesizes_parse(&sizes, cpus, err);
    for (size_t i = 0, at = SIZE_MAX; rc == SMAP_OK && i < a->hosts->count; i++) {
        at = job ? find_near(job, a->hosts->names[i], at + 1) : SIZE_MAX;
        capacity[i] = SMAP_TASKS_MAX;
        if (at != SIZE_MAX && at < smap_nodesizes_nodes(sizes))
            capacity[i] = smap_nodesizes_size(sizes, (uint32_t)at) / (per_task ? per_task : 1);
        if (capacity[i] == 0)
            capacity[i] = 1; /* as Slurm does where a node is too small for one task */
        if (per_node && capacity[i] > per_node)
            capacity[i] = per_node;
    }
    smap_hostlist_destroy(job);
    smap_nodesizes_destroy(sizes);
    return rc == SMAP_OK || rc == SMAP_ENOMEM ? rc : SMAP_ENOTSUP;
}

static uint32_t count_nodes(uint32_t tasks)
{
    uint32_t nodes = srunopts_number("nodes");
    if (nodes == 0) {
        const char *list = job_nodelist();
        struct smap_hostlist *hosts = NULL;
        if (list && smap_hostlist_parse(&hosts, list, NULL) == SMAP_OK)
            nodes = (uint32_t)hosts->count;
        smap_hostlist_destroy(hosts);
    }
    return nodes < tasks ? nodes : tasks;
}

int allocation_predict(struct allocation *allocation, uint32_t tasks, struct smap_error *err)
{
    struct allocation a = {0};
    struct smap_layout_rule block = {SMAP_BLOCK, 0};
    uint32_t *capacity = NULL;
    uint32_t nodes = count_nodes(tasks);
    int rc = refuse_fixed_layout(err);
    if (rc == SMAP_OK && nodes == 0)
        rc = smap_fail(err, SMAP_ENOTSUP, "the nodes are not known yet (use sbatch, salloc or -w)");
    if (rc == SMAP_OK)
        rc = find_hosts(&a, nodes, err);
    if (rc == SMAP_OK) {
        capacity = calloc(nodes, sizeof(*capacity));
        a.node_of_rank = calloc(tasks, sizeof(*a.node_of_rank));
        rc = capacity && a.node_of_rank ? find_capacity(&a, capacity, err) : smap_nomem(err);
    }
    if (rc == SMAP_OK)
        rc = smap_layout_nodes(&block, capacity, nodes, tasks, a.node_of_rank, err);
    if (rc == SMAP_OK)
        rc = smap_layout_sizes(&a.sizes, a.node_of_rank, tasks, nodes, err);
    free(capacity);
    if (rc != SMAP_OK) {
        allocation_release(&a);
        return rc;
    }
    *allocation = a;
    return SMAP_OK;
}

void allocation_release(struct allocation *allocation)
{
    smap_hostlist_destroy(allocation->hosts);
    smap_nodesizes_destroy(allocation->sizes);
    free(allocation->node_of_rank);
    *allocation = (struct allocation){0};
}
