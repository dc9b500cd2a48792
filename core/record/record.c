/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Edges are added up when the array is full, so that duplicates do not make it grow; the quarter
 * more than the limit is what keeps that from happening at every edge. */
#define CAPACITY_MAX (SMAP_RECORD_EDGES_MAX + SMAP_RECORD_EDGES_MAX / 4)

/* What only the making of a record needs. */
struct smap_record_filling {
    size_t capacity;    /* of edge */
    uint32_t *bucket;   /* of names: index + 1 of node_names, open addressing; 0: free */
    uint32_t buckets;   /* a power of two */
    size_t names_space; /* of node_names */
};

int smap_record_init(struct smap_record *record, uint32_t ranks, struct smap_error *err)
{
    *record = (struct smap_record){.ranks = ranks};
    if (ranks == 0 || ranks > SMAP_RECORD_RANKS_MAX)
        return smap_fail(err, SMAP_EINVAL, "%" PRIu32 " ranks, the limit is 1 to %d", ranks,
                         SMAP_RECORD_RANKS_MAX);
    record->filling = calloc(1, sizeof(*record->filling));
    record->node_of_rank = calloc(ranks, sizeof(*record->node_of_rank));
    if (!record->filling || !record->node_of_rank) {
        smap_record_clear(record);
        return smap_nomem(err);
    }
    for (uint32_t r = 0; r < ranks; r++)
        record->node_of_rank[r] = SMAP_RECORD_NO_NODE;
    return SMAP_OK;
}

static void clear_filling(struct smap_record *record)
{
    if (record->filling)
        free(record->filling->bucket);
    free(record->filling);
    record->filling = NULL;
}

void smap_record_clear(struct smap_record *record)
{
    clear_filling(record);
    for (uint32_t i = 0; i < record->nodes; i++)
        free(record->node_names[i]);
    free(record->node_names);
    free(record->node_of_rank);
    free(record->edge);
    free(record->first);
    *record = (struct smap_record){.ranks = 0};
}

static int refuse_rank(uint32_t rank, const struct smap_record *record, struct smap_error *err)
{
    return smap_fail(err, SMAP_EINVAL, "rank %" PRIu32 ", the record has 0 to %" PRIu32, rank,
                     record->ranks - 1);
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). */
static uint32_t hash(const char *name)
{
    uint32_t h = UINT32_C(2166136261);
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * UINT32_C(16777619);
    return h;
}

/* Where the name is in the table, or where it would be. */
static uint32_t *place_of(const struct smap_record *record, const char *name)
{
    const struct smap_record_filling *f = record->filling;
    uint32_t i = hash(name) & (f->buckets - 1);
    while (f->bucket[i] && strcmp(record->node_names[f->bucket[i] - 1], name) != 0)
        i = (i + 1) & (f->buckets - 1);
    return &f->bucket[i];
}

/* Room for one more name, the table never more than half full. */
static int grow_names(struct smap_record *record, struct smap_error *err)
{
    struct smap_record_filling *f = record->filling;
    if (record->nodes < f->names_space)
        return SMAP_OK;
    size_t space = f->names_space ? 2 * f->names_space : 16;
    char **names = reallocarray(record->node_names, space, sizeof(*names));
    if (names)
        record->node_names = names;
    uint32_t *bucket = calloc(2 * space, sizeof(*bucket));
    if (!names || !bucket) {
        free(bucket);
        return smap_nomem(err);
    }
    free(f->bucket);
    f->bucket = bucket;
    f->buckets = (uint32_t)(2 * space);
    f->names_space = space;
    for (uint32_t i = 0; i < record->nodes; i++)
        *place_of(record, record->node_names[i]) = i + 1;
    return SMAP_OK;
}

static bool is_name(const char *name)
{
    size_t length = 0;
    for (; name[length]; length++)
        if ((unsigned char)name[length] <= ' ' || name[length] == 127 ||
            length == SMAP_RECORD_NAME_MAX)
            return false;
    return length > 0;
}

int smap_record_node(struct smap_record *record, uint32_t rank, const char *name,
                     struct smap_error *err)
{
    if (rank >= record->ranks)
        return refuse_rank(rank, record, err);
    if (!is_name(name))
        return smap_fail(err, SMAP_EINVAL, "no node name of 1 to %d characters",
                         SMAP_RECORD_NAME_MAX);
    int rc = grow_names(record, err);
    if (rc != SMAP_OK)
        return rc;
    uint32_t *place = place_of(record, name);
    if (!*place) {
        char *copy = strdup(name);
        if (!copy)
            return smap_nomem(err);
        record->node_names[record->nodes++] = copy;
        *place = record->nodes;
    }
    uint32_t *node = &record->node_of_rank[rank];
    if (*node != SMAP_RECORD_NO_NODE && *node != *place - 1)
        return smap_fail(err, SMAP_EINVAL, "rank %" PRIu32 " is on node %.60s already", rank,
                         record->node_names[*node]);
    *node = *place - 1;
    return SMAP_OK;
}

static int by_pair(const void *a, const void *b)
{
    const struct smap_record_edge *e = a, *f = b;
    if (e->from != f->from)
        return e->from < f->from ? -1 : 1;
    return (e->to > f->to) - (e->to < f->to);
}

/* Sorts the edges and adds up those of one pair. The sums fit: smap_record_sent has seen to it. */
static void add_up(struct smap_record *record)
{
    struct smap_record_edge *edge = record->edge;
    size_t count = record->edges, kept = 0, i = 1;
    while (i < count && by_pair(&edge[i - 1], &edge[i]) <= 0)
        i++;
    if (i < count)
        qsort(edge, count, sizeof(*edge), by_pair);
    for (i = 0; i < count; i++) {
        if (kept > 0 && by_pair(&edge[kept - 1], &edge[i]) == 0) {
            edge[kept - 1].messages += edge[i].messages;
            edge[kept - 1].bytes += edge[i].bytes;
        } else {
            edge[kept++] = edge[i];
        }
    }
    record->edges = kept;
}

static int grow_edges(struct smap_record *record, struct smap_error *err)
{
    struct smap_record_filling *f = record->filling;
    if (record->edges < f->capacity)
        return SMAP_OK;
    add_up(record);
    if (record->edges > SMAP_RECORD_EDGES_MAX)
        return smap_fail(err, SMAP_EINVAL, "more than %d pairs of ranks", SMAP_RECORD_EDGES_MAX);
    if (f->capacity == CAPACITY_MAX || (f->capacity && record->edges < f->capacity / 2))
        return SMAP_OK;
    size_t capacity = f->capacity ? 2 * f->capacity : 64;
    capacity = capacity < CAPACITY_MAX ? capacity : CAPACITY_MAX;
    struct smap_record_edge *edge = reallocarray(record->edge, capacity, sizeof(*edge));
    if (!edge)
        return smap_nomem(err);
    record->edge = edge;
    f->capacity = capacity;
    return SMAP_OK;
}

int smap_record_sent(struct smap_record *record, const struct smap_record_edge *edge,
                     struct smap_error *err)
{
    uint32_t rank = edge->from > edge->to ? edge->from : edge->to;
    if (rank >= record->ranks)
        return refuse_rank(rank, record, err);
    if (edge->from == edge->to || (edge->messages == 0 && edge->bytes == 0))
        return SMAP_OK;
    if (edge->messages > INT64_MAX - record->messages || edge->bytes > INT64_MAX - record->bytes)
        return smap_fail(err, SMAP_EINVAL,
                         "messages or bytes of all pairs add up to more than %" PRId64, INT64_MAX);
    int rc = grow_edges(record, err);
    if (rc != SMAP_OK)
        return rc;
    record->edge[record->edges++] = *edge;
    record->messages += edge->messages;
    record->bytes += edge->bytes;
    return SMAP_OK;
}

static bool same_cart(const struct smap_record_cart *a, const struct smap_record_cart *b)
{
    bool same = a->ndims == b->ndims && a->reorder == b->reorder;
    for (size_t i = 0; same && i < a->ndims; i++)
        same = a->dims[i] == b->dims[i] && a->periodic[i] == b->periodic[i];
    return same;
}

int smap_record_cart(struct smap_record *record, const struct smap_record_cart *cart,
                     struct smap_error *err)
{
    uint64_t product = 1;
    if (cart->ndims < 1 || cart->ndims > SMAP_RECORD_DIMS_MAX)
        return smap_fail(err, SMAP_EINVAL, "%zu dimensions, the limit is 1 to %d", cart->ndims,
                         SMAP_RECORD_DIMS_MAX);
    for (size_t i = 0; i < cart->ndims && product <= record->ranks; i++)
        product *= cart->dims[i];
    if (product == 0 || product > record->ranks)
        return smap_fail(err, SMAP_EINVAL, "dims of %s cells, the record has %" PRIu32 " ranks",
                         product ? "more" : "no", record->ranks);
    for (size_t i = 0; i < record->carts; i++) {
        if (same_cart(&record->cart[i], cart)) {
            record->cart[i].count += record->cart[i].count < UINT32_MAX;
            return SMAP_OK;
        }
    }
    if (record->carts < SMAP_RECORD_CARTS_MAX) {
        record->cart[record->carts] = *cart;
        record->cart[record->carts++].count = 1;
    }
    return SMAP_OK;
}

/* Nodes get their numbers in the order of their lowest ranks, whatever the order of the lines. */
static int sort_nodes(struct smap_record *record, struct smap_error *err)
{
    uint32_t *number = malloc((record->nodes + 1) * sizeof(*number)), next = 0;
    char **names = malloc((record->nodes + 1) * sizeof(*names));
    if (!number || !names) {
        free(number);
        free(names);
        return smap_nomem(err);
    }
    memset(number, 0xff, (record->nodes + 1) * sizeof(*number));
    for (uint32_t r = 0; r < record->ranks; r++) {
        uint32_t node = record->node_of_rank[r];
        if (node == SMAP_RECORD_NO_NODE)
            continue;
        if (number[node] == UINT32_MAX) {
            names[next] = record->node_names[node];
            number[node] = next++;
        }
        record->node_of_rank[r] = number[node];
    }
    free(record->node_names);
    record->node_names = names;
    free(number);
    return SMAP_OK;
}

int smap_record_finish(struct smap_record *record, struct smap_error *err)
{
    add_up(record);
    if (record->edges > SMAP_RECORD_EDGES_MAX)
        return smap_fail(err, SMAP_EINVAL, "more than %d pairs of ranks", SMAP_RECORD_EDGES_MAX);
    record->first = calloc((size_t)record->ranks + 1, sizeof(*record->first));
    if (!record->first)
        return smap_nomem(err);
    for (size_t i = 0; i < record->edges; i++)
        record->first[record->edge[i].from + 1]++;
    for (uint32_t r = 0; r < record->ranks; r++)
        record->first[r + 1] += record->first[r];
    clear_filling(record);
    return sort_nodes(record, err);
}

const struct smap_record_edge *smap_record_find(const struct smap_record *record, uint32_t from,
                                                uint32_t to)
{
    const struct smap_record_edge key = {.from = from, .to = to};
    if (from >= record->ranks || record->edges == 0)
        return NULL;
    return bsearch(&key, record->edge + record->first[from],
                   record->first[from + 1] - record->first[from], sizeof(key), by_pair);
}
