/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/line.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The options of srun (and sbatch) that have no value, or one behind '=' only. */
static const char *const flags[] = {
    "async",
    "bcast",
    "bell",
    "compress",
    "contiguous",
    "debugger-test",
    "disable-status",
    "exact",
    "exclusive",
    "external-launcher",
    "get-user-env",
    "help",
    "hold",
    "ignore-pbs",
    "immediate",
    "interactive",
    "kill-on-bad-exit",
    "label",
    "multi-prog",
    "nice",
    "no-allocate",
    "no-bell",
    "no-kill",
    "no-requeue",
    "no-shell",
    "oom-kill-step",
    "overcommit",
    "overlap",
    "oversubscribe",
    "parsable",
    "preserve-env",
    "propagate",
    "pty",
    "quiet",
    "quit-on-interrupt",
    "reboot",
    "requeue",
    "resv-ports",
    "send-libs",
    "share",
    "spread-job",
    "stencil-map",
    "stencil-report",
    "stencil-watch",
    "stepmgr",
    "test-only",
    "unbuffered",
    "usage",
    "use-min-nodes",
    "verbose",
    "version",
    "whole",
    "x11",
};

/* The letters whose value may be a word of its own; all others have none, or stick to it. */
static const struct {
    char letter;
    const char *name;
} letters[] = {
    {'A', "account"},    {'B', "extra-node-info"},
    {'C', "constraint"}, {'D', "chdir"},
    {'F', "nodefile"},   {'G', "gpus"},
    {'J', "job-name"},   {'L', "licenses"},
    {'M', "clusters"},   {'N', "nodes"},
    {'S', "core-spec"},  {'T', "threads"},
    {'W', "wait"},       {'a', "array"},
    {'b', "begin"},      {'c', "cpus-per-task"},
    {'d', "dependency"}, {'e', "error"},
    {'i', "input"},      {'m', "distribution"},
    {'n', "ntasks"},     {'o', "output"},
    {'p', "partition"},  {'q', "qos"},
    {'r', "relative"},   {'t', "time"},
    {'w', "nodelist"},   {'x', "exclude"},
};

/* What srun takes from the environment, as far as it matters to a layout: a later one wins. */
static const char *const variables[][2] = {
    {"SLURM_NPROCS", "ntasks"},
    {"SLURM_NTASKS", "ntasks"},
    {"SLURM_NNODES", "nodes"},
    {"SLURM_JOB_NUM_NODES", "nodes"},
    {"SLURM_NTASKS_PER_NODE", "ntasks-per-node"},
    {"SLURM_NTASKS_PER_SOCKET", "ntasks-per-socket"},
    {"SLURM_NTASKS_PER_CORE", "ntasks-per-core"},
    {"SLURM_NTASKS_PER_GPU", "ntasks-per-gpu"},
    {"SLURM_CPUS_PER_TASK", "cpus-per-task"},
    {"SRUN_CPUS_PER_TASK", "cpus-per-task"},
    {"SLURM_CPUS_PER_GPU", "cpus-per-gpu"},
    {"SLURM_TRES_PER_TASK", "tres-per-task"},
    {"SLURM_GPUS_PER_TASK", "gpus-per-task"},
    {"SLURM_GPUS_PER_SOCKET", "gpus-per-socket"},
    {"SLURM_THREADS_PER_CORE", "threads-per-core"},
    {"SLURM_HINT", "hint"},
    {"SLURM_DISTRIBUTION", "distribution"},
    {"SLURM_EXACT", "exact"},
    {"SLURM_MPI_TYPE", "mpi"},
};

void line_clear(struct line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        free(line->pair[i].name);
        free(line->pair[i].value);
    }
    free(line->pair);
    *line = (struct line){0};
}

static size_t find(const struct line *line, const char *name, size_t length)
{
    size_t i = 0;
    while (i < line->count &&
           (strncmp(line->pair[i].name, name, length) != 0 || line->pair[i].name[length] != '\0'))
        i++;
    return i;
}

/* name[0 .. length) */
static int put(struct line *line, const char *name, size_t length, const char *value,
               struct smap_error *err)
{
    size_t i = find(line, name, length);
    char *copy = strdup(value);
    if (!copy)
        return smap_nomem(err);
    if (i == line->count) {
        struct line_pair *grown = reallocarray(line->pair, line->count + 1, sizeof(*grown));
        line->pair = grown ? grown : line->pair;
        char *own = grown ? strndup(name, length) : NULL;
        if (!own) {
            free(copy);
            return smap_nomem(err);
        }
        line->pair[line->count++] = (struct line_pair){own, NULL};
    }
    free(line->pair[i].value);
    line->pair[i].value = copy;
    return SMAP_OK;
}

int line_set(struct line *line, const char *name, const char *value, struct smap_error *err)
{
    return put(line, name, strlen(name), value, err);
}

const char *line_get(const struct line *line, const char *name)
{
    size_t i = find(line, name, strlen(name));
    return i < line->count ? line->pair[i].value : NULL;
}

int line_add(struct line *line, const struct line *more, struct smap_error *err)
{
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < more->count; i++)
        rc = line_set(line, more->pair[i].name, more->pair[i].value, err);
    return rc;
}

static bool is_flag(const char *name)
{
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (strcmp(flags[i], name) == 0)
            return true;
    return false;
}

/* --name, --name=value, --name value: *next is the value that is a word of its own, or NULL; it is
 * set to NULL if it is not used. */
static int read_long(struct line *line, const char *word, const char **next, struct smap_error *err)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    if (equals)
        return *next = NULL, put(line, name, (size_t)(equals - name), equals + 1, err);
    if (is_flag(name) || !*next)
        return *next = NULL, line_set(line, name, is_flag(name) ? "set" : "", err);
    return line_set(line, name, *next, err);
}

static const char *name_of(char letter, bool sbatch)
{
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        if (letters[i].letter == letter && !(sbatch && letter == 'W'))
            return letters[i].name;
    return NULL;
}

/* -N4, -N 4, -lN4, -K1: *next as above. */
static int read_letters(struct line *line, const char *word, const char **next, bool sbatch,
                        struct smap_error *err)
{
    const char *name = NULL;
    for (word++; *word && !name && !strchr("KkI", *word); word++)
        name = name_of(*word, sbatch);
    if (!name || *word)
        *next = NULL;
    if (!name)
        return SMAP_OK; /* letters without a value say nothing of a layout */
    return line_set(line, name, *word ? word : *next ? *next : "", err);
}

int line_read(struct line *line, size_t *used, char *const words[], size_t count, bool sbatch,
              struct smap_error *err)
{
    size_t i = 0;
    int rc = SMAP_OK;
    while (rc == SMAP_OK && i < count && words[i][0] == '-' && words[i][1] != '\0') {
        const char *word = words[i++], *next = i < count ? words[i] : NULL;
        if (strcmp(word, "--") == 0)
            break;
        rc = word[1] == '-' ? read_long(line, word, &next, err)
                            : read_letters(line, word, &next, sbatch, err);
        i += next != NULL;
    }
    *used = i;
    return rc;
}

const char *line_variable(const char **option, size_t i)
{
    if (i >= sizeof(variables) / sizeof(variables[0]))
        return NULL;
    *option = variables[i][1];
    return variables[i][0];
}

int line_read_variables(struct line *line,
                        const char *(*get)(const void *context, const char *name),
                        const void *context, struct smap_error *err)
{
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *value = get(context, variables[i][0]);
        if (value && *value)
            rc = line_set(line, variables[i][1], value, err);
    }
    return rc;
}
