/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <ini.h>
#include <slurm/spank.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "options.h"

static struct settings current = {.pmix = true};

const struct settings *settings(void)
{
    return &current;
}

void settings_clear(void)
{
    free(current.config);
    free(current.topology);
    current = (struct settings){.pmix = true};
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

static bool yes_or_no(const char *value, bool *yes)
{
    *yes = strcasecmp(value, "yes") == 0 || strcmp(value, "1") == 0;
    return *yes || strcasecmp(value, "no") == 0 || strcmp(value, "0") == 0;
}

/* Keys of [stencilmap] that are no options. False: not one of them, or a wrong value. */
static bool read_setting(const char *name, const char *value)
{
    bool yes;
    if (strcmp(name, "topology") == 0 && *value == '/') {
        replace(&current.topology, value);
        return true;
    }
    if (strcmp(name, "pmix") == 0 && yes_or_no(value, &yes)) {
        current.pmix = yes;
        return true;
    }
    if (strcmp(name, "strict") == 0 && yes_or_no(value, &yes)) {
        current.strict = yes;
        return true;
    }
    if (strcmp(name, "verbose") == 0 && (strcmp(value, "0") == 0 || strcmp(value, "1") == 0)) {
        current.verbose = *value - '0';
        return true;
    }
    return false;
}

/* Where the reader is; errors are said in the context that a person sees only. */
struct reader {
    const char *partition;
    bool talk;
};

static int on_line(void *user, const char *section, const char *name, const char *value)
{
    static const char partition[] = "partition ";
    const struct reader *reader = user;
    struct smap_error err = {"no such setting"};
    enum origin origin = ORIGIN_SITE;
    if (strncmp(section, partition, sizeof(partition) - 1) == 0) {
        const char *named = section + sizeof(partition) - 1;
        if (!reader->partition || strcmp(named, reader->partition) != 0)
            return 1;
        origin = ORIGIN_PARTITION;
    } else if (strcmp(section, "stencilmap") != 0) {
        if (reader->talk)
            slurm_error("stencilmap: %s: section [%.60s] is neither [stencilmap] nor "
                        "[partition NAME]",
                        current.config, section);
        return 1;
    } else if (read_setting(name, value)) {
        return 1;
    }
    if (options_default(name, value, origin, &err) != SMAP_OK && reader->talk)
        slurm_error("stencilmap: %s: '%.60s = %.100s' is left out: %s", current.config, name, value,
                    err.text);
    return 1;
}

void settings_read(const char *partition)
{
    struct reader reader = {partition, spank_context() != S_CTX_REMOTE};
    int rc = current.config ? ini_parse(current.config, on_line, &reader) : -1;
    if (rc > 0 && reader.talk)
        slurm_error("stencilmap: %s:%d: not a line like 'rank-order = numa,l3,core'",
                    current.config, rc);
}
