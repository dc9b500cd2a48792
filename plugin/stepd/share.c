/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/share.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "options.h"
#include "record/graph_file.h"
#include "step/layout.h"

/* srun's word on how many tasks there are where, against Slurm's own: the variables of a job may
 * hold what a user has put there, so this comes before any work. */
static int read_sizes(struct smap_nodesizes **sizes, const struct handover_values *handed,
                      const struct items *items, struct smap_error *err)
{
    const char *text = handed->value[HANDOVER_NODE_SIZES];
    if (!text)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half a decision");
    int rc = smap_nodesizes_parse(sizes, text, err);
    if (rc != SMAP_OK)
        return rc;
    uint32_t nodes = smap_nodesizes_nodes(*sizes), total = smap_nodesizes_tasks(*sizes);
    if (nodes != items->nodes || total != items->total)
        return smap_fail(err, SMAP_EINVAL,
                         "handed over for %" PRIu32 " tasks on %" PRIu32
                         " nodes, the step has %" PRIu32 " on %" PRIu32,
                         total, nodes, items->total, items->nodes);
    return SMAP_OK;
}

/* It is the node's place in the step that counts, in the order that the sizes are listed in. */
static int check_own(const struct smap_nodesizes *sizes, const struct items *items,
                     struct smap_error *err)
{
    if (items->node >= smap_nodesizes_nodes(sizes) ||
        smap_nodesizes_size(sizes, items->node) != items->tasks)
        return smap_fail(err, SMAP_ENOTSUP, "node %" PRIu32 " runs other tasks than srun said",
                         items->node);
    return SMAP_OK;
}

/* The grid and the stencil, whose size together with the largest node's is all the work that any
 * node does later. */
static int read_problem(struct share *share, const struct smap_request *request,
                        const struct smap_nodesizes *sizes, struct smap_error *err)
{
    uint32_t most = smap_nodesizes_largest(sizes);
    int rc = smap_problem_init(&share->problem, request, smap_nodesizes_tasks(sizes), err);
    if (rc == SMAP_OK && !share->problem.graph &&
        (uint64_t)share->problem.stencil->count * most > SHARE_EDGES_MAX)
        rc = smap_fail(err, SMAP_EINVAL,
                       "%zu offsets for each of a node's %" PRIu32 " tasks are too many to look at",
                       share->problem.stencil->count, most);
    return rc;
}

/* Placement launch, and where nothing is gained: every rank of the grid is its own cell. */
static void map_identity(struct share *share, const struct items *items)
{
    for (uint32_t local = 0; local < items->tasks; local++) {
        uint32_t rank = items->rank[local];
        bool inside = smap_problem_has_rank(&share->problem, rank);
        share->cell[local] = inside ? rank - share->problem.first : SMAP_NO_CELL;
        share->inside += inside;
    }
}

/* The nodes that have ranks of the grid, where there are other ranks too; *node is this one's
 * number among them. srun's word against what Slurm says of this node. */
static int read_part(struct smap_part *part, uint32_t *node, const char *cells,
                     const struct share *share, const struct items *items, struct smap_error *err)
{
    if (!cells)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half a mapping");
    int rc = smap_part_parse(part, cells, items->nodes, err);
    if (rc != SMAP_OK)
        return rc;
    bool found = smap_part_find(node, part, items->node);
    if (smap_nodesizes_tasks(part->sizes) != share->problem.grid.cells ||
        (found ? smap_nodesizes_size(part->sizes, *node) : 0) != share->inside)
        return smap_fail(err, SMAP_ENOTSUP, "node %" PRIu32 " runs other ranks than srun said",
                         items->node);
    return SMAP_OK;
}

/* Gives the tasks on the grid, in their order here, the cells of this node: its stretch of the
 * mapping's enumeration. The text is srun's; what would look at the whole grid is refused, since
 * srun hands over what that finds. node: this one among those of sizes. */
static int take_cells(struct share *share, const char *text, const struct smap_nodesizes *sizes,
                      uint32_t node, const struct items *items, struct smap_error *err)
{
    struct smap_mapping *mapping = NULL;
    const struct smap_algorithm *algorithm = text ? smap_algorithm_find(NULL, text) : NULL;
    const struct smap_instance instance = smap_problem_on(&share->problem, sizes);
    if (!algorithm || algorithm->whole_grid)
        return smap_fail(err, SMAP_EINVAL, "'%.40s' is nothing that nodes find their cells by",
                         text ? text : "");
    int rc = smap_mapping_from_text(&mapping, text, &instance, NULL, err);
    uint32_t position = smap_nodesizes_first(sizes, node);
    for (uint32_t local = 0; rc == SMAP_OK && local < items->tasks; local++)
        if (share->cell[local] != SMAP_NO_CELL)
            share->cell[local] = smap_mapping_cell(mapping, position++);
    smap_mapping_destroy(mapping);
    return rc;
}

/* Placement comm. */
static int map_tasks(struct share *share, const struct handover_values *handed,
                     const struct smap_nodesizes *sizes, const struct items *items,
                     struct smap_error *err)
{
    struct smap_part part = {0};
    uint32_t node = items->node;
    int rc = check_own(sizes, items, err);
    if (rc == SMAP_OK && smap_problem_is_part(&share->problem))
        rc = read_part(&part, &node, handed->value[HANDOVER_CELLS], share, items, err);
    if (rc == SMAP_OK && share->inside > 0)
        rc = take_cells(share, handed->value[HANDOVER_FORM], part.sizes ? part.sizes : sizes, node,
                        items, err);
    smap_part_clear(&part);
    return rc;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The edges between the tasks of this node, whatever the file says of others. Only for placing them
 * in the node: without, all is as srun decided between the nodes. The file is the user's, and in
 * user_init so is this process; where it is not, nothing is opened. */
static void read_own_edges(struct share *share, const char *path, const struct items *items)
{
    const struct smap_problem *problem = &share->problem;
    struct smap_edges_wanted wanted = {.ranks = problem->grid.cells,
                                       .tasks = problem->tasks,
                                       .first = problem->first,
                                       .bytes_max = SHARE_FILE_MAX,
                                       .edges_max = SHARE_EDGES_MAX};
    uint32_t *own = calloc((size_t)items->tasks + 1, sizeof(*own));
    wanted.own = own;
    for (uint32_t local = 0; own && local < items->tasks; local++)
        if (share->cell[local] != SMAP_NO_CELL)
            own[wanted.own_count++] = share->cell[local];
    if (own)
        qsort(own, wanted.own_count, sizeof(*own), by_number);
    int rc = !own ? smap_nomem(&share->unread)
             : geteuid() != items->user
                 ? smap_fail(&share->unread, SMAP_ESYS, "this process is not the user's")
                 : smap_graph_load(&share->problem.own_graph, path, &wanted, &share->unread);
    if (rc == SMAP_OK)
        share->problem.graph = share->problem.own_graph;
    free(own);
}

/* A graph that is not read yet: of how many ranks it must be follows from what else was handed
 * over.
 */
static int without_edges(struct share *share, const struct smap_request *request,
                         const struct smap_nodesizes *sizes, struct smap_error *err)
{
    uint32_t first = 0, last = smap_nodesizes_tasks(sizes) - 1;
    int rc = request->ranks ? smap_ranks_parse(&first, &last, request->ranks, err) : SMAP_OK;
    share->without_edges = (struct smap_graph){.cells = last - first + 1, .own = &share->inside};
    return rc;
}

/* Also where nothing is gained between the nodes, there may be something inside of them. */
static int find_cells(struct share *share, const struct handover_values *handed,
                      const struct smap_nodesizes *sizes, const struct items *items,
                      struct smap_error *err)
{
    struct smap_request request = options_handed_over(handed);
    const char *path = NULL;
    request.map = NULL; /* a name for people */
    if (smap_graph_is_file(&path, request.stencil)) {
        int rc = without_edges(share, &request, sizes, err);
        if (rc != SMAP_OK)
            return rc;
        request.graph = &share->without_edges;
    }
    int rc = read_problem(share, &request, sizes, err);
    if (rc != SMAP_OK)
        return rc;
    map_identity(share, items);
    if (strcmp(handed->value[HANDOVER_PLACEMENT], "comm") == 0)
        rc = map_tasks(share, handed, sizes, items, err);
    if (rc == SMAP_OK && path && share->inside > 1)
        read_own_edges(share, path, items);
    return rc;
}

/* The order deals the ranks to the nodes in blocks: which of them this node's tasks would be. */
static int rank_tasks(struct share *share, const char *block_text,
                      const struct smap_nodesizes *sizes, const struct items *items,
                      struct smap_error *err)
{
    uint64_t block;
    if (!smap_scan_uint(&block_text, UINT32_MAX, &block) || block == 0)
        return smap_fail(err, SMAP_EINVAL, "srun handed over half an order");
    int rc = check_own(sizes, items, err);
    for (uint32_t local = 0; rc == SMAP_OK && local < items->tasks; local++)
        share->cell[local] = smap_layout_block_rank(sizes, (uint32_t)block, items->node, local);
    return rc;
}

int share_find(struct share *share, const struct handover_values *handed, const struct items *items,
               struct smap_error *err)
{
    const char *placement = handed->value[HANDOVER_PLACEMENT];
    const char *block = handed->value[HANDOVER_BLOCK];
    struct smap_nodesizes *sizes = NULL;
    *share = (struct share){0};
    if (!placement && !block)
        return SMAP_OK;
    share->cell = calloc(items->tasks, sizeof(*share->cell));
    int rc = share->cell ? read_sizes(&sizes, handed, items, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = placement ? find_cells(share, handed, sizes, items, err)
                       : rank_tasks(share, block, sizes, items, err);
    share->mapped = rc == SMAP_OK && placement;
    share->ranked = rc == SMAP_OK && !placement;
    smap_nodesizes_destroy(sizes);
    return rc;
}

void share_clear(struct share *share)
{
    smap_problem_clear(&share->problem);
    free(share->cell);
    *share = (struct share){0};
}
