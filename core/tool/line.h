/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of srun, as people type them: the values of its options by their long names. The same kind
 * of list holds variables of a shell. */
#ifndef STENCILMAP_TOOL_LINE_H
#define STENCILMAP_TOOL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Names and values; starts as {0}. */
struct line {
    struct line_pair {
        char *name, *value;
    } * pair;
    size_t count;
};

void line_clear(struct line *line);

/* In place of an earlier value of that name. */
int line_set(struct line *line, const char *name, const char *value, struct smap_error *err);
const char *line_get(const struct line *line, const char *name); /* NULL: not there */

/* Adds all of another one. */
int line_add(struct line *line, const struct line *more, struct smap_error *err);

/* Reads options up to the first word that is none; *used is its place. Options that srun does not
 * have are taken too. sbatch: -W is sbatch's. An option without a value has the value "set". */
int line_read(struct line *line, size_t *used, char *const words[], size_t count, bool sbatch,
              struct smap_error *err);

/* What srun takes from variables: those of an environment, or of a script. get gives the value of a
 * variable, or NULL. */
int line_read_variables(struct line *line,
                        const char *(*get)(const void *context, const char *name),
                        const void *context, struct smap_error *err);

/* The variables that srun takes options from, and that a job's options are in: the i-th, or NULL.
 * Several may be for one option; the last one wins. */
const char *line_variable(const char **option, size_t i);

#endif
