/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to know about an option of the plugin; the rows themselves are in options.def. */
#ifndef STENCILMAP_OPTION_ROW_H
#define STENCILMAP_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "handover.h"
#include "plan/plan.h"

enum option {
#define OPTION(tag, ...) OPTION_##tag,
#include "options.def"
#undef OPTION
    OPTION_COUNT
};

/* An option that says nothing by itself; typed without such a partner it is refused. */
enum partner { PARTNER_NONE, PARTNER_MAP, PARTNER_MAP_OR_ORDER };

struct option_row {
    const char *name;        /* without dashes */
    const char *placeholder; /* of its value in srun --help */
    const char *help;        /* for srun --help; begins with [stencilmap] */
    const char *bare;        /* what the option means without a value; NULL: it takes one */
    enum handover handover;  /* the variable that carries it to slurmstepd, or HANDOVER_NONE */
    bool made_whole;         /* what is handed over is not as typed: the plan knows it in full */
    enum partner partner;
    bool is_file;    /* the value keeps its case */
    bool no_effect;  /* on where tasks run: typed alone it is no directive */
    bool can_be_off; /* "off" as a value: as if nobody had set it */

    /* Values. What can be known of one by itself is checked by one of these, in this order: */
    int (*check)(const char *value, struct smap_error *err);
    const char *words[8]; /* there are no others; ends with a NULL */
    /* else the request's own check, see smap_problem_init. */

    /* Names that may be values, with their summaries: for `help`. */
    bool (*names)(const char **name, const char **summary, size_t i);
    const char *more_help;  /* printed behind them; without both, help is no value */
    const char *more_forms; /* what else a value may look like: "sizes like 50x48" */
};

const struct option_row *option_row(enum option option);

/* By name; false if there is none. name need not end behind its length characters. */
bool option_find(enum option *option, const char *name, size_t length);

/* Puts a value (or NULL) into the member of a request that the option fills, if it fills one. */
void option_put(struct smap_request *request, enum option option, const char *value);

/* What can be known of a value by itself. "off" and the empty value are judged too. */
int option_check(enum option option, const char *value, struct smap_error *err);

bool option_is_off(enum option option, const char *value);

/* Is "help" an answer to the option, and not a value? */
bool option_has_help(enum option option);
void option_print_help(enum option option);

#endif
