/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap plan of an srun line, of those of a batch script, or of the job that it runs in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tool/script.h"
#include "tool/step.h"
#include "tool/tool.h"

static const char *from_environment(const void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

static const char *from_script(const void *context, const char *name)
{
    return line_get(context, name);
}

/* STENCILMAP_OPTIONS="--stencil-map=best --rank-order=core", words as they are. */
static int read_stencilmap_options(struct line *given, const char *text, struct smap_error *err)
{
    const struct line none = {NULL, 0};
    struct words words = {0};
    size_t used;
    int rc = text ? words_read(&words, &text, &none, err) : SMAP_OK;
    if (rc == SMAP_OK)
        rc = line_read(given, &used, words.word, words.count, false, err);
    words_clear(&words);
    return rc;
}

/* What a job that is here says, and a user's own defaults. */
static int read_environment(struct line *given, struct smap_error *err)
{
    int rc = read_stencilmap_options(given, getenv("STENCILMAP_OPTIONS"), err);
    if (rc == SMAP_OK && getenv("SLURM_JOB_ID"))
        rc = line_read_variables(given, from_environment, NULL, err);
    return rc;
}

/* What the options say of the nodes: their CPUs in the job, and a machine that is like them. */
static int read_nodes(struct tool_job *job, const struct args *args, struct smap_error *err)
{
    struct smap_topology *topology = NULL;
    size_t least, most;
    int rc = SMAP_OK;
    if (args->cpus_per_node)
        rc = smap_nodesizes_parse(&job->cpus, args->cpus_per_node, err);
    if (rc != SMAP_OK)
        return args_blame("--cpus-per-node", args->cpus_per_node, rc, err);
    if (!args->topology)
        return SMAP_OK;
    rc = args_topology(&topology, args, err);
    if (rc == SMAP_OK) {
        smap_topology_threads(&least, &most, topology);
        job->node =
            (struct smap_node_kind){(uint32_t)smap_topology_core_count(topology), (uint32_t)most};
    }
    smap_topology_destroy(topology);
    return rc;
}

/* srun refuses a launch that is not possible. */
static int check_placement(const struct step *step, struct smap_error *err)
{
    const char *wanted = line_get(&step->line, "stencil-placement");
    if (!wanted || strcmp(wanted, "launch") != 0 || step->why.text[0] == '\0')
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL, "--stencil-placement=launch: not possible: %s",
                     step->why.text);
}

/* What srun would do with a mapping. */
static void print_placement(const struct step *step)
{
    const char *wanted = line_get(&step->line, "stencil-placement");
    if (wanted && strcmp(wanted, "comm") == 0)
        print_wrapped("placement: comm, as --stencil-placement says");
    else if (step->why.text[0] == '\0')
        print_wrapped("placement: launch; where nothing is gained the layout is left alone");
    else
        print_wrapped("placement: comm: %s", step->why.text);
}

/* Plans one line. */
static int plan_line(const struct args *args, const struct line *given, char *const words[],
                     size_t count, const struct tool_job *job, struct smap_error *err)
{
    struct args own = *args;
    struct step step;
    bool table = !args->format || strcmp(args->format, "table") == 0;
    int rc = step_read(&step, given, words, count, job, err);
    if (rc == SMAP_OK)
        rc = check_placement(&step, err);
    if (rc == SMAP_OK) {
        step_options(&own, &step);
        rc = plan_step(&own, err);
    }
    if (rc == SMAP_OK && table)
        print_placement(&step);
    step_clear(&step);
    return rc;
}

static int plan_typed_line(const struct args *args, struct smap_error *err)
{
    struct tool_job job = {.hosts = NULL};
    struct line given = {NULL, 0};
    int rc = read_nodes(&job, args, err);
    if (rc == SMAP_OK)
        rc = tool_job_read(&job, err);
    if (rc == SMAP_OK)
        rc = read_environment(&given, err);
    if (rc == SMAP_OK)
        rc = plan_line(args, &given, args->line, args->line_count, &job, err);
    line_clear(&given);
    tool_job_clear(&job);
    return rc;
}

/* A number of the script's job; 0 if it does not say one. */
static int sbatch_number(uint64_t *number, const struct script *script, const char *name,
                         struct smap_error *err)
{
    char option[64];
    snprintf(option, sizeof(option), "#SBATCH --%s", name);
    return args_number(line_get(&script->sbatch, name), number, option, err);
}

/* Names for the nodes of a job that does not run yet: those that it asks for, or any. */
static int find_hosts(struct tool_job *job, const struct script *script, struct smap_error *err)
{
    const char *names = line_get(&script->sbatch, "nodelist");
    uint64_t nodes = 0, tasks = 0, per_node = 0;
    char any[64];
    int rc = sbatch_number(&nodes, script, "nodes", err);
    if (rc == SMAP_OK)
        rc = sbatch_number(&tasks, script, "ntasks", err);
    if (rc == SMAP_OK)
        rc = sbatch_number(&per_node, script, "ntasks-per-node", err);
    if (rc != SMAP_OK || names)
        return rc == SMAP_OK ? smap_hostlist_parse(&job->hosts, names, err) : rc;
    if (!nodes && tasks && per_node)
        nodes = tasks / per_node + (tasks % per_node != 0);
    if (!nodes)
        return SMAP_OK;
    snprintf(any, sizeof(any), "node[1-%" PRIu64 "]", nodes);
    return smap_hostlist_parse(&job->hosts, any, err);
}

/* What the script's job hands down to an srun in it. */
static int read_given(struct line *given, const struct script *script, struct smap_error *err)
{
    const char *option;
    int rc =
        read_stencilmap_options(given, line_get(&script->variables, "STENCILMAP_OPTIONS"), err);
    if (rc == SMAP_OK)
        rc = line_read_variables(given, from_script, &script->variables, err);
    for (size_t i = 0; rc == SMAP_OK && (option = smap_request_option(i)); i++) {
        const char *value = line_get(&script->sbatch, option);
        if (value)
            rc = line_set(given, option, value, err);
    }
    return rc;
}

/* "job.sh:12: srun -n 32 ./heat", in one line of 80 columns. */
static void print_head(const struct args *args, const struct script *script,
                       const struct words *words)
{
    struct smap_text text = {0};
    smap_text_add(&text, "%s:%u:", args->script, script->number);
    for (size_t i = 0; i < words->count; i++)
        smap_text_add(&text, " %s", words->word[i]);
    char *head = smap_text_take(&text);
    bool fits = head && strlen(head) < 80;
    printf("%.*s%s\n", fits ? 80 : 76, head ? head : "", fits ? "" : "...");
    free(head);
}

/* Plans the srun that was found; what is wrong with it is said, with its place. */
static int plan_script_line(const struct args *args, const struct script *script,
                            const struct words *words, bool more, struct smap_error *err)
{
    struct tool_job job = {.hosts = NULL};
    struct line given = {NULL, 0};
    if (more)
        putchar('\n');
    if (!args->format || strcmp(args->format, "table") == 0)
        print_head(args, script, words);
    int rc = read_nodes(&job, args, err);
    if (rc == SMAP_OK)
        rc = find_hosts(&job, script, err);
    if (rc == SMAP_OK)
        rc = read_given(&given, script, err);
    if (rc == SMAP_OK)
        rc = plan_line(args, &given, words->word, words->count, &job, err);
    line_clear(&given);
    tool_job_clear(&job);
    if (rc == SMAP_OK)
        return rc;
    struct smap_error why = *err;
    return smap_fail(err, rc, "%.100s:%u: %s", args->script, script->number, why.text);
}

static int plan_script(const struct args *args)
{
    struct smap_error err = {""};
    struct script script;
    struct words words = {0};
    size_t lines = 0;
    int code = EXIT_DONE, rc = script_open(&script, args->script, &err);
    bool table = !args->format || strcmp(args->format, "table") == 0;
    while (rc == SMAP_OK) {
        rc = script_next(&words, &script, &err);
        if (rc != SMAP_OK || words.count == 0)
            break;
        if (lines > 0 && !table)
            rc = smap_fail(&err, SMAP_EINVAL,
                           "--format=%.60s: for one srun line, and --script=%.100s has more",
                           args->format, args->script);
        else if (plan_script_line(args, &script, &words, lines > 0, &err) != SMAP_OK)
            code = tool_fail(&err, SMAP_EINVAL);
        fflush(stdout);
        lines++;
        words_clear(&words);
    }
    if (rc == SMAP_OK && lines == 0)
        rc = smap_fail(&err, SMAP_EINVAL, "--script=%.200s: no line of srun", args->script);
    words_clear(&words);
    script_close(&script);
    return rc == SMAP_OK ? code : tool_fail(&err, rc);
}

int command_plan(const struct args *args)
{
    struct smap_error err = {""};
    bool sized = args->nodes || args->tasks || args->ntasks_per_node || args->tasks_per_node;
    bool line = args->line || args->script;
    int rc = SMAP_OK;
    if (line && (sized || args->distribution || args->nodelist))
        rc = smap_fail(&err, SMAP_EINVAL,
                       "the line of srun says what the step is: leave out -N, -n, -m and the like");
    else if (args->script)
        return plan_script(args);
    else if (args->line || (!sized && getenv("SLURM_JOB_ID")))
        rc = plan_typed_line(args, &err);
    else
        rc = plan_step(args, &err);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
