/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the plugin's options, and where each came from. What there is to know about an
 * option itself is in option_row.h. */
#ifndef STENCILMAP_OPTIONS_H
#define STENCILMAP_OPTIONS_H

#include <slurm/spank.h>
#include <stdbool.h>

#include "base/error.h"
#include "handover.h"
#include "option_row.h"
#include "plan/plan.h"

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

/* Did somebody type an option on this very srun (a report changes nothing, so it is none)? Is
 * there anything that the user asked for himself, not the site? */
bool options_typed_here(void);
bool options_from_user(void);

/* What sbatch or salloc handed down is going to be heard again, for the next component. */
void options_next_component(void);

/* Takes in STENCILMAP_OPTIONS="--stencil-map=... --rank-order=...", below everything else. A word
 * that is no option of ours is said once and left out. */
void options_read_environment(void);

/* Takes in a default of the site, by the option's name without dashes. */
int options_default(const char *name, const char *value, enum origin origin,
                    struct smap_error *err);

/* An option was typed whose partner nobody has set, not even to "off": SMAP_EINVAL. */
int options_check_partners(struct smap_error *err);

/* The values as a request; valid until one changes. */
struct smap_request options_request(void);

/* Hands over, for slurmstepd, the values that travel as they are: those of an order, and with a
 * mapping in force those of it too. */
void options_hand_over(bool mapped);

/* The request that was handed over; borrows from *handed. Its map is the name that people know. */
struct smap_request options_handed_over(const struct handover_values *handed);

/* In slurmstepd: takes out of a task's environment what Slurm handed our options over in. It means
 * to do so itself, but steps over the variable behind each one that it takes out. */
void options_unset_remote(spank_t spank);

/* For people: "command line", "site default", ... */
const char *options_origin_text(enum origin origin);

/* Forgets the value of one. */
void options_forget(enum option option);

/* Forgets the values that say where tasks run: those of this step are left where Slurm has them. */
void options_clear_directives(void);

/* Forgets all values: this step is left alone. Also at the end, to free them. */
void options_clear(void);

#endif
