/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans in tests, and refusals word by word. */
#ifndef STENCILMAP_UNIT_PLAN_H
#define STENCILMAP_UNIT_PLAN_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "plan/plan.h"

static inline struct smap_plan *plan_of(const struct smap_request *request,
                                        const struct smap_nodesizes *sizes,
                                        const uint32_t node_of_rank[])
{
    struct smap_error err = {""};
    struct smap_plan *plan = NULL;
    if (smap_plan_create(&plan, request, sizes, node_of_rank, &err) != SMAP_OK)
        fail_msg("%s %s: %s", request->map, request->dims ? request->dims : "", err.text);
    return plan;
}

static inline struct smap_nodesizes *sizes_of(const char *text)
{
    struct smap_nodesizes *sizes = NULL;
    assert_int_equal(smap_nodesizes_parse(&sizes, text, NULL), SMAP_OK);
    return sizes;
}

/* The error is the wanted text; '@' in it stands for the list of words for --stencil-map. */
static inline void assert_error(const struct smap_error *err, const char *want)
{
    struct smap_text text = {0};
    const char *name, *summary;
    smap_text_add(&text, "%.*s", (int)strcspn(want, "@"), want);
    for (size_t i = 0; strchr(want, '@') && smap_algorithm_name(&name, &summary, i); i++)
        smap_text_add(&text, "%s, ", name);
    if (strchr(want, '@'))
        smap_text_add(&text, "off, help");
    char *whole = smap_text_take(&text);
    assert_string_equal(err->text, whole);
    free(whole);
}

#endif
