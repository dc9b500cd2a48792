/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/switches.h"

#include <dlfcn.h>
#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)

/* Looked up and not linked: slurmstepd loads this plugin too and need not have them. */
struct functions {
    int (*load)(topo_info_response_msg_t **answer);
    void (*release)(topo_info_response_msg_t *answer);
};

struct named {
    const char *name;
    uint32_t node;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* The step's nodes by name. */
static struct named *sort_hosts(const struct smap_hostlist *hosts)
{
    struct named *sorted = calloc(hosts->count, sizeof(*sorted));
    for (size_t i = 0; sorted && i < hosts->count; i++)
        sorted[i] = (struct named){hosts->names[i], (uint32_t)i};
    if (sorted)
        qsort(sorted, hosts->count, sizeof(*sorted), by_name);
    return sorted;
}

/* Puts the nodes below one switch into its group. */
static int add_switch(struct smap_outer *all, size_t level, uint32_t group, const char *nodes,
                      const struct named sorted[], struct smap_error *err)
{
    struct smap_hostlist *below = NULL;
    if (!nodes || !nodes[0])
        return SMAP_OK;
    int rc = smap_hostlist_parse(&below, nodes, err);
    for (size_t i = 0; rc == SMAP_OK && i < below->count; i++) {
        const struct named wanted = {.name = below->names[i]};
        const struct named *found = bsearch(&wanted, sorted, all->nodes, sizeof(wanted), by_name);
        if (found)
            all->group[found->node * all->levels + level] = group;
    }
    smap_hostlist_destroy(below);
    return rc;
}

/* Numbers the groups of a level in order of their first nodes; returns how many there are. */
static uint32_t renumber(struct smap_outer *all, size_t level, uint32_t groups, uint32_t number[])
{
    uint32_t next = 0;
    memset(number, 0xff, (groups + 1) * sizeof(*number));
    for (uint32_t i = 0; i < all->nodes; i++) {
        uint32_t *group = &all->group[i * all->levels + level];
        if (number[*group] == UINT32_MAX)
            number[*group] = next++;
        *group = number[*group];
    }
    return next;
}

/* Keeps the levels that say something, outermost first. */
static int keep_levels(struct smap_outer *outer, struct smap_outer *all, uint32_t switches,
                       struct smap_error *err)
{
    size_t keep[SMAP_LEVELS_MAX], kept = 0;
    uint32_t last = 1, *number = calloc((size_t)switches + 1, sizeof(*number));
    if (!number)
        return smap_nomem(err);
    for (size_t l = all->levels; l-- > 0;) {
        uint32_t groups = renumber(all, l, switches, number);
        if (groups > last && groups < all->nodes) {
            keep[kept++] = l;
            last = groups;
        }
    }
    free(number);
    int rc = smap_outer_init(outer, kept, all->nodes, err);
    for (size_t k = 0; rc == SMAP_OK && k < kept; k++) {
        if (keep[k] == 0)
            snprintf(outer->name[k], SMAP_NAME_SIZE, "switch");
        else
            snprintf(outer->name[k], SMAP_NAME_SIZE, "switch%u",
                     (unsigned)(keep[k] % SMAP_LEVELS_MAX) + 1);
        for (uint32_t i = 0; i < all->nodes; i++)
            outer->group[i * kept + k] = all->group[i * all->levels + keep[k]];
    }
    return rc;
}

static int convert(struct smap_outer *outer, const topo_info_response_msg_t *answer,
                   const struct smap_hostlist *hosts, struct smap_error *err)
{
    struct smap_outer all = {0};
    size_t levels = 0;
    struct named *sorted = sort_hosts(hosts);
    for (uint32_t s = 0; s < answer->record_count; s++)
        if (answer->topo_array[s].level >= levels && answer->topo_array[s].level < SMAP_LEVELS_MAX)
            levels = answer->topo_array[s].level + 1;
    int rc = sorted ? smap_outer_init(&all, levels, (uint32_t)hosts->count, err) : smap_nomem(err);
    for (uint32_t s = 0; rc == SMAP_OK && s < answer->record_count; s++)
        if (answer->topo_array[s].level < levels)
            rc = add_switch(&all, answer->topo_array[s].level, s + 1, answer->topo_array[s].nodes,
                            sorted, err);
    if (rc == SMAP_OK)
        rc = keep_levels(outer, &all, answer->record_count, err);
    smap_outer_clear(&all);
    free(sorted);
    return rc;
}

int switches_read(struct smap_outer *outer, const struct smap_hostlist *hosts,
                  struct smap_error *err)
{
    struct functions f;
    topo_info_response_msg_t *answer = NULL;
    *outer = (struct smap_outer){0};
    *(void **)&f.load = dlsym(RTLD_DEFAULT, "slurm_load_topo");
    *(void **)&f.release = dlsym(RTLD_DEFAULT, "slurm_free_topo_info_msg");
    if (!f.load || !f.release || f.load(&answer) != 0 || !answer)
        return SMAP_OK;
    int rc = answer->record_count > 0 ? convert(outer, answer, hosts, err) : SMAP_OK;
    f.release(answer);
    return rc;
}

#else

int switches_read(struct smap_outer *outer, const struct smap_hostlist *hosts,
                  struct smap_error *err)
{
    (void)hosts;
    (void)err;
    *outer = (struct smap_outer){0};
    return SMAP_OK;
}

#endif
