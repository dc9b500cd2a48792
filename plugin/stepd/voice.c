/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/voice.h"

#include <slurm/spank.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"
#include "step/hostlist.h"
#include "step/nodesizes.h"

/* What the environment tells of the step's nodes; what it does not tell, or wrongly, is NULL. */
struct kinds {
    struct smap_nodesizes *tasks;       /* of each node of the step */
    struct smap_nodesizes *cpus;        /* of each node of the job, where they differ */
    struct smap_hostlist *nodes, *jobs; /* then: the names of both */
};

static struct smap_nodesizes *read_sizes(char *const env[], const char *name)
{
    bool refused = false;
    struct smap_nodesizes *sizes = NULL;
    char *text = env_copy(env, name, HANDOVER_MAX, &refused);
    if (text)
        smap_nodesizes_parse(&sizes, text, NULL);
    free(text);
    return sizes;
}

static struct smap_hostlist *read_hosts(char *const env[], const char *name)
{
    bool refused = false;
    struct smap_hostlist *hosts = NULL;
    char *text = env_copy(env, name, HANDOVER_MAX, &refused);
    if (text)
        smap_hostlist_parse(&hosts, text, NULL);
    free(text);
    return hosts;
}

static void kinds_clear(struct kinds *kinds)
{
    smap_nodesizes_destroy(kinds->tasks);
    smap_nodesizes_destroy(kinds->cpus);
    smap_hostlist_destroy(kinds->nodes);
    smap_hostlist_destroy(kinds->jobs);
}

static void kinds_read(struct kinds *kinds, char *const env[])
{
    *kinds = (struct kinds){.tasks = read_sizes(env, "SLURM_STEP_TASKS_PER_NODE"),
                            .cpus = read_sizes(env, "SLURM_JOB_CPUS_PER_NODE")};
    if (kinds->cpus && smap_nodesizes_uniform(kinds->cpus) == 0) {
        kinds->nodes = read_hosts(env, "SLURM_STEP_NODELIST");
        kinds->jobs = read_hosts(env, "SLURM_JOB_NODELIST");
    }
}

/* The job's CPUs on a node of the step; 0 where that is not known, or the same on all. */
static uint32_t cpus_of(const struct kinds *kinds, uint32_t node)
{
    if (!kinds->nodes || !kinds->jobs || node >= kinds->nodes->count)
        return 0;
    size_t at = smap_hostlist_find(kinds->jobs, kinds->nodes->names[node]);
    return at < smap_nodesizes_nodes(kinds->cpus) ? smap_nodesizes_size(kinds->cpus, (uint32_t)at)
                                                  : 0;
}

/* Is there an earlier node in the step with as many tasks and CPUs? */
static bool has_predecessor(char *const env[], uint32_t node)
{
    struct kinds kinds;
    bool found = false;
    kinds_read(&kinds, env);
    if (kinds.tasks && node < smap_nodesizes_nodes(kinds.tasks)) {
        uint32_t tasks = smap_nodesizes_size(kinds.tasks, node), cpus = cpus_of(&kinds, node);
        for (uint32_t i = 0; i < node && !found; i++)
            found = smap_nodesizes_size(kinds.tasks, i) == tasks && cpus_of(&kinds, i) == cpus;
    }
    kinds_clear(&kinds);
    return found;
}

enum voice voice_for(const struct handover_values *handed, char *const env[], uint32_t node,
                     enum voice_of whose)
{
    const char *quiet = handed->value[HANDOVER_QUIET];
    if (quiet)
        return strcmp(quiet, "none") == 0 || node > 0 ? VOICE_NONE : VOICE_USER;
    if (node == 0 || whose == VOICE_OF_NODE)
        return VOICE_USER;
    return whose == VOICE_OF_STEP || has_predecessor(env, node) ? VOICE_LOG : VOICE_USER;
}

void voice_say(enum voice voice, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    /* slurmstepd sends its errors to the user too, and the rest to slurmd's log alone. */
    if (voice == VOICE_USER)
        slurm_error("stencilmap: %s", line);
    else if (voice == VOICE_LOG)
        slurm_info("stencilmap: %s", line);
}
