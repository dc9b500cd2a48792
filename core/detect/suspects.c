/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "detect/world_private.h"

/* Of so few edges everything is supposed that may be; of more only what they hint at. */
enum {
    EDGES_FEW = 4000,
    ENDS_MAX = 16,
    CUTS_MAX = 6,
    CUT_AWAY = 4,
    STRIDES_FEW = 100,
    STRIDES = 24,
    STRIDES_MANY = 4,
    BUDGET = EDGES_FEW * STRIDES,
    LIST_MAX = 300,
    RANKS_MANY = 1024,
    CORNERS = 4
};

struct suspects {
    const struct smap_record *record;
    const uint8_t *symbol;
    uint32_t *times;  /* of every difference to - from, that of 1 - ranks first */
    uint32_t *pairs;  /* of each rank, both ways */
    uint32_t *rare;   /* those of them with a rare difference */
    uint32_t many;    /* more pairs than that are unusual */
    uint32_t *across; /* so many others lead across the border before each rank */
    struct smap_supposition *list;
    size_t count;
};

/* Noise has each difference a few times, servers as often as there are of them, a grid nearly as
 * often as it has cells; or once per row, where it leads round. */
static bool is_common(const struct suspects *s, const struct smap_record_edge *e)
{
    uint32_t ranks = s->record->ranks;
    uint32_t distance = e->from > e->to ? e->from - e->to : e->to - e->from;
    uint32_t times = s->times[e->to + ranks - 1 - e->from];
    if (ranks >= RANKS_MANY)
        return (uint64_t)times * times * 4 >= ranks;
    return times >= 4 && times >= ranks / 16 && times >= 0.15 * (ranks - distance);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *c = a, *d = b;
    return (*c > *d) - (*c < *d);
}

/* More pairs than ranks usually have: servers. */
static int find_many(struct suspects *s, struct smap_error *err)
{
    uint32_t ranks = s->record->ranks, *sorted = malloc(ranks * sizeof(*sorted));
    if (!sorted)
        return smap_nomem(err);
    memcpy(sorted, s->pairs, ranks * sizeof(*sorted));
    qsort(sorted, ranks, sizeof(*sorted), ascending);
    s->many = 3 * sorted[ranks / 2] + 8;
    free(sorted);
    return SMAP_OK;
}

static int count_pairs(struct suspects *s, struct smap_error *err)
{
    const struct smap_record *record = s->record;
    uint32_t ranks = record->ranks;
    s->times = calloc(2 * (size_t)ranks, sizeof(*s->times));
    s->pairs = calloc(ranks, sizeof(*s->pairs));
    s->rare = calloc(ranks, sizeof(*s->rare));
    s->across = calloc((size_t)ranks + 1, sizeof(*s->across));
    s->list = calloc(LIST_MAX, sizeof(*s->list));
    if (!s->times || !s->pairs || !s->rare || !s->across || !s->list)
        return smap_nomem(err);
    for (size_t i = 0; i < record->edges; i++)
        if (s->symbol[i] != SMAP_IGNORED)
            s->times[record->edge[i].to + ranks - 1 - record->edge[i].from]++;
    for (size_t i = 0; i < record->edges; i++) {
        const struct smap_record_edge *e = &record->edge[i];
        if (s->symbol[i] == SMAP_IGNORED)
            continue;
        uint32_t low = e->from < e->to ? e->from : e->to, high = e->from + e->to - low;
        bool common = is_common(s, e);
        s->pairs[low]++;
        s->pairs[high]++;
        s->rare[low] += !common;
        s->rare[high] += !common;
        if (common) { /* as differences, until all are there */
            s->across[low + 1]++;
            s->across[high + 1]--;
        }
    }
    for (uint32_t r = 0; r < ranks; r++)
        s->across[r + 1] += s->across[r];
    return find_many(s, err);
}

/* What is like nothing else is suspect: idle ranks too. */
static bool is_suspect(const struct suspects *s, uint32_t rank)
{
    return 2 * s->rare[rank] >= s->pairs[rank] || s->pairs[rank] > s->many;
}

static struct smap_supposition *suppose(struct suspects *s, const struct smap_rank_set *set)
{
    if (s->count == LIST_MAX)
        return NULL;
    struct smap_supposition *supposition = &s->list[s->count++];
    supposition->sets = 1;
    supposition->set[0] = *set;
    return supposition;
}

static void suppose_run(struct suspects *s, uint32_t before, uint32_t behind)
{
    uint32_t ranks = s->record->ranks;
    struct smap_rank_set set = {.first = before, .last = ranks - 1 - behind};
    if (before + behind > 0 && before + behind < ranks - 1)
        suppose(s, &set);
}

/* Ranks in front and at the end. */
static void suppose_runs(struct suspects *s)
{
    uint32_t ranks = s->record->ranks, before = 0, behind = 0;
    while (before < ranks && is_suspect(s, before))
        before++;
    while (behind < ranks - before && is_suspect(s, ranks - 1 - behind))
        behind++;
    /* Corners of a grid may be suspect, too. */
    for (uint32_t n = 0; n < CORNERS && n < before; n++)
        suppose_run(s, before - n, 0);
    for (uint32_t n = 0; n < CORNERS && n < behind; n++)
        suppose_run(s, 0, behind - n);
    if (before > 0 && behind > 0)
        suppose_run(s, before, behind);
    for (uint32_t n = 1; s->record->edges <= EDGES_FEW && n <= ENDS_MAX && n <= ranks / 3; n++) {
        suppose_run(s, n, 0);
        suppose_run(s, 0, n);
    }
}

/* Ranks phase, phase + every, ..., and which share of their pairs is rare. */
struct stride {
    uint32_t every, phase, times;
    double rare;
};

static int rarest_first(const void *a, const void *b)
{
    const struct stride *s = a, *t = b;
    if (s->rare != t->rare)
        return s->rare > t->rare ? -1 : 1;
    if (s->every != t->every)
        return s->every < t->every ? -1 : 1;
    return (s->phase > t->phase) - (s->phase < t->phase);
}

static struct stride stride_of(const struct suspects *s, uint32_t every, uint32_t phase)
{
    struct stride stride = {.every = every, .phase = phase};
    for (uint32_t r = phase; r < s->record->ranks; r += every, stride.times++)
        stride.rare +=
            s->pairs[r] > s->many || s->pairs[r] == 0 ? 1 : (double)s->rare[r] / s->pairs[r];
    stride.rare /= stride.times;
    return stride;
}

/* To the end, and one less: servers are counted, the ranks behind the last stretch are cells. */
static void suppose_every(struct suspects *s, const struct stride *stride)
{
    struct smap_rank_set set = {.last = s->record->ranks - 1,
                                .every = stride->every,
                                .phase = stride->phase,
                                .times = stride->times};
    suppose(s, &set);
    set.times--;
    if (set.times > 1)
        suppose(s, &set);
}

/* Every k-th rank. Of few edges all strides with few ranks may be; of many, those whose distance
 * many suspects have. Those with most rare pairs are supposed. */
static int suppose_strides(struct suspects *s, struct smap_error *err)
{
    uint32_t ranks = s->record->ranks, suspects = 0, last = ranks, phases[3];
    size_t count = 0;
    uint32_t *gaps = calloc(ranks, sizeof(*gaps)); /* how often suspects are so far apart */
    struct stride *stride = calloc(3 * (size_t)ranks, sizeof(*stride));
    for (uint32_t r = 0; gaps && r < ranks; r++) {
        if (!is_suspect(s, r))
            continue;
        if (suspects++ > 0)
            gaps[r - last]++;
        last = r;
    }
    for (uint32_t k = 2; gaps && stride && k <= ranks / 2; k++) {
        bool few = s->record->edges <= EDGES_FEW && (uint64_t)k * ENDS_MAX >= ranks;
        if (!few && (gaps[k] < 2 || 3 * gaps[k] < suspects))
            continue;
        phases[0] = 0;
        phases[1] = k - 1;
        phases[2] = last % k;
        for (size_t i = 0; i < 3; i++)
            if ((i == 0 || phases[i] != phases[0]) && (i < 2 || phases[i] != phases[1]))
                stride[count++] = stride_of(s, k, phases[i]);
    }
    if (gaps && stride)
        qsort(stride, count, sizeof(*stride), rarest_first);
    bool few = s->record->edges <= EDGES_FEW;
    size_t most = !few                                       ? STRIDES_MANY
                  : s->record->edges * STRIDES_FEW <= BUDGET ? STRIDES_FEW
                                                             : STRIDES;
    for (size_t i = 0; i < count && i < most && (few || stride[i].rare > 0.5); i++)
        suppose_every(s, &stride[i]);
    int rc = gaps && stride ? SMAP_OK : smap_nomem(err);
    free(gaps);
    free(stride);
    return rc;
}

/* All suspects, whichever they are. */
static int suppose_list(struct suspects *s, struct smap_error *err)
{
    uint32_t ranks = s->record->ranks, suspects = 0;
    struct smap_rank_set set = {.last = ranks - 1};
    for (uint32_t r = 0; r < ranks; r++)
        suspects += is_suspect(s, r);
    if (suspects == 0 || suspects > ranks / 3 || s->count == LIST_MAX)
        return SMAP_OK;
    set.out = calloc(ranks, sizeof(*set.out));
    if (!set.out)
        return smap_nomem(err);
    for (uint32_t r = 0; r < ranks; r++)
        set.out[r] = is_suspect(s, r);
    suppose(s, &set);
    return SMAP_OK;
}

static int fewest_first(const void *a, const void *b)
{
    const uint32_t *c = a, *d = b;
    if (c[1] != d[1])
        return c[1] < d[1] ? -1 : 1;
    return (c[0] > d[0]) - (c[0] < d[0]);
}

/* Where few pairs lead across: two grids, and as many as there are such borders. */
static int suppose_cuts(struct suspects *s, struct smap_error *err)
{
    uint32_t ranks = s->record->ranks;
    uint64_t sum = 0;
    size_t count = 0;
    uint32_t(*cut)[2] = malloc((ranks + 1) * sizeof(*cut)), many[SMAP_SETS_MAX];
    if (!cut)
        return smap_nomem(err);
    for (uint32_t r = 1; r < ranks; r++)
        sum += s->across[r];
    for (uint32_t r = CUT_AWAY; r + CUT_AWAY <= ranks; r++)
        if ((uint64_t)s->across[r] * 5 * (ranks - 1) <= sum && s->across[r] <= s->across[r - 1] &&
            s->across[r] <= s->across[r + 1]) {
            cut[count][0] = r;
            cut[count++][1] = s->across[r];
        }
    qsort(cut, count, sizeof(*cut), fewest_first);
    size_t borders = 0;
    for (size_t i = 0; i < count && i < CUTS_MAX; i++) {
        const struct smap_rank_set set = {.last = cut[i][0] - 1};
        struct smap_supposition *two = suppose(s, &set);
        if (two) {
            two->sets = 2;
            two->set[1] = (struct smap_rank_set){.first = cut[i][0], .last = ranks - 1};
        }
        many[borders++] = cut[i][0];
    }
    for (size_t i = 1; i < borders; i++) /* few: by insertion */
        for (size_t k = i; k > 0 && many[k] < many[k - 1]; k--) {
            uint32_t swapped = many[k];
            many[k] = many[k - 1];
            many[k - 1] = swapped;
        }
    const struct smap_rank_set all = {.last = ranks - 1};
    struct smap_supposition *parts = borders > 1 ? suppose(s, &all) : NULL;
    for (size_t i = 0; parts && i < borders; i++) {
        parts->set[i].last = many[i] - 1;
        parts->set[i + 1] = (struct smap_rank_set){.first = many[i], .last = ranks - 1};
        parts->sets = i + 2;
    }
    free(cut);
    return SMAP_OK;
}

int smap_suspects(struct smap_supposition **list, size_t *count, const struct smap_world *world,
                  struct smap_error *err)
{
    struct suspects s = {.record = world->record, .symbol = world->symbol};
    int rc = count_pairs(&s, err);
    if (rc == SMAP_OK) {
        suppose_runs(&s);
        rc = suppose_strides(&s, err);
    }
    if (rc == SMAP_OK)
        rc = suppose_cuts(&s, err);
    if (rc == SMAP_OK)
        rc = suppose_list(&s, err);
    free(s.times);
    free(s.pairs);
    free(s.rare);
    free(s.across);
    *list = s.list;
    *count = s.count;
    return rc;
}
