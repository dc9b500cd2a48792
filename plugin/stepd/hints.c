/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stepd/bind.h"

/* execve refuses a string of 128 KiB; a hint of that size helps nobody. */
#define HINT_MAX 100000

static void set(spank_t spank, const char *name, const char *value)
{
    if (value && strlen(value) < HINT_MAX)
        spank_setenv(spank, name, value, 1);
}

void hints_set(spank_t spank, const struct handover_values *handed,
               const struct smap_problem *problem, uint32_t cell)
{
    static const struct {
        const char *name;
        enum handover variable;
    } copied[] = {
        {"STENCILMAP_MAP", HANDOVER_MAP},           {"STENCILMAP_PLACEMENT", HANDOVER_PLACEMENT},
        {"STENCILMAP_STENCIL", HANDOVER_STENCIL},   {"STENCILMAP_DIMS", HANDOVER_DIMS},
        {"STENCILMAP_PERIODIC", HANDOVER_PERIODIC}, {"STENCILMAP_NODE_SIZES", HANDOVER_NODE_SIZES},
        {"STENCILMAP_JSUM", HANDOVER_JSUM},         {"STENCILMAP_JMAX", HANDOVER_JMAX},
    };
    char *cpus = bind_own_cpus();
    set(spank, "STENCILMAP_VERSION", STENCILMAP_VERSION);
    set(spank, "STENCILMAP_CPUS", cpus);
    free(cpus);
    if (!problem)
        return;
    for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
        set(spank, copied[i].name, handed->value[copied[i].variable]);
    char rank[16];
    char *coords = smap_problem_coords(problem, cell);
    snprintf(rank, sizeof(rank), "%" PRIu32, cell);
    set(spank, "STENCILMAP_RANK", rank);
    set(spank, "STENCILMAP_COORDS", coords);
    free(coords);
}

void hints_set_order(spank_t spank, const struct handover_values *handed, uint32_t rank)
{
    char text[16];
    snprintf(text, sizeof(text), "%" PRIu32, rank);
    set(spank, "STENCILMAP_RANK", text);
    set(spank, "STENCILMAP_PLACEMENT", "comm");
    set(spank, "STENCILMAP_NODE_SIZES", handed->value[HANDOVER_NODE_SIZES]);
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

void hints_clean(spank_t spank, const struct handover_values *handed)
{
    /* A nested srun takes the distribution over, and an arbitrary one is fatal there. */
    if (handed->value[HANDOVER_DISTRIBUTION])
        spank_setenv(spank, "SLURM_DISTRIBUTION", handed->value[HANDOVER_DISTRIBUTION], 1);
    drop_long_pmix_mapping(spank);
    for (int i = 0; i < HANDOVER_COUNT; i++)
        spank_unsetenv(spank, handover_name((enum handover)i));
}
