/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/dims.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/dims_search.h"
#include "grid/grid.h"
#include "tool/tool.h"

/* What is asked for; lists of d entries. */
struct question {
    uint32_t p;
    size_t d;
    uint32_t fixed[SMAP_DIMS_MAX]; /* 0: to be found */
    bool has_lattice, has_patch;
    uint32_t lattice[SMAP_DIMS_MAX], patch[SMAP_DIMS_MAX];
};

static bool argument(const char *text, uint64_t max, uint64_t *value)
{
    const char *cursor = text;
    return smap_scan_uint(&cursor, max, value) && *cursor == '\0' && *value > 0;
}

/* "0x7x0", or a number of dimensions. */
static int read_shape(struct question *q, const char *text, struct smap_error *err)
{
    const char *cursor = text;
    uint64_t size;
    bool good = true;
    q->d = 0;
    if (!strchr(text, 'x')) {
        if (!argument(text, SMAP_DIMS_MAX, &size))
            return smap_fail(err, SMAP_EINVAL,
                             "dims: '%.60s' is no number of dimensions from 1 to %d", text,
                             SMAP_DIMS_MAX);
        q->d = (size_t)size;
        return SMAP_OK;
    }
    do {
        good = q->d < SMAP_DIMS_MAX && smap_scan_uint(&cursor, SMAP_TASKS_MAX, &size);
        if (good)
            q->fixed[q->d++] = (uint32_t)size;
    } while (good && smap_scan_char(&cursor, 'x'));
    if (!good || *cursor)
        return smap_fail(err, SMAP_EINVAL,
                         "dims: '%.60s' is neither a number of dimensions nor a grid like 0x7x0",
                         text);
    return SMAP_OK;
}

/* A list of sizes of an option. */
static int read_sizes(uint32_t sizes[], size_t *count, const char *option, const char *text,
                      struct smap_error *err)
{
    bool column;
    int rc = smap_dims_parse(sizes, count, &column, text, NULL);
    if (rc != SMAP_OK || column)
        return smap_fail(err, SMAP_EINVAL, "%s=%.100s: not sizes like 18x18x18x36", option, text);
    return SMAP_OK;
}

static int read_lattice(struct question *q, const char *text, struct smap_error *err)
{
    size_t count;
    if (!text)
        return SMAP_OK;
    q->has_lattice = true;
    int rc = read_sizes(q->lattice, &count, "--lattice", text, err);
    if (rc == SMAP_OK && q->d && count != q->d)
        rc = smap_fail(err, SMAP_EINVAL, "--lattice=%.100s: %zu dimensions, the grid has %zu", text,
                       count, q->d);
    q->d = count;
    return rc;
}

/* One number stands for all dimensions. */
static int read_patch(struct question *q, const char *text, struct smap_error *err)
{
    size_t count;
    if (!text)
        return SMAP_OK;
    q->has_patch = true;
    if (!q->has_lattice)
        return smap_fail(err, SMAP_EINVAL, "--patch=%.100s: a patch of what? Say --lattice", text);
    int rc = read_sizes(q->patch, &count, "--patch", text, err);
    for (size_t i = 1; rc == SMAP_OK && count == 1 && i < q->d; i++)
        q->patch[i] = q->patch[0];
    if (rc == SMAP_OK && count != 1 && count != q->d)
        rc = smap_fail(err, SMAP_EINVAL, "--patch=%.100s: %zu dimensions, the lattice has %zu",
                       text, count, q->d);
    return rc;
}

static int read_question(struct question *q, const struct args *args, struct smap_error *err)
{
    uint64_t p;
    *q = (struct question){.d = 0};
    if (!argument(args->rest[0], SMAP_TASKS_MAX, &p))
        return smap_fail(err, SMAP_EINVAL, "dims: '%.60s' is no number of tasks", args->rest[0]);
    q->p = (uint32_t)p;
    int rc = args->rest_count == 2 ? read_shape(q, args->rest[1], err) : SMAP_OK;
    if (rc == SMAP_OK)
        rc = read_lattice(q, args->lattice, err);
    if (rc == SMAP_OK)
        rc = read_patch(q, args->patch, err);
    return rc;
}

/* Says which grid was not to be had. */
static int blame(const struct question *q, const struct args *args, int rc, struct smap_error *err)
{
    struct smap_error why = *err;
    char *given = smap_dims_format(q->fixed, q->d, false);
    if (rc == SMAP_EINVAL && q->has_lattice)
        smap_fail(err, rc, "--lattice=%.100s%s%.60s: %s", args->lattice,
                  q->has_patch ? " --patch=" : "", q->has_patch ? args->patch : "", why.text);
    else if (rc == SMAP_EINVAL && given)
        smap_fail(err, rc, "dims: %s: %s", given, why.text);
    free(given);
    return rc;
}

/* The nodes of the options; without any, each task is alone on its node. */
static int read_nodes(struct smap_nodesizes **sizes, const struct question *q,
                      const struct args *args, struct smap_error *err)
{
    struct args step = *args;
    char alone[32];
    snprintf(alone, sizeof(alone), "1(x%" PRIu32 ")", q->p);
    if (!args->nodes && !args->ntasks_per_node && !args->tasks_per_node)
        return smap_nodesizes_parse(sizes, alone, err);
    step.tasks = args->tasks ? args->tasks : args->rest[0];
    int rc = args_sizes(&step, sizes, err);
    if (rc == SMAP_OK && smap_nodesizes_tasks(*sizes) != q->p) {
        rc = smap_fail(err, SMAP_EINVAL, "dims: %" PRIu32 " tasks on the nodes, not %" PRIu32,
                       smap_nodesizes_tasks(*sizes), q->p);
        smap_nodesizes_destroy(*sizes);
    }
    return rc;
}

static int read_stencil(struct smap_stencil **stencil, bool periodic[], const struct question *q,
                        const struct args *args, struct smap_error *err)
{
    const char *text = args->request.stencil ? args->request.stencil : "nn";
    size_t count = q->d;
    int rc = SMAP_OK;
    if (args->request.periodic) {
        rc = smap_periodic_parse(periodic, &count, args->request.periodic, err);
        if (rc == SMAP_OK && count != q->d)
            rc = smap_fail(err, SMAP_EINVAL, "%zu flags for %zu dimensions", count, q->d);
        if (rc != SMAP_OK)
            return args_blame("--stencil-periodic", args->request.periodic, rc, err);
    }
    rc = smap_stencil_parse(stencil, text, q->d, err);
    return rc == SMAP_OK ? rc : args_blame("--stencil", text, rc, err);
}

/* By the mapping, where nodes or a stencil are given. */
static int search(uint32_t dims[], const struct smap_dims_rules *rules, const struct question *q,
                  const struct args *args, struct smap_error *err)
{
    bool periodic[SMAP_DIMS_MAX] = {false};
    struct smap_stencil *stencil = NULL;
    struct smap_nodesizes *sizes = NULL;
    int rc = read_stencil(&stencil, periodic, q, args, err);
    if (rc == SMAP_OK)
        rc = read_nodes(&sizes, q, args, err);
    if (rc == SMAP_OK) {
        const struct smap_dims_request request = {*rules, periodic, stencil, sizes};
        rc = smap_dims_search(dims, NULL, &request, err);
        rc = rc == SMAP_OK ? rc : blame(q, args, rc, err);
        smap_nodesizes_destroy(sizes);
    }
    smap_stencil_destroy(stencil);
    return rc;
}

static int find(uint32_t dims[], const struct question *q, const struct args *args,
                struct smap_error *err)
{
    const struct smap_dims_rules rules = {q->p, q->d, q->fixed, q->has_lattice ? q->lattice : NULL,
                                          q->has_patch ? q->patch : NULL};
    uint64_t product = 1;
    bool whole = true;
    for (size_t i = 0; i < q->d && product <= q->p; i++) {
        whole = whole && q->fixed[i] != 0;
        product *= q->fixed[i] ? q->fixed[i] : 1;
    }
    if (whole && product != q->p)
        return blame(
            q, args,
            smap_fail(err, SMAP_EINVAL, "the product is not the number of tasks %" PRIu32, q->p),
            err);
    if (args->request.stencil || args->request.periodic || args->nodes || args->ntasks_per_node ||
        args->tasks_per_node)
        return search(dims, &rules, q, args, err);
    if (q->has_lattice)
        return blame(q, args, smap_dims_lattice(dims, &rules, err), err);
    memcpy(dims, q->fixed, sizeof(q->fixed));
    return blame(q, args, smap_dims_fill(dims, q->p, q->d, err), err);
}

/* "9x8" alone, for scripts; the other formats give it the name dims, and add the patch. */
static int print(const uint32_t dims[], const struct question *q, const char *format,
                 struct smap_error *err)
{
    static const char *const columns[] = {"dims", NULL};
    static const char *const with_patch[] = {"dims", "patch", NULL};
    uint32_t patch[SMAP_DIMS_MAX];
    int rc = SMAP_OK;
    for (size_t i = 0; i < q->d; i++)
        patch[i] = q->lattice[i] / dims[i];
    char *grid = smap_dims_format(dims, q->d, false);
    char *side = smap_dims_format(patch, q->d, false);
    if (!grid || !side) {
        rc = smap_nomem(err);
    } else if (strcmp(format, "table") == 0) {
        puts(grid);
    } else {
        struct smap_table *table = smap_table_create(q->has_lattice ? with_patch : columns);
        smap_table_text_column(table, "dims");
        smap_table_text_column(table, "patch");
        smap_table_add(table, "%s", grid);
        if (q->has_lattice)
            smap_table_add(table, "%s", side);
        rc = table_print(table, format, err);
        smap_table_destroy(table);
    }
    free(grid);
    free(side);
    return rc;
}

int command_dims(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    const char *format;
    struct smap_error err = {""};
    struct question question;
    uint32_t dims[SMAP_DIMS_MAX];
    if (args->rest_count != 2 && !(args->rest_count == 1 && args->lattice)) {
        smap_fail(&err, SMAP_EINVAL,
                  "dims takes two numbers, tasks and dimensions: dims 72 2, or a grid with zeros "
                  "where a size is to be found: dims 84 0x7x0");
        tool_fail(&err, SMAP_EINVAL);
        return EXIT_USAGE;
    }
    int rc = read_question(&question, args, &err);
    if (rc == SMAP_OK)
        rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK)
        rc = find(dims, &question, args, &err);
    if (rc == SMAP_OK)
        rc = print(dims, &question, format, &err);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
