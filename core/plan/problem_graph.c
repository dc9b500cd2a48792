/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil that is a file: the problem is a communication graph. */
#include <inttypes.h>
#include <stdlib.h>

#include "plan/problem_private.h"
#include "record/graph_file.h"

static int refuse_partner(const char *option, const char *value, struct smap_error *err)
{
    smap_fail(err, SMAP_EINVAL, "a communication graph (--stencil=@FILE) has no such thing");
    return smap_blame(err, option, value, SMAP_EINVAL);
}

static int load(struct smap_problem *p, const char *path, uint32_t count, struct smap_error *err)
{
    const struct smap_edges_wanted wanted = {.ranks = count, .tasks = p->tasks, .first = p->first};
    int rc = smap_graph_load(&p->own_graph, path, &wanted, err);
    p->graph = p->own_graph;
    return rc;
}

static int take(struct smap_problem *p, const struct smap_graph *graph, uint32_t count,
                struct smap_error *err)
{
    p->graph = graph;
    if (graph->cells == count)
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL, "a graph of %" PRIu32 " ranks, not of %" PRIu32,
                     graph->cells, count);
}

int smap_problem_graph(struct smap_problem *problem, const struct smap_request *request,
                       uint32_t count, bool load_it, struct smap_error *err)
{
    const char *path = NULL;
    smap_graph_is_file(&path, request->stencil);
    if (request->dims)
        return refuse_partner("stencil-dims", request->dims, err);
    if (request->periodic)
        return refuse_partner("stencil-periodic", request->periodic, err);
    int rc = *path ? SMAP_OK : smap_fail(err, SMAP_EINVAL, "no file is named");
    if (rc == SMAP_OK && load_it)
        rc = request->graph ? take(problem, request->graph, count, err)
                            : load(problem, path, count, err);
    if (rc != SMAP_OK)
        return smap_blame(err, "stencil", request->stencil, rc);
    return load_it ? smap_grid_init(&problem->grid, 1, &count, NULL, err) : SMAP_OK;
}
