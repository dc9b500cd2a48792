/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/share.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options.h"
#include "step/layout.h"

static struct smap_request handed_request(const struct handover_values *handed)
{
    struct smap_request request = options_handed_over(handed);
    request.map = handed->value[HANDOVER_FORM];
    return request;
}

/* It is the node's place in the step that counts, in the order that the sizes are listed in. */
static int check_own(const struct smap_nodesizes *sizes, const struct items *items,
                     struct smap_error *err)
{
    if (items->node >= smap_nodesizes_nodes(sizes) ||
        smap_nodesizes_size(sizes, items->node) != items->tasks)
        return smap_fail(err, SMAP_EINVAL, "node %" PRIu32 " runs other tasks than srun said",
                         items->node);
    return SMAP_OK;
}

/* Placement comm: the mapping again, for this node's stretch of its enumeration only. */
static int map_tasks(struct share *share, const struct handover_values *handed,
                     const struct items *items, struct smap_error *err)
{
    const char *sizes_text = handed->value[HANDOVER_NODE_SIZES];
    const struct smap_request request = handed_request(handed);
    struct smap_mapping_options options;
    struct smap_levels levels;
    struct smap_nodesizes *sizes = NULL;
    struct smap_mapping *mapping = NULL;
    if (!request.map || !sizes_text)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half a mapping");
    int rc = smap_nodesizes_parse(&sizes, sizes_text, err);
    if (rc == SMAP_OK)
        rc = check_own(sizes, items, err);
    if (rc == SMAP_OK)
        rc = smap_problem_init(&share->problem, &request, smap_nodesizes_tasks(sizes), err);
    if (rc == SMAP_OK)
        rc = smap_request_options(&options, &levels, &request, sizes, err);
    const struct smap_instance instance = smap_problem_on(&share->problem, sizes);
    if (rc == SMAP_OK)
        rc = smap_mapping_create(&mapping, request.map, &instance, &options, err);
    for (uint32_t local = 0; rc == SMAP_OK && local < items->tasks; local++)
        share->cell[local] =
            smap_mapping_cell(mapping, smap_nodesizes_first(sizes, items->node) + local);
    smap_mapping_destroy(mapping);
    smap_nodesizes_destroy(sizes);
    return rc;
}

/* Placement launch, and where nothing is gained: every rank is its own cell. */
static int map_identity(struct share *share, const struct handover_values *handed,
                        const struct items *items, struct smap_error *err)
{
    struct smap_request request = handed_request(handed);
    request.map = NULL;
    int rc = smap_problem_init(&share->problem, &request, items->total, err);
    for (uint32_t local = 0; rc == SMAP_OK && local < items->tasks; local++) {
        share->cell[local] = items->rank[local];
        if (share->cell[local] >= share->problem.grid.cells)
            rc = smap_fail(err, SMAP_EINVAL, "a rank of this node is not on the grid");
    }
    return rc;
}

/* The order deals the ranks to the nodes in blocks: which of them this node's tasks would be. */
static int rank_tasks(struct share *share, const struct handover_values *handed,
                      const struct items *items, struct smap_error *err)
{
    const char *block_text = handed->value[HANDOVER_BLOCK];
    const char *sizes_text = handed->value[HANDOVER_NODE_SIZES];
    uint64_t block;
    struct smap_nodesizes *sizes = NULL;
    if (!smap_scan_uint(&block_text, UINT32_MAX, &block) || block == 0 || !sizes_text)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half an order");
    int rc = smap_nodesizes_parse(&sizes, sizes_text, err);
    if (rc == SMAP_OK)
        rc = check_own(sizes, items, err);
    for (uint32_t local = 0; rc == SMAP_OK && local < items->tasks; local++)
        share->cell[local] = smap_layout_block_rank(sizes, (uint32_t)block, items->node, local);
    smap_nodesizes_destroy(sizes);
    return rc;
}

int share_find(struct share *share, const struct handover_values *handed, const struct items *items,
               struct smap_error *err)
{
    const char *placement = handed->value[HANDOVER_PLACEMENT];
    const char *block = handed->value[HANDOVER_BLOCK];
    int rc = SMAP_OK;
    *share = (struct share){.cell = calloc(items->tasks, sizeof(*share->cell))};
    if (!share->cell)
        return smap_nomem(err);
    /* Also where nothing is gained between the nodes, there may be something inside of them. */
    if (placement)
        rc = strcmp(placement, "comm") == 0 ? map_tasks(share, handed, items, err)
                                            : map_identity(share, handed, items, err);
    else if (block)
        rc = rank_tasks(share, handed, items, err);
    share->mapped = rc == SMAP_OK && placement;
    share->ranked = rc == SMAP_OK && !placement && block;
    return rc;
}

void share_clear(struct share *share)
{
    smap_problem_release(&share->problem);
    free(share->cell);
    *share = (struct share){0};
}
