/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <ini.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "env.h"
#include "options.h"
#include "preload.h"
#include "step/nodesizes.h"

/* srun's and slurmctld's own work is about a second of CPU time each for so many tasks. */
#define LAUNCH_MAX 65536

static struct settings current = {.pmix = true, .launch_max = LAUNCH_MAX};

const struct settings *settings(void)
{
    return &current;
}

const char *settings_mpi_helper(void)
{
    return current.partition_mpi_helper ? current.partition_mpi_helper : current.mpi_helper;
}

void settings_clear(void)
{
    free(current.config);
    free(current.topology);
    free(current.mpi_helper);
    free(current.partition_mpi_helper);
    current = (struct settings){.pmix = true, .launch_max = LAUNCH_MAX};
}

static void replace(char **text, const char *value)
{
    free(*text);
    *text = strdup(value);
}

void settings_arguments(int ac, char **av)
{
    static const char config[] = "config=";
    replace(&current.config, STENCILMAP_CONFIG);
    for (int i = 0; i < ac; i++) {
        if (strncmp(av[i], config, sizeof(config) - 1) == 0 && av[i][sizeof(config) - 1] == '/')
            replace(&current.config, av[i] + sizeof(config) - 1);
        else
            slurm_error("stencilmap: plugstack argument '%.100s' is ignored: not config=/FILE",
                        av[i]);
    }
}

/* A setting is one of these kinds; the text is what a wrong value is not. */
enum kind { YES_OR_NO, ZERO_OR_ONE, NUMBER, FULL_PATH, HELPER };
static const char *const right[] = {
    [YES_OR_NO] = "yes or no",
    [ZERO_OR_ONE] = "0 or 1",
    [NUMBER] = "a number of tasks",
    [FULL_PATH] = "a full path, which begins with /",
    [HELPER] = "yes, no, or the full path of a library, without blanks and colons",
};

/* The keys of [stencilmap] that are no options, and those of [partition NAME]. */
static const struct setting {
    const char *name;
    enum kind kind;
    void *member;
    enum origin origin; /* the section that it stands in */
} table[] = {
    {"pmix", YES_OR_NO, &current.pmix, ORIGIN_SITE},
    {"launch-max", NUMBER, &current.launch_max, ORIGIN_SITE},
    {"strict", YES_OR_NO, &current.strict, ORIGIN_SITE},
    {"verbose", ZERO_OR_ONE, &current.verbose, ORIGIN_SITE},
    {"topology", FULL_PATH, &current.topology, ORIGIN_SITE},
    {"mpi-helper", HELPER, &current.mpi_helper, ORIGIN_SITE},
    {"mpi-helper", HELPER, &current.partition_mpi_helper, ORIGIN_PARTITION},
};

static const struct setting *find_setting(const char *name, enum origin origin)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (origin == table[i].origin && strcmp(name, table[i].name) == 0)
            return &table[i];
    return NULL;
}

static int read_setting(const struct setting *setting, const char *value, struct smap_error *err)
{
    bool yes = strcasecmp(value, "yes") == 0, one = strcmp(value, "1") == 0;
    bool no = strcasecmp(value, "no") == 0, zero = strcmp(value, "0") == 0;
    const char *cursor = value;
    uint64_t number;
    if (setting->kind == FULL_PATH && *value == '/')
        replace(setting->member, value);
    else if (setting->kind == HELPER && (yes || no || preload_is_name(value)))
        replace(setting->member, yes ? "yes" : no ? "no" : value);
    else if (setting->kind == YES_OR_NO && (yes || one || no || zero))
        *(bool *)setting->member = yes || one;
    else if (setting->kind == ZERO_OR_ONE && (one || zero))
        *(int *)setting->member = one;
    else if (setting->kind == NUMBER && smap_scan_uint(&cursor, SMAP_TASKS_MAX, &number) &&
             *cursor == '\0')
        *(uint32_t *)setting->member = (uint32_t)number;
    else
        return smap_fail(err, SMAP_EINVAL, "not %s", right[setting->kind]);
    return SMAP_OK;
}

/* Where the reader is; errors are said in the context that a person sees only. */
struct reader {
    FILE *file;
    const char *partition;
    bool talk;
    int line;
};

/* Lines for libinih, which would cut a long one and take its end for a line of its own. */
static char *next_line(char *line, int size, void *stream)
{
    struct reader *reader = stream;
    char *text = NULL;
    size_t room = 0;
    if (getline(&text, &room, reader->file) < 0) {
        free(text);
        return NULL;
    }
    reader->line++;
    text[strcspn(text, "\r\n")] = '\0';
    const char *begin = text + strspn(text, " \t");
    bool comment = *begin == '#' || *begin == ';';
    bool fits = strlen(begin) < (size_t)size;
    if (!fits && !comment && reader->talk)
        slurm_error("stencilmap: %s:%d: longer than %d characters, left out", current.config,
                    reader->line, size - 1);
    snprintf(line, (size_t)size, "%s", fits && !comment ? begin : "");
    free(text);
    return line;
}

/* The origin of what stands in a section; ORIGIN_NONE for a section that does not count. */
static enum origin origin_of(const struct reader *reader, const char *section)
{
    static const char partition[] = "partition ";
    const char *named = section + sizeof(partition) - 1;
    if (strcmp(section, "stencilmap") == 0)
        return ORIGIN_SITE;
    if (strncmp(section, partition, sizeof(partition) - 1) == 0)
        return reader->partition && strcmp(named, reader->partition) == 0 ? ORIGIN_PARTITION
                                                                          : ORIGIN_NONE;
    if (reader->talk)
        slurm_error("stencilmap: %s:%d: section [%.60s] is neither [stencilmap] nor [partition "
                    "NAME]",
                    current.config, reader->line, env_is_printable(section) ? section : "?");
    return ORIGIN_NONE;
}

/* libinih calls this as soon as it has a line, so the last one that was given to it is the one that
 * this is about. (It can tell the number itself, where it was built with INI_HANDLER_LINENO.) */
static int on_line(void *user, const char *section, const char *name, const char *value)
{
    const struct reader *reader = user;
    struct smap_error err = {""};
    enum origin origin = origin_of(reader, section);
    const struct setting *setting = find_setting(name, origin);
    int rc = SMAP_OK;
    if (setting)
        rc = read_setting(setting, value, &err);
    else if (origin != ORIGIN_NONE)
        rc = options_default(name, value, origin, &err);
    if (rc != SMAP_OK && reader->talk)
        slurm_error("stencilmap: %s:%d: '%.60s = %.100s' is left out: %s", current.config,
                    reader->line, env_is_printable(name) ? name : "?",
                    env_is_printable(value) ? value : "?", err.text);
    return 1;
}

void settings_read(const char *partition)
{
    struct reader reader = {
        .file = current.config ? fopen(current.config, "re") : NULL,
        .partition = partition,
        .talk = spank_context() != S_CTX_REMOTE,
    };
    if (!reader.file)
        return;
    int rc = ini_parse_stream(next_line, &reader, on_line, &reader);
    if (rc > 0 && reader.talk)
        slurm_error("stencilmap: %s:%d: not a line like 'rank-order = numa,l3,core'",
                    current.config, rc);
    fclose(reader.file);
}
