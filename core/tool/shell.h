/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a line of a shell script, as far as a preview needs them: quotes, variables that are
 * known, and where a command ends. What only a shell can know stays as it is written. */
#ifndef STENCILMAP_TOOL_SHELL_H
#define STENCILMAP_TOOL_SHELL_H

#include "tool/line.h"

struct words {
    char **word;
    size_t count;
};

/* The words of the first command in *text, which is moved behind it and its ';', '|', '&' or end.
 * variables: "$NAME", "${NAME}" and "${NAME:-other}" of these. words_clear frees, also after a
 * failure. */
int words_read(struct words *words, const char **text, const struct line *variables,
               struct smap_error *err);
void words_clear(struct words *words);

#endif
