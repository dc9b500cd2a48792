/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of random requests against the definition: column-major numbering, scores, bounds. */
#include "unit_plan.h"

#include <inttypes.h>
#include <stdio.h>

/* A request in the user's own words, and the same as numbers. */
struct wish {
    size_t d;
    uint32_t dims[4], periodic[4], offsets;
    int32_t offset[6][4];
    uint32_t weight[6];
    uint32_t p;
    char dims_text[64], periodic_text[16], stencil_text[256];
};

/* reversed: dimensions, flags and components the other way round; suffix: behind the dims. */
static void write_texts(struct wish *w, bool reversed, const char *suffix)
{
    struct smap_text dims = {0}, periodic = {0}, stencil = {0};
    for (size_t k = 0; k < w->d; k++) {
        size_t i = reversed ? w->d - 1 - k : k;
        smap_text_add(&dims, "%s%" PRIu32, k ? "x" : "", w->dims[i]);
        smap_text_add(&periodic, "%s%" PRIu32, k ? "," : "", w->periodic[i]);
    }
    smap_text_add(&dims, "%s", suffix);
    for (uint32_t r = 0; r < w->offsets; r++) {
        for (size_t k = 0; k < w->d; k++)
            smap_text_add(&stencil, "%s%" PRId32, k ? "," : (r ? ";" : ""),
                          w->offset[r][reversed ? w->d - 1 - k : k]);
        smap_text_add(&stencil, "*%" PRIu32, w->weight[r]);
    }
    char *texts[] = {smap_text_take(&dims), smap_text_take(&periodic), smap_text_take(&stencil)};
    snprintf(w->dims_text, sizeof(w->dims_text), "%s", texts[0]);
    snprintf(w->periodic_text, sizeof(w->periodic_text), "%s", texts[1]);
    snprintf(w->stencil_text, sizeof(w->stencil_text), "%s", texts[2]);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

static void random_wish(struct wish *w, uint64_t *seed)
{
    *w = (struct wish){.d = unit_between(seed, 1, 4), .p = 1};
    for (size_t i = 0; i < w->d; i++) {
        w->dims[i] = unit_between(seed, 1, w->d < 3 ? 9 : 4);
        w->periodic[i] = unit_between(seed, 0, 1);
        w->p *= w->dims[i];
    }
    w->offsets = unit_between(seed, 1, 6);
    for (uint32_t r = 0; r < w->offsets; r++) {
        for (size_t i = 0; i < w->d; i++)
            w->offset[r][i] = (int32_t)unit_between(seed, 0, 4) - 2;
        w->offset[r][r % w->d] += w->offset[r][r % w->d] == 0; /* not the cell itself */
        w->weight[r] = unit_between(seed, 1, 9);
    }
}

static struct smap_nodesizes *random_sizes(uint32_t p, uint64_t *seed)
{
    struct smap_text text = {0};
    uint32_t largest = unit_between(seed, 1, p);
    bool equal = p % largest == 0 && unit_between(seed, 0, 1);
    for (uint32_t rest = p; rest > 0;) {
        uint32_t n = equal ? largest : unit_between(seed, 1, largest);
        n = n < rest ? n : rest;
        smap_text_add(&text, "%s%" PRIu32, rest == p ? "" : ",", n);
        rest -= n;
    }
    char *list = smap_text_take(&text);
    struct smap_nodesizes *sizes = sizes_of(list);
    free(list);
    return sizes;
}

/* The rank of a cell by the application's numbering, from the user's coordinates. */
static uint32_t rank_of(const struct wish *w, const int64_t x[], bool column)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < w->d; k++) {
        size_t i = column ? w->d - 1 - k : k;
        rank = rank * w->dims[i] + (uint32_t)x[i];
    }
    return rank;
}

/* J_sum and J_max by the definition, walking the user's coordinates; node_of_rank goes by the
 * application's ranks. */
static struct smap_score brute_force(const struct wish *w, bool column, uint32_t nodes,
                                     const uint32_t node_of_rank[])
{
    struct smap_score score = {.jmin = UINT64_MAX};
    uint64_t *out = calloc(nodes, sizeof(*out));
    int64_t x[4] = {0};
    for (uint32_t cell = 0; cell < w->p; cell++) {
        uint32_t from = node_of_rank[rank_of(w, x, column)];
        for (uint32_t r = 0; r < w->offsets; r++) {
            int64_t y[4];
            bool inside = true;
            for (size_t i = 0; i < w->d; i++) {
                y[i] = x[i] + w->offset[r][i];
                if (w->periodic[i])
                    y[i] = ((y[i] % w->dims[i]) + w->dims[i]) % w->dims[i];
                inside = inside && y[i] >= 0 && y[i] < w->dims[i];
            }
            if (inside && node_of_rank[rank_of(w, y, column)] != from)
                out[from] += w->weight[r];
        }
        for (size_t i = 0; i < w->d && ++x[i] == w->dims[i]; i++)
            x[i] = 0;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        score.jsum += out[i];
        score.jmax = out[i] > score.jmax ? out[i] : score.jmax;
        score.jmin = out[i] < score.jmin ? out[i] : score.jmin;
    }
    free(out);
    return score;
}

static void assert_score(struct smap_score got, struct smap_score want)
{
    assert_int_equal(got.jsum, want.jsum);
    assert_int_equal(got.jmax, want.jmax);
    assert_int_equal(got.jmin, want.jmin);
}

static void check_coords(const struct smap_problem *problem, const struct wish *w, bool column)
{
    int64_t x[4] = {0};
    for (uint32_t cell = 0; cell < w->p; cell++) {
        char want[64] = "";
        for (size_t i = 0, used = 0; i < w->d; i++)
            used += (size_t)snprintf(want + used, sizeof(want) - used, "%s%" PRId64, i ? "," : "",
                                     x[i]);
        char *coords = smap_problem_coords(problem, rank_of(w, x, column));
        assert_string_equal(coords, want);
        free(coords);
        for (size_t i = 0; i < w->d && ++x[i] == w->dims[i]; i++)
            x[i] = 0;
    }
}

/* On random instances: scores as by the definition; texts in the user's order; and ",column" is
 * what the reversed request is without it. */
static void test_column(void **state)
{
    static const char *const maps[] = {"blocked", "hyperplane", "kdtree", "strips"};
    uint64_t seed = 1918;
    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct wish w;
        bool column = round % 2;
        random_wish(&w, &seed);
        write_texts(&w, false, column ? ",column" : "");
        struct smap_nodesizes *sizes = random_sizes(w.p, &seed);
        uint32_t nodes = smap_nodesizes_nodes(sizes), *layout = calloc(w.p, sizeof(*layout));
        for (uint32_t r = 0; r < w.p; r++)
            layout[r] =
                round % 3 ? smap_nodesizes_node_at(sizes, r) : unit_between(&seed, 0, nodes - 1);
        struct smap_request request = {.map = maps[unit_between(&seed, 0, 3)],
                                       .stencil = w.stencil_text,
                                       .dims = w.dims_text,
                                       .periodic = w.periodic_text};
        struct smap_plan *plan = plan_of(&request, sizes, round % 3 ? NULL : layout);
        assert_score(plan->before, brute_force(&w, column, nodes, layout));
        assert_score(plan->after, brute_force(&w, column, nodes, plan->node_of_cell));
        assert_int_equal(plan->gains, plan->after.jsum < plan->before.jsum ||
                                          (plan->after.jsum == plan->before.jsum &&
                                           plan->after.jmax < plan->before.jmax));
        check_coords(&plan->problem, &w, column);
        char *dims = smap_problem_dims(&plan->problem);
        char *periodic = smap_problem_periodic(&plan->problem);
        assert_string_equal(dims, w.dims_text);
        assert_string_equal(periodic, w.periodic_text);
        if (column) {
            write_texts(&w, true, "");
            struct smap_plan *row = plan_of(&request, sizes, round % 3 ? NULL : layout);
            assert_memory_equal(row->node_of_cell, plan->node_of_cell, w.p * sizeof(uint32_t));
            assert_score(row->after, plan->after);
            assert_score(row->before, plan->before);
            smap_plan_destroy(row);
        }
        free(dims);
        free(periodic);
        free(layout);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

/* The least J_sum over all ways to give the cells from `cell` on to nodes with places left. */
static uint64_t optimum(const struct wish *w, uint32_t cell, uint32_t left[], uint32_t nodes,
                        uint32_t node_of_rank[])
{
    uint64_t best = UINT64_MAX;
    if (cell == w->p)
        return brute_force(w, false, nodes, node_of_rank).jsum;
    for (uint32_t i = 0; i < nodes; i++) {
        if (left[i] == 0)
            continue;
        left[i]--;
        node_of_rank[cell] = i;
        uint64_t found = optimum(w, cell + 1, left, nodes, node_of_rank);
        best = found < best ? found : best;
        left[i]++;
    }
    return best;
}

/* Stencils for the bound: any, nearest neighbours, or steps of one along axes with any weights. */
static void choose_offsets(struct wish *w, int kind, uint64_t *seed)
{
    if (kind == 0)
        return;
    w->offsets = 2 * (uint32_t)w->d;
    memset(w->offset, 0, sizeof(w->offset));
    for (uint32_t r = 0; r < w->offsets; r++) {
        w->offset[r][r / 2] = r % 2 ? -1 : 1;
        w->weight[r] = kind == 1 ? 1 : unit_between(seed, 1, 9);
    }
}

/* What is called a bound is one: no mapping of a small instance is below it, and no algorithm is
 * below the best of all. */
static void test_bound(void **state)
{
    uint64_t seed = 1848;
    (void)state;
    for (int round = 0; round < 900;) {
        struct wish w;
        uint32_t left[8], node_of_rank[8];
        const char *name, *summary;
        random_wish(&w, &seed);
        if (w.p > 8 || w.d > 3)
            continue;
        choose_offsets(&w, round++ % 3, &seed);
        write_texts(&w, false, "");
        struct smap_nodesizes *sizes = random_sizes(w.p, &seed);
        uint32_t nodes = smap_nodesizes_nodes(sizes);
        for (uint32_t i = 0; i < nodes; i++)
            left[i] = smap_nodesizes_size(sizes, i);
        uint64_t least = nodes <= 4 ? optimum(&w, 0, left, nodes, node_of_rank) : UINT64_MAX;
        struct smap_request request = {
            .stencil = w.stencil_text, .dims = w.dims_text, .periodic = w.periodic_text};
        for (size_t i = 0; nodes <= 4 && smap_algorithm_name(&name, &summary, i); i++) {
            struct smap_plan *plan = NULL;
            request.map = name;
            if (smap_plan_create(&plan, &request, sizes, NULL, NULL) != SMAP_OK)
                continue;
            if (plan->bound > least || plan->after.jsum < least)
                fail_msg("%s, %s on %s periodic %s, nodes of %s: bound %" PRIu64 ", J_sum %" PRIu64
                         ", the least is %" PRIu64,
                         name, w.stencil_text, w.dims_text, w.periodic_text,
                         smap_nodesizes_format(sizes), plan->bound, plan->after.jsum, least);
            smap_plan_destroy(plan);
        }
        smap_nodesizes_destroy(sizes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
