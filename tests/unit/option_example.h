/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options, for tests that go over all rows of options.def. After unit.h. */
#ifndef STENCILMAP_OPTION_EXAMPLE_H
#define STENCILMAP_OPTION_EXAMPLE_H

#include <stdio.h>
#include <string.h>

#include "option_row.h"

/* A value that the option takes: what its row says first, or what it says that values are like. */
static inline const char *option_example(enum option option)
{
    static char text[64];
    const struct option_row *row = option_row(option);
    const char *name = row->words[0], *summary;
    if (name || (row->names && row->names(&name, &summary, 0)))
        return name;
    const char *like = strstr(row->more_forms, "like ");
    assert_non_null(like);
    like += strlen("like ");
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(like, " "), like);
    return text;
}

#endif
