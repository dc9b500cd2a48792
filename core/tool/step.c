/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "step/layout.h"
#include "step/predict.h"

/* Which release of Slurm a line is for, nobody says. */
#define NEWEST 9999

int tool_job_read(struct tool_job *job, struct smap_error *err)
{
    const char *nodes = getenv("SLURM_JOB_NODELIST"), *cpus = getenv("SLURM_JOB_CPUS_PER_NODE");
    job->hostfile = getenv("SLURM_HOSTFILE") != NULL;
    int rc = nodes ? smap_hostlist_parse(&job->hosts, nodes, err) : SMAP_OK;
    if (rc == SMAP_OK && nodes && cpus && !job->cpus)
        rc = smap_nodesizes_parse(&job->cpus, cpus, err);
    if (rc == SMAP_OK && job->cpus && job->hosts &&
        smap_nodesizes_nodes(job->cpus) != job->hosts->count)
        rc = smap_fail(err, SMAP_EINVAL, "the job has %zu nodes, but the CPUs of %" PRIu32,
                       job->hosts->count, smap_nodesizes_nodes(job->cpus));
    return rc;
}

void tool_job_clear(struct tool_job *job)
{
    smap_hostlist_destroy(job->hosts);
    smap_nodesizes_destroy(job->cpus);
    *job = (struct tool_job){0};
}

/* srun: as many as are said, else one on each node. */
static int count_tasks(uint32_t *tasks, uint32_t *nodes, const struct smap_srun *srun,
                       struct smap_error *err)
{
    uint32_t least = 0, most = 0, per_node = smap_srun_number(srun, "ntasks-per-node");
    uint64_t product;
    *tasks = smap_srun_number(srun, "ntasks");
    if (smap_srun_range(srun, "nodes", &least, &most) && least != most)
        return smap_fail(err, SMAP_EINVAL, "--nodes=%" PRIu32 "-%" PRIu32 ": say how many", least,
                         most);
    *nodes = most;
    if (!most && srun->job)
        *nodes = (uint32_t)srun->job->count;
    if (!*nodes && *tasks && per_node)
        *nodes = *tasks / per_node + (*tasks % per_node != 0);
    product = (uint64_t)*nodes * (per_node ? per_node : 1);
    if (!*tasks && product <= SMAP_TASKS_MAX)
        *tasks = (uint32_t)product;
    if (!*nodes || !*tasks)
        return smap_fail(err, SMAP_EINVAL,
                         "the line does not say how many nodes and tasks: -N4 -n32");
    if (*nodes > *tasks)
        *nodes = *tasks; /* as srun does, with a warning */
    return SMAP_OK;
}

/* Where the nodes are not known: what Slurm makes of nodes that have room, or as many CPUs as
 * --cpus-per-node says. */
static int lay_out(struct step *step, const struct smap_srun *srun, uint32_t nodes, uint32_t tasks,
                   const struct tool_job *job, struct smap_error *err)
{
    char *value = srun->get(srun->context, "distribution");
    struct smap_layout_rule rule;
    uint32_t per_node = smap_srun_number(srun, "ntasks-per-node");
    uint32_t per_task = smap_srun_number(srun, "cpus-per-task");
    uint32_t *capacity = calloc(nodes, sizeof(*capacity));
    step->own = calloc(tasks, sizeof(*step->own));
    int rc = capacity && step->own ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK && smap_layout_rule_parse(&rule, value ? value : "block", err) != SMAP_OK)
        rc = smap_fail(err, SMAP_EINVAL, "--distribution=%.60s fixes the layout", value);
    for (uint32_t i = 0; rc == SMAP_OK && i < nodes; i++) {
        bool known = job->cpus && i < smap_nodesizes_nodes(job->cpus);
        capacity[i] =
            known ? smap_nodesizes_size(job->cpus, i) / (per_task ? per_task : 1) : SMAP_TASKS_MAX;
        capacity[i] = per_node && capacity[i] > per_node ? per_node : capacity[i];
        capacity[i] = capacity[i] ? capacity[i] : 1;
    }
    if (rc == SMAP_OK)
        rc = smap_layout_nodes(step->own, &rule, capacity, nodes, tasks, err);
    if (rc == SMAP_OK)
        rc = smap_layout_sizes(&step->sizes, step->own, tasks, nodes, err);
    free(capacity);
    free(value);
    return rc;
}

/* For predict.h: the context is the step. */
static char *get(void *context, const char *name)
{
    const char *value = line_get(&((const struct step *)context)->line, name);
    return value ? strdup(value) : NULL;
}

static bool isset(void *context, const char *name)
{
    return line_get(&((const struct step *)context)->line, name) != NULL;
}

static int tell_node(struct smap_node_kind *kind, void *context, const char *name,
                     struct smap_error *err)
{
    (void)name;
    (void)err;
    *kind = ((const struct step *)context)->node; /* all are alike */
    return SMAP_OK;
}

static int place(struct step *step, const struct tool_job *job, struct smap_error *err)
{
    struct smap_prediction found = {0};
    struct smap_srun srun = {.get = get,
                             .isset = isset,
                             .node = job->node.threads ? tell_node : NULL,
                             .context = step,
                             .release = NEWEST};
    uint32_t tasks = 0, nodes = 0;
    srun.job = job->hosts;
    srun.cpus = job->cpus;
    srun.hostfile = job->hostfile;
    step->node = job->node;
    int rc = count_tasks(&tasks, &nodes, &srun, err);
    if (rc != SMAP_OK)
        return rc;
    rc = smap_predict(&found, &srun, tasks, &step->why);
    if (rc == SMAP_ENOTSUP)
        return lay_out(step, &srun, nodes, tasks, job, err);
    if (rc != SMAP_OK) {
        *err = step->why;
        return rc;
    }
    struct smap_text names = {0};
    for (size_t i = 0; i < found.hosts->count; i++)
        smap_text_add(&names, "%s%s", i ? "," : "", found.hosts->names[i]);
    step->nodes = smap_text_take(&names);
    step->sizes = found.sizes;
    step->own = found.node_of_rank;
    found.sizes = NULL;
    found.node_of_rank = NULL;
    smap_prediction_clear(&found);
    return step->nodes ? SMAP_OK : smap_nomem(err);
}

/* "srun", or the path of one. */
static bool is_srun(const char *word)
{
    const char *name = strrchr(word, '/');
    return strcmp(name ? name + 1 : word, "srun") == 0;
}

/* What srun makes of options that mean others: --hint=nomultithread, --tres-per-task=cpu:4. */
static int complete(struct line *line, struct smap_error *err)
{
    const char *hint = line_get(line, "hint"), *per_task = line_get(line, "tres-per-task");
    const char *cpus = per_task ? strcasestr(per_task, "cpu") : NULL;
    const char *cursor = cpus ? cpus + strlen("cpu") : "";
    uint64_t number;
    char text[24];
    int rc = SMAP_OK;
    if (hint && strcmp(hint, "nomultithread") == 0 && !line_get(line, "threads-per-core"))
        rc = line_set(line, "threads-per-core", "1", err);
    if (rc == SMAP_OK && (*cursor == ':' || *cursor == '=') && ++cursor &&
        smap_scan_uint(&cursor, SMAP_TASKS_MAX, &number)) {
        snprintf(text, sizeof(text), "%" PRIu64, number);
        rc = line_set(line, "cpus-per-task", text, err);
    }
    return rc;
}

int step_read(struct step *step, const struct line *given, char *const words[], size_t count,
              const struct tool_job *job, struct smap_error *err)
{
    size_t used = 0;
    *step = (struct step){.sizes = NULL};
    if (count > 0 && !is_srun(words[0]))
        return smap_fail(err, SMAP_EINVAL, "'%.60s': not a line of srun", words[0]);
    int rc = line_add(&step->line, given, err);
    if (rc == SMAP_OK && count > 0)
        rc = line_read(&step->line, &used, words + 1, count - 1, false, err);
    for (size_t i = used + 1; rc == SMAP_OK && i < count; i++)
        if (strcmp(words[i], ":") == 0)
            rc = smap_fail(err, SMAP_EINVAL,
                           "the components of a heterogeneous step cannot be mapped together");
    if (rc == SMAP_OK)
        rc = complete(&step->line, err);
    return rc == SMAP_OK ? place(step, job, err) : rc;
}

void step_clear(struct step *step)
{
    line_clear(&step->line);
    smap_nodesizes_destroy(step->sizes);
    free(step->own);
    free(step->nodes);
    *step = (struct step){.sizes = NULL};
}

static void take(const char **member, const struct step *step, const char *name)
{
    const char *value = line_get(&step->line, name);
    if (value && !*member)
        *member = value;
}

void step_options(struct args *args, const struct step *step)
{
    const char *option;
    for (size_t i = 0; (option = smap_request_option(i)); i++)
        take(smap_request_member(&args->request, option), step, option);
    take(&args->cpus_per_task, step, "cpus-per-task");
    take(&args->threads_per_core, step, "threads-per-core");
    take(&args->ntasks_per_socket, step, "ntasks-per-socket");
    take(&args->mpi, step, "mpi");
    if (args->request.map && strcmp(args->request.map, "set") == 0)
        args->request.map = "best";
    if (args->request.map && strcmp(args->request.map, "off") == 0)
        args->request.map = NULL;
    if (args->request.order && strcmp(args->request.order, "off") == 0)
        args->request.order = NULL;
    args->step = step;
}
