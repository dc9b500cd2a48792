/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/hints.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "stepd/own.h"
#include "stepd/pmix.h"
#include "stepd/voice.h"

/* execve refuses a string of 128 KiB; a hint of that size helps nobody. */
#define HINT_MAX 100000

/* Texts, NULL where there is nothing to say. */
struct hints {
    const char *value[HINT_COUNT];
    char *rank, *coords, *cpus; /* to be freed */
};

const char *hints_variable(enum hint hint)
{
    static const char *const names[HINT_COUNT] = {
        [HINT_VERSION] = "STENCILMAP_VERSION",
        [HINT_MAP] = "STENCILMAP_MAP",
        [HINT_PLACEMENT] = "STENCILMAP_PLACEMENT",
        [HINT_STENCIL] = "STENCILMAP_STENCIL",
        [HINT_DIMS] = "STENCILMAP_DIMS",
        [HINT_PERIODIC] = "STENCILMAP_PERIODIC",
        [HINT_RANKS] = "STENCILMAP_RANKS",
        [HINT_NODE_SIZES] = "STENCILMAP_NODE_SIZES",
        [HINT_JSUM] = "STENCILMAP_JSUM",
        [HINT_JMAX] = "STENCILMAP_JMAX",
        [HINT_JSUM_BEFORE] = "STENCILMAP_JSUM_BEFORE",
        [HINT_JMAX_BEFORE] = "STENCILMAP_JMAX_BEFORE",
        [HINT_RANK] = "STENCILMAP_RANK",
        [HINT_COORDS] = "STENCILMAP_COORDS",
        [HINT_CPUS] = "STENCILMAP_CPUS",
    };
    return names[hint];
}

void hints_key(char key[HINTS_KEY_SIZE], enum hint hint)
{
    const char *name = strchr(hints_variable(hint), '_') + 1;
    snprintf(key, HINTS_KEY_SIZE, "stencilmap.%s", name);
    for (char *c = key; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* Those that are the same for all tasks. */
static struct hints of_step(const struct handover_values *handed, const struct share *share)
{
    static const struct {
        enum hint hint;
        enum handover variable;
    } copied[] = {
        {HINT_MAP, HANDOVER_MAP},
        {HINT_PLACEMENT, HANDOVER_PLACEMENT},
        {HINT_STENCIL, HANDOVER_STENCIL},
        {HINT_DIMS, HANDOVER_DIMS},
        {HINT_PERIODIC, HANDOVER_PERIODIC},
        {HINT_RANKS, HANDOVER_RANKS},
        {HINT_NODE_SIZES, HANDOVER_NODE_SIZES},
        {HINT_JSUM, HANDOVER_JSUM},
        {HINT_JMAX, HANDOVER_JMAX},
        {HINT_JSUM_BEFORE, HANDOVER_JSUM_BEFORE},
        {HINT_JMAX_BEFORE, HANDOVER_JMAX_BEFORE},
    };
    struct hints hints = {.value = {[HINT_VERSION] = STENCILMAP_VERSION}};
    for (size_t i = 0; share->mapped && i < sizeof(copied) / sizeof(copied[0]); i++)
        hints.value[copied[i].hint] = handed->value[copied[i].variable];
    if (share->ranked) { /* an order: the ranks stay where they are */
        hints.value[HINT_PLACEMENT] = "comm";
        hints.value[HINT_NODE_SIZES] = handed->value[HANDOVER_NODE_SIZES];
    }
    return hints;
}

/* Adds those of one task. */
static void add_own(struct hints *hints, const struct share *share, uint32_t local)
{
    struct smap_text text = {0};
    if ((!share->mapped && !share->ranked) || share->cell[local] == SMAP_NO_CELL)
        return;
    smap_text_add(&text, "%" PRIu32, share->cell[local]);
    hints->value[HINT_RANK] = hints->rank = smap_text_take(&text);
    if (share->mapped && !share->problem.graph)
        hints->value[HINT_COORDS] = hints->coords =
            smap_problem_coords(&share->problem, share->cell[local]);
}

static void clear(struct hints *hints)
{
    free(hints->rank);
    free(hints->coords);
    free(hints->cpus);
}

void hints_set(spank_t spank, const struct handover_values *handed, const struct share *share,
               uint32_t local)
{
    struct hints hints = of_step(handed, share);
    add_own(&hints, share, local);
    hints.value[HINT_CPUS] = hints.cpus = own_cpus(0);
    for (int h = 0; h < HINT_COUNT; h++) {
        if (hints.value[h] && strlen(hints.value[h]) < HINT_MAX)
            spank_setenv(spank, hints_variable((enum hint)h), hints.value[h], 1);
        else /* a step around this one may have set it */
            spank_unsetenv(spank, hints_variable((enum hint)h));
    }
    clear(&hints);
}

/* The given hints, as keys of one rank or of all. */
static void publish(struct pmix_publisher *publisher, uint32_t rank, const struct hints *hints)
{
    for (int h = 0; h < HINT_COUNT; h++) {
        char key[HINTS_KEY_SIZE];
        hints_key(key, (enum hint)h);
        if (hints->value[h] && strlen(hints->value[h]) < HINT_MAX)
            pmix_publish(publisher, rank, key, hints->value[h]);
    }
}

bool hints_publish(const struct handover_values *handed, const struct share *share,
                   const struct items *items)
{
    struct smap_error err = {""};
    struct pmix_publisher *publisher = pmix_open(items->job, items->step, &err);
    if (!publisher) {
        if (err.text[0])
            voice_say(items->node == 0 ? VOICE_LOG : VOICE_NONE, "%s", err.text);
        return false;
    }
    const struct hints all = of_step(handed, share);
    publish(publisher, PMIX_ALL_RANKS, &all);
    for (uint32_t local = 0; local < items->tasks; local++) {
        struct hints own = {.rank = NULL};
        add_own(&own, share, local);
        publish(publisher, items->rank[local], &own);
        clear(&own);
    }
    pmix_close(publisher);
    return true;
}

void hints_publish_cpus(const struct items *items)
{
    struct pmix_publisher *publisher = pmix_open(items->job, items->step, NULL);
    for (uint32_t local = 0; publisher && local < items->tasks; local++) {
        struct hints own = {.cpus = own_cpus(items->pid[local])};
        own.value[HINT_CPUS] = own.cpus;
        publish(publisher, items->rank[local], &own);
        clear(&own);
    }
    pmix_close(publisher);
}

/* Slurm's PMIx plugin adds to this one for every rank of an irregular layout, up to where execve
 * refuses it; only the server in slurmstepd needs it. */
static void drop_long_pmix_mapping(spank_t spank)
{
    static const char name[] = "SLURM_PMIX_MAPPING_SERV";
    char *value = malloc(HINT_MAX);
    if (value && spank_getenv(spank, name, value, HINT_MAX) == ESPANK_NOSPACE)
        spank_unsetenv(spank, name);
    free(value);
}

void hints_clean(spank_t spank)
{
    drop_long_pmix_mapping(spank);
    handover_unset(spank);
}
