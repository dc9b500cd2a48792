/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/metis.h"

#include <inttypes.h>
#include <stdlib.h>

/* The next character is always known, so that a file of any size is read with no more memory than
 * its edges take. */
struct reader {
    FILE *file;
    int next;
    uint64_t line;
    uint64_t ranks, edges;
    bool weighted;
    uint64_t read; /* numbers of neighbours so far */
    struct smap_edge_list *list;
    const struct smap_edges_wanted *wanted;
};

static void advance(struct reader *r)
{
    r->next = getc_unlocked(r->file);
}

static void next_line(struct reader *r)
{
    while (r->next != '\n' && r->next != EOF)
        advance(r);
    if (r->next == '\n')
        advance(r);
    r->line++;
}

static void skip_comments(struct reader *r)
{
    while (r->next == '%')
        next_line(r);
}

/* The next number of this line; *found is false at its end. */
static int scan(struct reader *r, bool *found, uint64_t *value, struct smap_error *err)
{
    *value = 0;
    while (r->next == ' ' || r->next == '\t' || r->next == '\r')
        advance(r);
    *found = r->next != '\n' && r->next != EOF;
    if (!*found)
        return SMAP_OK;
    if (r->next < '0' || r->next > '9')
        return smap_fail(err, SMAP_EINVAL, "line %" PRIu64 ": not a number", r->line);
    for (; r->next >= '0' && r->next <= '9'; advance(r))
        if (*value > (SMAP_GRAPH_WEIGHT_MAX - 9) / 10)
            return smap_fail(err, SMAP_EINVAL, "line %" PRIu64 ": a number is too large", r->line);
        else
            *value = 10 * *value + (uint64_t)(r->next - '0');
    return SMAP_OK;
}

/* "32 52 1": ranks, edges, which weights there are. */
static int read_head(struct reader *r, struct smap_error *err)
{
    uint64_t number[4] = {0};
    bool found = true;
    size_t count = 0;
    advance(r);
    skip_comments(r);
    for (int rc; found && count < 4; count += found) {
        rc = scan(r, &found, &number[count], err);
        if (rc != SMAP_OK)
            return rc;
    }
    if (count < 2)
        return smap_fail(err, SMAP_EINVAL,
                         "line %" PRIu64 ": not the numbers of ranks and edges that a METIS graph "
                         "begins with",
                         r->line);
    if (number[2] > 1 || count == 4)
        return smap_fail(err, SMAP_EINVAL,
                         "line %" PRIu64 ": fmt %03" PRIu64
                         ": vertices are ranks and have no weights or sizes; fmt is 0 or 1",
                         r->line, number[2]);
    r->ranks = number[0];
    r->edges = number[1];
    r->weighted = number[2] == 1;
    next_line(r);
    return smap_edge_list_begin(r->list, r->wanted, r->ranks, err);
}

static int read_rank(struct reader *r, uint64_t rank, struct smap_error *err)
{
    uint64_t ends[2] = {rank, 0}, weight = 1;
    bool found;
    for (;;) {
        int rc = scan(r, &found, &ends[1], err);
        if (rc != SMAP_OK || !found)
            return rc;
        if (ends[1]-- == 0 || ends[1] >= r->ranks)
            return smap_fail(err, SMAP_EINVAL,
                             "line %" PRIu64 ": neighbours of a rank are 1 to %" PRIu64, r->line,
                             r->ranks);
        if (r->weighted)
            rc = scan(r, &found, &weight, err);
        if (rc == SMAP_OK && (!found || weight == 0))
            rc = smap_fail(err, SMAP_EINVAL,
                           "line %" PRIu64 ": a neighbour without a weight from 1 on", r->line);
        if (rc == SMAP_OK)
            rc = smap_edge_list_add(r->list, r->wanted, ends, weight, err);
        if (rc != SMAP_OK)
            return rc;
        r->read++;
    }
}

int smap_metis_read(struct smap_edge_list *list, FILE *file, const struct smap_edges_wanted *wanted,
                    struct smap_error *err)
{
    struct reader r = {.file = file, .line = 1, .list = list, .wanted = wanted};
    int rc = read_head(&r, err);
    for (uint64_t rank = 0; rc == SMAP_OK && rank < r.ranks; rank++) {
        skip_comments(&r);
        if (r.next == EOF)
            rc = smap_fail(err, SMAP_EINVAL,
                           "line %" PRIu64 ": the file ends after %" PRIu64 " of %" PRIu64 " ranks",
                           r.line, rank, r.ranks);
        else if (!wanted->own || smap_edges_want(list, wanted, rank))
            rc = read_rank(&r, rank, err);
        if (rc == SMAP_OK)
            next_line(&r);
    }
    if (rc == SMAP_OK && !wanted->own && r.read != 2 * r.edges)
        rc = smap_fail(err, SMAP_EINVAL,
                       "%" PRIu64 " neighbours in all, twice the %" PRIu64 " edges are %" PRIu64,
                       r.read, r.edges, 2 * r.edges);
    return rc;
}

/* Both directions come in the same sequence: rank by rank, each meets its place in the other's row.
 */
int smap_metis_check(const struct smap_graph *graph, uint64_t read, struct smap_error *err)
{
    if (graph->first[graph->rows] != read)
        return smap_fail(err, SMAP_EINVAL, "a rank has itself or another one twice as neighbour");
    uint64_t *next = calloc((size_t)graph->rows + 1, sizeof(*next));
    int rc = next ? SMAP_OK : smap_nomem(err);
    for (uint32_t r = 0; next && r < graph->rows; r++)
        next[r] = graph->first[r];
    for (uint32_t r = 0; rc == SMAP_OK && r < graph->rows; r++)
        for (uint64_t e = graph->first[r]; rc == SMAP_OK && e < graph->first[r + 1]; e++) {
            uint32_t to = graph->to[e];
            uint64_t back = next[to]++;
            if (back >= graph->first[to + 1] || graph->to[back] != r ||
                graph->weight[back] != graph->weight[e])
                rc = smap_fail(err, SMAP_EINVAL,
                               "vertices %" PRIu32 " and %" PRIu32
                               " do not name each other with the same weight",
                               r + 1, to + 1);
        }
    free(next);
    return rc;
}
