/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid that is part of a step's ranks: on random steps the others stay where they are, every node
 * keeps its tasks, and what is told is what a walk over the grid's edges counts. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/plan.h"

enum { NODES_MAX = 12, RANKS_MAX = 200, RACKS = 3 };

/* A step with `first` ranks in front of a grid of rows x columns, and some behind it. */
struct step {
    uint32_t rows, columns, first, tasks, nodes;
    bool periodic;
    char dims[32], flags[8], ranks[32];
    struct smap_nodesizes *sizes;
    uint32_t node_of_rank[RANKS_MAX]; /* without us */
};

static void shuffle(uint32_t list[], uint32_t count, uint64_t *seed)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = unit_between(seed, 0, i - 1), moved = list[i - 1];
        list[i - 1] = list[j];
        list[j] = moved;
    }
}

static void random_step(struct step *s, bool shuffled, uint64_t *seed)
{
    uint32_t counts[NODES_MAX];
    *s = (struct step){.rows = unit_between(seed, 1, 8),
                       .columns = unit_between(seed, 1, 8),
                       .first = unit_between(seed, 0, 20),
                       .periodic = unit_between(seed, 0, 1)};
    uint32_t last = s->first + s->rows * s->columns - 1;
    s->tasks = last + 1 + unit_between(seed, s->first == 0, 20);
    for (uint32_t left = s->tasks; left > 0; left -= counts[s->nodes++])
        counts[s->nodes] =
            s->nodes == NODES_MAX - 1 ? left : unit_between(seed, 1, left < 16 ? left : 16);
    assert_int_equal(smap_nodesizes_create(&s->sizes, counts, s->nodes, NULL), SMAP_OK);
    for (uint32_t rank = 0; rank < s->tasks; rank++)
        s->node_of_rank[rank] = smap_nodesizes_node_at(s->sizes, rank);
    if (shuffled)
        shuffle(s->node_of_rank, s->tasks, seed);
    snprintf(s->dims, sizeof(s->dims), "%" PRIu32 "x%" PRIu32, s->rows, s->columns);
    snprintf(s->flags, sizeof(s->flags), "0,%d", s->periodic);
    snprintf(s->ranks, sizeof(s->ranks), "%" PRIu32 "-%" PRIu32, s->first, last);
}

/* What leaves each group by one step up, down, left or right. */
static uint64_t walk(uint64_t out[], const struct step *s, const uint32_t group_of_rank[])
{
    static const int32_t steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    uint64_t sum = 0;
    memset(out, 0, NODES_MAX * sizeof(*out));
    for (int64_t x = 0; x < s->rows; x++)
        for (int64_t y = 0; y < s->columns; y++)
            for (size_t i = 0; i < 4; i++) {
                int64_t v = x + steps[i][0], w = y + steps[i][1];
                if (s->periodic)
                    w = (w + s->columns) % s->columns;
                if (v < 0 || w < 0 || v >= s->rows || w >= s->columns)
                    continue;
                uint32_t from = group_of_rank[s->first + x * s->columns + y];
                uint32_t to = group_of_rank[s->first + v * s->columns + w];
                out[from] += from != to;
                sum += from != to;
            }
    return sum;
}

static void check_score(const struct smap_score *score, const struct step *s,
                        const uint32_t node_of_rank[])
{
    uint64_t out[NODES_MAX], most = 0;
    assert_int_equal(score->jsum, walk(out, s, node_of_rank));
    for (uint32_t i = 0; i < s->nodes; i++)
        most = out[i] > most ? out[i] : most;
    assert_int_equal(score->jmax, most);
}

static void check_ranks(const struct smap_plan *plan, const struct step *s)
{
    uint32_t before[NODES_MAX] = {0}, after[NODES_MAX] = {0};
    for (uint32_t rank = 0; rank < s->tasks; rank++) {
        bool inside = rank >= s->first && rank < s->first + s->rows * s->columns;
        assert_int_equal(smap_problem_has_rank(&plan->problem, rank), inside);
        if (!inside)
            assert_int_equal(plan->node_of_rank[rank], s->node_of_rank[rank]);
        else
            assert_int_equal(plan->node_of_rank[rank],
                             smap_plan_node(plan, plan->node_of_cell[rank - s->first]));
        before[s->node_of_rank[rank]]++;
        after[plan->node_of_rank[rank]]++;
    }
    assert_memory_equal(before, after, sizeof(before));
}

static void test_random_steps(void **state)
{
    static const char *const maps[] = {"blocked", "hyperplane", "kdtree", "strips", "greedy"};
    uint64_t seed = 1815;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct step s;
        struct smap_plan *plan = NULL;
        struct smap_error err = {""};
        bool shuffled = round % 2;
        random_step(&s, shuffled, &seed);
        const struct smap_request request = {.map = maps[round % 5],
                                             .stencil = "nn",
                                             .dims = s.dims,
                                             .periodic = s.flags,
                                             .ranks = s.ranks};
        if (smap_plan_create(&plan, &request, s.sizes, shuffled ? s.node_of_rank : NULL, &err) !=
            SMAP_OK)
            fail_msg("%s of %" PRIu32 " tasks: %s", s.ranks, s.tasks, err.text);
        check_ranks(plan, &s);
        check_score(&plan->before, &s, s.node_of_rank);
        check_score(&plan->after, &s, plan->node_of_rank);
        assert_true(smap_problem_is_part(&plan->problem));
        assert_int_equal(plan->nodes, s.nodes);
        char *ranks = smap_problem_ranks(&plan->problem);
        assert_string_equal(ranks, s.ranks);
        free(ranks);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(s.sizes);
    }
}

/* Levels above the nodes are those of the step's nodes, also where the first nodes have no rank of
 * the grid. */
static void test_levels_above(void **state)
{
    uint64_t seed = 1871;
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct step s;
        struct smap_plan *plan = NULL;
        struct smap_outer outer;
        uint64_t out[NODES_MAX];
        uint32_t rack_before[RANKS_MAX], rack_after[RANKS_MAX];
        random_step(&s, round % 2, &seed);
        assert_int_equal(smap_outer_init(&outer, 1, s.nodes, NULL), SMAP_OK);
        for (uint32_t i = 0; i < s.nodes; i++)
            outer.group[i] = s.nodes - 1 - i * RACKS / NODES_MAX % s.nodes; /* not in order */
        const struct smap_request request = {.map = "hyperplane",
                                             .dims = s.dims,
                                             .periodic = s.flags,
                                             .ranks = s.ranks,
                                             .objective = "levels",
                                             .outer = &outer};
        assert_int_equal(smap_plan_create(&plan, &request, s.sizes, s.node_of_rank, NULL), SMAP_OK);
        for (uint32_t rank = 0; rank < s.tasks; rank++) {
            rack_before[rank] = outer.group[s.node_of_rank[rank]];
            rack_after[rank] = outer.group[plan->node_of_rank[rank]];
        }
        check_ranks(plan, &s);
        assert_int_equal(plan->outer_before[0], walk(out, &s, rack_before));
        assert_int_equal(plan->outer_after[0], walk(out, &s, rack_after));
        smap_plan_destroy(plan);
        smap_outer_clear(&outer);
        smap_nodesizes_destroy(s.sizes);
    }
}

/* A part as a text and back: the same nodes with as many cells. */
static void test_text_and_back(void **state)
{
    static const struct {
        uint32_t nodes, cells, node_of_cell[8];
        const char *text;
    } cases[] = {
        {1, 2, {0, 0}, "2"},
        {3, 2, {1, 1}, "0,2,0"},
        {6, 8, {1, 1, 2, 2, 3, 3, 5, 5}, "0,2(x3),0,2"},
        {9, 3, {8, 8, 4}, "0(x4),1,0(x3),2"},
        {2, 4, {1, 0, 1, 0}, "2(x2)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_part part, read;
        uint32_t nodes = cases[i].nodes, number;
        assert_int_equal(smap_part_init(&part, cases[i].node_of_cell, cases[i].cells, nodes, NULL),
                         SMAP_OK);
        char *text = smap_part_format(&part, nodes);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(smap_part_parse(&read, text, nodes, NULL), SMAP_OK);
        uint32_t have = smap_nodesizes_nodes(part.sizes);
        assert_int_equal(smap_nodesizes_nodes(read.sizes), have);
        for (uint32_t k = 0; k < have; k++) {
            assert_int_equal(read.node[k], part.node[k]);
            assert_int_equal(smap_nodesizes_size(read.sizes, k),
                             smap_nodesizes_size(part.sizes, k));
        }
        for (uint32_t node = 0, k = 0; node < nodes; node++) {
            bool has = k < have && part.node[k] == node;
            assert_int_equal(smap_part_find(&number, &read, node), has);
            if (has)
                assert_int_equal(number, k++);
        }
        free(text);
        smap_part_clear(&part);
        smap_part_clear(&read);
    }
}

static void test_wrong_texts(void **state)
{
    static const char *const texts[] = {
        "",
        "1",
        "1,1",
        "1,1,1,1",
        "0,0,0",
        "0(x3)",
        "1(x3",
        "1x3",
        "1(x2)",
        "1(x4)",
        "1,1(x0),1",
        "1,,1",
        "1,1,",
        "1,1,1 ",
        "-1,1,1",
        "x",
        "1(x4294967295)",
        "4294967295(x3)",
        "4294967296,1,1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct smap_part part;
        struct smap_error err = {""};
        if (smap_part_parse(&part, texts[i], 3, &err) != SMAP_EINVAL || err.text[0] == '\0')
            fail_msg("'%s' is taken for three nodes", texts[i]);
        smap_part_clear(&part);
    }
}

/* All ranks named are as if none were. */
static void test_all_ranks(void **state)
{
    static const char *const ranks[] = {NULL, "0-31"};
    struct smap_plan *plan[2] = {NULL};
    struct smap_nodesizes *sizes = NULL;
    (void)state;
    assert_int_equal(smap_nodesizes_parse(&sizes, "8(x4)", NULL), SMAP_OK);
    for (size_t i = 0; i < 2; i++) {
        const struct smap_request request = {.map = "hyperplane", .dims = "4x8", .ranks = ranks[i]};
        assert_int_equal(smap_plan_create(&plan[i], &request, sizes, NULL, NULL), SMAP_OK);
        assert_false(smap_problem_is_part(&plan[i]->problem));
        assert_ptr_equal(plan[i]->instance.sizes, sizes);
        assert_memory_equal(plan[i]->node_of_cell, plan[i]->node_of_rank, 32 * sizeof(uint32_t));
    }
    assert_memory_equal(plan[0]->node_of_rank, plan[1]->node_of_rank, 32 * sizeof(uint32_t));
    smap_plan_destroy(plan[0]);
    smap_plan_destroy(plan[1]);
    smap_nodesizes_destroy(sizes);
}

/* Without dims the grid is made for its ranks; the line names them, and so does the report, where
 * nodes keep the numbers of the step. */
static void test_texts(void **state)
{
    const struct smap_request request = {.map = "hyperplane", .ranks = "3-10"};
    struct smap_plan *plan = NULL;
    struct smap_nodesizes *sizes = NULL;
    (void)state;
    assert_int_equal(smap_nodesizes_parse(&sizes, "3,4(x2)", NULL), SMAP_OK);
    assert_int_equal(smap_plan_create(&plan, &request, sizes, NULL, NULL), SMAP_OK);
    char *summary = smap_plan_summary(plan, &request);
    char *report = smap_plan_report(plan, &request, "launch", true, NULL);
    assert_non_null(strstr(summary, "nn on grid 4x2 assumed (ranks 3-10) over 2 nodes: "));
    assert_non_null(strstr(report, "grid 4x2 assumed (ranks 3-10), 8 tasks on nodes of 4(x2)\n"));
    assert_non_null(strstr(report, "\n  1                     4"));
    assert_non_null(strstr(report, "\n  2                     4"));
    assert_null(strstr(report, "\n  0 "));
    free(summary);
    free(report);
    smap_plan_destroy(plan);
    smap_nodesizes_destroy(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps),  cmocka_unit_test(test_levels_above),
        cmocka_unit_test(test_text_and_back), cmocka_unit_test(test_wrong_texts),
        cmocka_unit_test(test_all_ranks),     cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
