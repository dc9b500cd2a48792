/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/predict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "step/layout.h"

/* From this release on slurmctld chooses the cores of an exact step otherwise. */
#define NEW_CORES 2302

/* What the prediction is made of. */
struct request {
    const struct smap_srun *srun;
    struct smap_layout_rule rule;
    enum { SOCKETS_IN_TURN, SOCKETS_FILLED, SOCKETS_OTHER } sockets; /* of --distribution */
    uint32_t nodes;                                                  /* of the step */
    uint32_t tasks;
    uint32_t per_task; /* CPUs */
};

static char *get(const struct request *r, const char *name)
{
    return r->srun->get(r->srun->context, name);
}

static bool is_set(const struct request *r, const char *name)
{
    return r->srun->isset(r->srun->context, name);
}

/* After these Slurm chooses the nodes by rules of its own. */
static const char *const node_options[] = {"exclude", "relative"};

/* After these a node may take fewer tasks than its CPUs say, and how many is not known here. */
static const char *const capacity_options[] = {
    "hint",          "threads-per-core", "ntasks-per-core", "ntasks-per-socket",
    "gpus-per-task", "ntasks-per-gpu",   "gpus-per-socket", "tres-per-task",
};

static int refuse_chosen_nodes(const struct request *r, struct smap_error *err)
{
    for (size_t i = 0; i < sizeof(node_options) / sizeof(node_options[0]); i++)
        if (is_set(r, node_options[i]))
            return smap_fail(err, SMAP_ENOTSUP, "--%s is set", node_options[i]);
    if (r->srun->hostfile && !is_set(r, "nodelist"))
        return smap_fail(err, SMAP_ENOTSUP, "SLURM_HOSTFILE is set");
    return SMAP_OK;
}

/* The layout that the user asked for by --distribution, or the site by a default. */
static int find_rule(struct request *r, struct smap_error *err)
{
    char *value = get(r, "distribution");
    int rc = smap_layout_rule_parse(&r->rule, value ? value : "block", err);
    if (r->srun->yields && is_set(r, "distribution"))
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--distribution is set, and a default of the site yields to it");
    else if (rc != SMAP_OK)
        rc = smap_fail(err, SMAP_ENOTSUP, "--distribution=%.60s fixes the layout",
                       value ? value : "");
    const char *second = value ? strchr(value, ':') : NULL;
    if (second && strncmp(second, ":block", strlen(":block")) == 0)
        r->sockets = SOCKETS_FILLED;
    else if (second && strncmp(second, ":cyclic", strlen(":cyclic")) != 0)
        r->sockets = SOCKETS_OTHER;
    free(value);
    return rc;
}

/* How many nodes the step takes. */
static int find_nodes(struct request *r, struct smap_error *err)
{
    uint32_t least, most;
    char *typed = get(r, "nodelist");
    bool named = typed != NULL;
    free(typed);
    if (!smap_srun_range(r->srun, "nodes", &least, &most))
        least = most = r->srun->job ? (uint32_t)r->srun->job->count : 0;
    if (least != most)
        return smap_fail(err, SMAP_ENOTSUP,
                         "--nodes=%" PRIu32 "-%" PRIu32 " leaves the number of nodes to Slurm",
                         least, most);
    r->nodes = most < r->tasks ? most : r->tasks;
    if (r->nodes == 0 || (!named && !r->srun->job))
        return smap_fail(err, SMAP_ENOTSUP,
                         "the nodes are not known yet (use sbatch, salloc or -w)");
    if (!named && r->srun->job->count < r->nodes)
        return smap_fail(err, SMAP_ENOTSUP, "the job has %zu nodes, the step wants %" PRIu32,
                         r->srun->job->count, r->nodes);
    if (!named && r->srun->job->count > r->nodes)
        return smap_fail(err, SMAP_ENOTSUP,
                         "the step takes %" PRIu32
                         " of the job's %zu nodes, and Slurm chooses free ones (name them with -w)",
                         r->nodes, r->srun->job->count);
    return SMAP_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int all_distinct(bool *distinct, const struct smap_hostlist *hosts, struct smap_error *err)
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

/* The nodes of the step: those of -w, else the job's. */
static int find_hosts(struct smap_prediction *a, struct request *r, struct smap_error *err)
{
    char *typed = get(r, "nodelist");
    bool distinct = true;
    if (!typed)
        return smap_hostlist_copy(&a->hosts, r->srun->job, err);
    int rc = smap_hostlist_parse(&a->hosts, typed, err);
    if (rc == SMAP_OK)
        rc = all_distinct(&distinct, a->hosts, err);
    if (rc == SMAP_OK && (!distinct || a->hosts->count != r->nodes))
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--nodelist does not name each of the %" PRIu32 " nodes once", r->nodes);
    free(typed);
    return rc == SMAP_OK || rc == SMAP_ENOMEM ? rc : SMAP_ENOTSUP;
}

/* The index of a name; lists mostly agree from one name to the next, so the place after the last
 * find is tried first. */
static size_t find_near(const struct smap_hostlist *hosts, const char *name, size_t near)
{
    if (near < hosts->count && strcmp(hosts->names[near], name) == 0)
        return near;
    return smap_hostlist_find(hosts, name);
}

/* The job's CPUs on each node of the step; 0 where that is not known: there is no job yet. */
static void find_cpus(uint32_t cpus[], const struct smap_prediction *a, const struct request *r)
{
    const struct smap_hostlist *job = r->srun->job ? r->srun->job : a->hosts;
    for (size_t i = 0, at = SIZE_MAX; r->srun->cpus && i < a->hosts->count; i++) {
        at = find_near(job, a->hosts->names[i], at + 1);
        if (at != SIZE_MAX)
            cpus[i] = smap_nodesizes_size(r->srun->cpus, (uint32_t)at);
    }
}

/* How many tasks each node takes: its CPUs over --cpus-per-task, and no more than
 * --ntasks-per-node. Where nothing is known Slurm deals evenly. */
static void find_capacity(uint32_t capacity[], const uint32_t cpus[], const struct request *r)
{
    uint32_t per_node = smap_srun_number(r->srun, "ntasks-per-node");
    for (uint32_t i = 0; i < r->nodes; i++) {
        capacity[i] = cpus[i] ? cpus[i] / r->per_task : SMAP_TASKS_MAX;
        if (capacity[i] == 0)
            capacity[i] = 1; /* as Slurm does where a node is too small for one task */
        if (per_node && capacity[i] > per_node)
            capacity[i] = per_node;
    }
}

/* The name of one that is set, as the user would type it; NULL: none. */
static const char *capacity_option(const struct request *r)
{
    for (size_t i = 0; i < sizeof(capacity_options) / sizeof(capacity_options[0]); i++)
        if (is_set(r, capacity_options[i]))
            return capacity_options[i];
    /* sbatch and salloc hand --hint down in this form. */
    return smap_srun_number(r->srun, "threads-per-core") ? "threads-per-core" : NULL;
}

/* Is the layout the same if every node takes no more than an even share? Then it does not matter
 * how much more it could take: any node that takes its share at all is laid out so. */
static int check_capacity(const struct smap_prediction *a, uint32_t capacity[],
                          const struct request *r, struct smap_error *err)
{
    const char *option = capacity_option(r);
    uint32_t share = r->tasks / r->nodes + (r->tasks % r->nodes != 0);
    bool same = true;
    if (!option)
        return SMAP_OK;
    uint32_t *other = calloc(r->tasks, sizeof(*other));
    if (!other)
        return smap_nomem(err);
    for (uint32_t i = 0; i < r->nodes; i++)
        capacity[i] = capacity[i] < share ? capacity[i] : share;
    int rc = smap_layout_nodes(other, &r->rule, capacity, r->nodes, r->tasks, err);
    for (uint32_t rank = 0; rc == SMAP_OK && rank < r->tasks; rank++)
        same = same && other[rank] == a->node_of_rank[rank];
    free(other);
    if (rc == SMAP_OK && !same)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--%s changes how many tasks a node takes, and they are not dealt evenly",
                       option);
    return rc;
}

/* srun asks for no more CPUs than the tasks need, as with --exact; otherwise a step takes all that
 * its job has on a node. */
static bool is_exact(const struct request *r)
{
    static const char *const options[] = {"cpus-per-task", "cpus-per-gpu", "exact", "exclusive"};
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (is_set(r, options[i]))
            return true;
    /* From 24.05 on this sets --cpus-per-task, without its being "set". */
    char *per_task = get(r, "tres-per-task");
    bool cpus = per_task && strcasestr(per_task, "cpu");
    free(per_task);
    return cpus;
}

/* How many cores of a node slurmctld gives to tasks on cores of so many threads. Until
 * 23.02 every task of more than a core got whole ones. */
static uint64_t cores_taken(uint64_t tasks, const struct request *r, uint64_t of_core)
{
    if (r->srun->release < NEW_CORES && r->per_task > of_core)
        return tasks * ((r->per_task + of_core - 1) / of_core);
    return (tasks * r->per_task + of_core - 1) / of_core;
}

/* Would slurmctld choose the same cores of a node whether sockets are filled one after the other or
 * in turn? So it is where all cores are taken: it takes all too for as many tasks as a node has
 * cores. Until 23.02 it was so as well where a task takes less than a core: it did not go on to the
 * next socket there. Its own arithmetic: _pick_step_cores. */
static bool same_cores(const struct request *r, uint32_t tasks, uint32_t cpus,
                       const struct smap_node_kind *node, bool one_thread)
{
    uint64_t cores = cores_taken(tasks, r, one_thread ? 1 : node->threads);
    bool whole = cpus == (uint64_t)node->cores * node->threads;
    if (cores * node->threads >= cpus || (whole && tasks == node->cores))
        return true;
    return r->srun->release < NEW_CORES && r->sockets == SOCKETS_FILLED && cores < tasks;
}

/* slurmctld chooses the cores of an exact step by the step's distribution: with ours they are those
 * of sockets in turn, whatever the user typed. */
static int check_sockets(struct smap_prediction *a, const uint32_t cpus[], const struct request *r,
                         struct smap_error *err)
{
    struct smap_node_kind node;
    bool same = true;
    bool one_thread = smap_srun_number(r->srun, "threads-per-core") == 1 ||
                      smap_srun_number(r->srun, "ntasks-per-core") == 1;
    if (r->sockets == SOCKETS_IN_TURN || !is_exact(r))
        return SMAP_OK;
    if (!r->srun->cpus)
        return smap_fail(err, SMAP_ENOTSUP,
                         "--distribution names the sockets, and the job's CPUs are not known yet");
    if (!r->srun->node)
        return smap_fail(err, SMAP_ENOTSUP,
                         "--distribution names the sockets, and the nodes' cores are not known");
    a->node_asked = true;
    if (r->srun->node(&node, r->srun->context, a->hosts->names[0], err) != SMAP_OK)
        return SMAP_ENOTSUP;
    for (uint32_t i = 0; i < r->nodes; i++)
        same = same && same_cores(r, smap_nodesizes_size(a->sizes, i), cpus[i], &node, one_thread);
    if (same)
        return SMAP_OK;
    return smap_fail(err, SMAP_ENOTSUP,
                     "the step fills only part of its nodes, and there --distribution chooses the "
                     "cores");
}

/* So many nodes are asked for, one by one. */
enum { NODES_ASKED_MAX = 16 };

/* Do the tasks take every CPU of these nodes, or with --overcommit more? */
static bool fills_nodes(struct smap_prediction *a, const struct request *r)
{
    bool one_thread = smap_srun_number(r->srun, "threads-per-core") == 1 ||
                      smap_srun_number(r->srun, "ntasks-per-core") == 1;
    bool full = r->srun->node && r->nodes <= NODES_ASKED_MAX;
    a->node_asked = full;
    for (uint32_t i = 0; full && i < r->nodes; i++) {
        struct smap_node_kind node;
        full = r->srun->node(&node, r->srun->context, a->hosts->names[i], NULL) == SMAP_OK &&
               node.cores * (one_thread ? 1 : node.threads) / r->per_task <=
                   smap_nodesizes_size(a->sizes, i);
    }
    return full;
}

/* A srun that makes its own allocation gets as many CPUs of each node as slurmctld likes: of nodes
 * of 8 CPUs it takes 5, 1, 1 and 1 for 8 tasks, and the tasks go where these are. Ours would be
 * dealt evenly, so every node must be known to get as many either way. */
static int check_own_allocation(struct smap_prediction *a, const struct request *r,
                                struct smap_error *err)
{
    uint64_t per_node = smap_srun_number(r->srun, "ntasks-per-node");
    if (r->srun->job || r->nodes == 1 || per_node * r->nodes == r->tasks || fills_nodes(a, r))
        return SMAP_OK;
    return smap_fail(err, SMAP_ENOTSUP,
                     "without a job Slurm chooses how many tasks a node gets "
                     "(--ntasks-per-node says it, or use salloc)");
}

static int lay_out(struct smap_prediction *a, struct request *r, struct smap_error *err)
{
    uint32_t *cpus = calloc(r->nodes, sizeof(*cpus));
    uint32_t *capacity = calloc(r->nodes, sizeof(*capacity));
    a->node_of_rank = calloc(r->tasks, sizeof(*a->node_of_rank));
    int rc = cpus && capacity && a->node_of_rank ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        find_cpus(cpus, a, r);
        find_capacity(capacity, cpus, r);
        rc = smap_layout_nodes(a->node_of_rank, &r->rule, capacity, r->nodes, r->tasks, err);
    }
    if (rc == SMAP_OK)
        rc = smap_layout_sizes(&a->sizes, a->node_of_rank, r->tasks, r->nodes, err);
    if (rc == SMAP_OK)
        rc = check_capacity(a, capacity, r, err);
    if (rc == SMAP_OK)
        rc = check_own_allocation(a, r, err);
    if (rc == SMAP_OK)
        rc = check_sockets(a, cpus, r, err);
    free(cpus);
    free(capacity);
    return rc;
}

int smap_predict(struct smap_prediction *prediction, const struct smap_srun *srun, uint32_t tasks,
                 struct smap_error *err)
{
    struct smap_prediction a = {0};
    struct request r = {
        .srun = srun, .tasks = tasks, .per_task = smap_srun_number(srun, "cpus-per-task")};
    r.per_task = r.per_task ? r.per_task : 1;
    int rc = refuse_chosen_nodes(&r, err);
    if (rc == SMAP_OK)
        rc = find_rule(&r, err);
    if (rc == SMAP_OK)
        rc = find_nodes(&r, err);
    if (rc == SMAP_OK)
        rc = find_hosts(&a, &r, err);
    if (rc == SMAP_OK)
        rc = lay_out(&a, &r, err);
    if (rc != SMAP_OK) {
        bool asked = a.node_asked;
        smap_prediction_clear(&a);
        a.node_asked = asked;
    }
    *prediction = a;
    return rc;
}

void smap_prediction_clear(struct smap_prediction *prediction)
{
    smap_hostlist_destroy(prediction->hosts);
    smap_nodesizes_destroy(prediction->sizes);
    free(prediction->node_of_rank);
    *prediction = (struct smap_prediction){0};
}
