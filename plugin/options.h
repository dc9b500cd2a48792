/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's options: their table, their values, and where each value came from. */
#ifndef STENCILMAP_OPTIONS_H
#define STENCILMAP_OPTIONS_H

#include <slurm/spank.h>
#include <stdbool.h>

#include "base/error.h"

enum option {
    OPTION_MAP,
    OPTION_STENCIL,
    OPTION_DIMS,
    OPTION_PERIODIC,
    OPTION_EFFORT,
    OPTION_OBJECTIVE,
    OPTION_PLACEMENT,
    OPTION_ORDER,
    OPTION_HIERARCHY,
    OPTION_REPORT,
    OPTION_COUNT
};

/* Later ones win. */
enum origin {
    ORIGIN_NONE,
    ORIGIN_SITE,         /* [stencilmap] of stencilmap.conf */
    ORIGIN_PARTITION,    /* [partition NAME] of it */
    ORIGIN_ENVIRONMENT,  /* STENCILMAP_OPTIONS */
    ORIGIN_INHERITED,    /* the sbatch or salloc around this srun */
    ORIGIN_COMMAND_LINE, /* typed here */
};

/* Registers all options in this context. A second copy of the plugin in plugstack.conf loses, and
 * nothing happens. */
void options_register(spank_t spank);

/* The value in force, NULL if none; "off" and unset are the same here. */
const char *options_get(enum option option);
enum origin options_origin(enum option option);

/* Takes in STENCILMAP_OPTIONS="--stencil-map=... --rank-order=...", below everything else. A word
 * that is no option of ours is said once and left out. */
void options_read_environment(void);

/* Takes in a default of the site, by the option's name without dashes. */
int options_default(const char *name, const char *value, enum origin origin,
                    struct smap_error *err);

/* For people: "command line", "site default", ... */
const char *options_origin_text(enum origin origin);

/* Forgets all values: this step is left alone. */
void options_clear(void);

/* The name without dashes. */
const char *options_name(enum option option);

#endif
