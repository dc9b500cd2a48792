/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/preview.h"

#include <stdlib.h>
#include <string.h>

#include "machine/slots_inside.h"
#include "step/layout.h"
#include "tool/step.h"
#include "tool/tool.h"

/* The layout that -m means, block without it. */
static int find_own(struct preview *p, const struct args *args, struct smap_error *err)
{
    struct smap_layout_rule rule;
    const char *word = args->distribution ? args->distribution : "block";
    uint32_t nodes = smap_nodesizes_nodes(p->sizes), tasks = smap_nodesizes_tasks(p->sizes);
    if (smap_layout_rule_parse(&rule, word, err) != SMAP_OK)
        return smap_fail(err, SMAP_EINVAL, "--distribution=%.100s: not block, cyclic or plane=K",
                         word);
    p->own = calloc(tasks, sizeof(*p->own));
    if (!p->own)
        return smap_nomem(err);
    if (!args->distribution)
        return smap_layout_blocks(p->own, p->sizes, smap_nodesizes_largest(p->sizes), err);
    uint32_t *capacity = calloc(nodes, sizeof(*capacity));
    int rc = capacity ? SMAP_OK : smap_nomem(err);
    for (uint32_t i = 0; rc == SMAP_OK && i < nodes; i++)
        capacity[i] = smap_nodesizes_size(p->sizes, i);
    if (rc == SMAP_OK)
        rc = smap_layout_nodes(p->own, &rule, capacity, nodes, tasks, err);
    free(capacity);
    return rc;
}

/* The seats that Slurm or the order gives the tasks of the fullest node, one by one. */
static int find_seats(struct preview *p, const struct args *args, struct smap_error *err)
{
    struct smap_slots slots = {0};
    struct smap_slot_request request = {.order = args->request.order,
                                        .hierarchy = args->request.hierarchy,
                                        .nodes = smap_nodesizes_nodes(p->sizes),
                                        .count = smap_nodesizes_largest(p->sizes),
                                        .strict = args->strict};
    int rc = args_slots(&slots, &request, args, err);
    if (rc != SMAP_OK && args->topology)
        return args_blame("--topology", args->topology, rc, err);
    if (rc != SMAP_OK && args->request.hierarchy)
        return args_blame("--rank-hierarchy", args->request.hierarchy, rc, err);
    if (rc != SMAP_OK)
        return args_blame(args->cpuset ? "--cpuset" : "--allowed",
                          args->cpuset ? args->cpuset : args->allowed, rc, err);
    rc = smap_slots_seats(&p->seats, &slots, err);
    if (rc == SMAP_OK)
        smap_levels_from_seats(&p->levels, &slots.hierarchy, &p->seats);
    smap_slots_clear(&slots);
    return rc;
}

static int find_levels(struct preview *p, const struct args *args, struct smap_error *err)
{
    bool restricted = args_restricts(args);
    bool machine = args->topology || restricted || args->cpus_per_task || args->threads_per_core ||
                   args->ntasks_per_socket;
    int rc = SMAP_OK;
    if (!args->topology && !args->request.hierarchy && !restricted)
        return args_check_numbers(args, err);
    if (machine)
        rc = find_seats(p, args, err);
    else
        rc = smap_levels_parse(&p->levels, args->request.hierarchy, args->request.order,
                               smap_nodesizes_nodes(p->sizes), smap_nodesizes_largest(p->sizes),
                               err);
    p->request.levels = &p->levels;
    return rc;
}

/* The step of a line, which knows its layout. */
static int copy_step(struct preview *p, const struct step *step, struct smap_error *err)
{
    uint32_t tasks = smap_nodesizes_tasks(step->sizes), nodes = smap_nodesizes_nodes(step->sizes);
    p->own = calloc(tasks, sizeof(*p->own));
    if (!p->own)
        return smap_nomem(err);
    memcpy(p->own, step->own, tasks * sizeof(*p->own));
    return smap_layout_sizes(&p->sizes, p->own, tasks, nodes, err);
}

int preview_init(struct preview *preview, const struct args *args, struct smap_error *err)
{
    *preview = (struct preview){.request = args->request};
    int rc =
        args->step ? copy_step(preview, args->step, err) : args_sizes(args, &preview->sizes, err);
    if (rc == SMAP_OK && !args->step)
        rc = find_own(preview, args, err);
    return rc == SMAP_OK ? find_levels(preview, args, err) : rc;
}

void preview_clear(struct preview *preview)
{
    smap_nodesizes_destroy(preview->sizes);
    smap_inside_clear(&preview->seats);
    free(preview->own);
    *preview = (struct preview){.own = NULL};
}
