/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels above the nodes: exchanges of blocks against brute force, and what must hold anywhere. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "grid/score.h"
#include "levels/outer.h"
#include "plan/plan.h"

struct instance {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_nodesizes *sizes;
    uint32_t nodes;
    uint32_t *node_of_cell;
};

static void instance_init(struct instance *in, const char *dims, const char *stencil,
                          const char *sizes, const char *algorithm)
{
    struct smap_error err = {""};
    struct smap_mapping *mapping = NULL;
    uint32_t d[SMAP_DIMS_MAX];
    size_t ndims;
    bool column;
    if (smap_dims_parse(d, &ndims, &column, dims, &err) ||
        smap_grid_init(&in->grid, ndims, d, NULL, &err) ||
        smap_stencil_parse(&in->stencil, stencil, ndims, &err) ||
        smap_nodesizes_parse(&in->sizes, sizes, &err) ||
        smap_mapping_from_text(&mapping, algorithm, UNIT_INSTANCE(in), NULL, &err))
        fail_msg("%s %s %s: %s", dims, stencil, sizes, err.text);
    in->nodes = smap_nodesizes_nodes(in->sizes);
    in->node_of_cell = calloc(in->grid.cells, sizeof(*in->node_of_cell));
    assert_int_equal(smap_mapping_nodes(in->node_of_cell, mapping, &err), SMAP_OK);
    smap_mapping_destroy(mapping);
}

static void instance_release(struct instance *in)
{
    smap_stencil_destroy(in->stencil);
    smap_nodesizes_destroy(in->sizes);
    free(in->node_of_cell);
}

static uint64_t crossing_of(const struct instance *in, const struct smap_outer *outer, size_t level,
                            const uint32_t node_of_cell[])
{
    struct smap_error err = {""};
    uint64_t crossing[SMAP_LEVELS_MAX];
    assert_int_equal(smap_outer_crossings(crossing, outer, UNIT_INSTANCE(in), node_of_cell, &err),
                     SMAP_OK);
    return crossing[level];
}

/* The least crossing of one level over all permutations of the nodes that keep the sizes. */
static uint64_t brute_force(const struct instance *in, const struct smap_outer *outer,
                            uint32_t node_of_block[], uint32_t taken, uint32_t block)
{
    uint64_t least = UINT64_MAX;
    if (block == in->nodes) {
        uint32_t *nodes = calloc(in->grid.cells, sizeof(*nodes));
        for (uint32_t c = 0; c < in->grid.cells; c++)
            nodes[c] = node_of_block[in->node_of_cell[c]];
        least = crossing_of(in, outer, 0, nodes);
        free(nodes);
        return least;
    }
    for (uint32_t node = 0; node < in->nodes; node++) {
        if (taken >> node & 1 ||
            smap_nodesizes_size(in->sizes, node) != smap_nodesizes_size(in->sizes, block))
            continue;
        node_of_block[block] = node;
        uint64_t found = brute_force(in, outer, node_of_block, taken | 1u << node, block + 1);
        least = found < least ? found : least;
    }
    return least;
}

static void random_groups(struct smap_outer *outer, uint32_t nodes, size_t levels, uint64_t *seed)
{
    struct smap_error err = {""};
    assert_int_equal(smap_outer_init(outer, levels, nodes, &err), SMAP_OK);
    for (uint32_t i = 0; i < nodes; i++)
        for (size_t l = 0; l < levels; l++) {
            uint32_t outside = l > 0 ? outer->group[i * levels + l - 1] : 0;
            outer->group[i * levels + l] = (outside * 2 + unit_between(seed, 0, 1)) % nodes;
        }
}

static void test_optimal_on_few_nodes(void **state)
{
    static const struct {
        const char *dims, *stencil, *sizes, *algorithm;
    } cases[] = {
        {"6x6", "nn", "6(x6)", "hyperplane"},       {"4x9", "moore", "6(x6)", "random"},
        {"5x6", "nn", "6,4,6,4,6,4", "hyperplane"}, {"3x4x3", "nn", "6(x6)", "best"},
        {"28", "nn", "4(x7)", "blocked"},           {"7x4", "0,1*5;1,0;-1,0", "4(x7)", "strips"},
    };
    uint64_t seed = 11;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (int round = 0; round < 4; round++) {
            struct smap_error err = {""};
            struct instance in;
            struct smap_outer outer;
            uint32_t node_of_block[8];
            instance_init(&in, cases[i].dims, cases[i].stencil, cases[i].sizes, cases[i].algorithm);
            random_groups(&outer, in.nodes, 1, &seed);
            uint64_t least = brute_force(&in, &outer, node_of_block, 0, 0);
            assert_int_equal(smap_outer_arrange(in.node_of_cell, &outer, UNIT_INSTANCE(&in), &err),
                             SMAP_OK);
            assert_int_equal(crossing_of(&in, &outer, 0, in.node_of_cell), least);
            smap_outer_clear(&outer);
            instance_release(&in);
        }
}

/* J_sum, J_max and the sizes stay, the outermost level is never crossed more than before. */
static void test_properties(void **state)
{
    static const char *const sizes[] = {"6(x20)", "7(x10),5(x10)", "1(x60),20(x3)", "120"};
    uint64_t seed = 5;
    (void)state;
    for (size_t i = 0; i < 24; i++) {
        struct smap_error err = {""};
        struct instance in;
        struct smap_outer outer;
        struct smap_score before, after;
        uint32_t *count;
        instance_init(&in, i % 2 ? "10x12" : "4x5x6", i % 3 ? "nn" : "moore", sizes[i % 4],
                      i % 5 ? "best" : "random");
        random_groups(&outer, in.nodes, 1 + i % 3, &seed);
        count = calloc(in.nodes, sizeof(*count));
        smap_score_nodes(&before, NULL, UNIT_INSTANCE(&in), in.node_of_cell, in.nodes, &err);
        uint64_t crossing = crossing_of(&in, &outer, 0, in.node_of_cell);
        assert_int_equal(smap_outer_arrange(in.node_of_cell, &outer, UNIT_INSTANCE(&in), &err),
                         SMAP_OK);
        assert_true(crossing_of(&in, &outer, 0, in.node_of_cell) <= crossing);
        smap_score_nodes(&after, NULL, UNIT_INSTANCE(&in), in.node_of_cell, in.nodes, &err);
        assert_int_equal(after.jsum, before.jsum);
        assert_int_equal(after.jmax, before.jmax);
        for (uint32_t c = 0; c < in.grid.cells; c++)
            count[in.node_of_cell[c]]++;
        for (uint32_t n = 0; n < in.nodes; n++)
            assert_int_equal(count[n], smap_nodesizes_size(in.sizes, n));
        free(count);
        smap_outer_clear(&outer);
        instance_release(&in);
    }
}

/* In a plan: two levels of a hierarchy in front of the nodes; without the objective, or with
 * text_max, they are counted and nothing is exchanged. */
static void test_plan(void **state)
{
    static const struct {
        const char *objective;
        size_t text_max;
        uint64_t rack, chassis;
    } cases[] = {
        {"levels", 0, 24, 120},
        {"sum", 0, 56, 120},
        {"levels", 100, 56, 120},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_nodesizes *sizes = NULL;
        struct smap_plan *plan = NULL;
        const struct smap_request request = {.map = "strips",
                                             .dims = "12x24",
                                             .objective = cases[i].objective,
                                             .hierarchy = "rack:2,chassis:3,node:3,core:16",
                                             .text_max = cases[i].text_max};
        assert_int_equal(smap_nodesizes_parse(&sizes, "16(x18)", &err), SMAP_OK);
        if (smap_plan_create(&plan, &request, sizes, NULL, &err) != SMAP_OK)
            fail_msg("%s", err.text);
        assert_int_equal(plan->outer->levels, 2);
        assert_string_equal(plan->outer->name[1], "chassis");
        assert_int_equal(plan->outer_before[0], 48);
        assert_int_equal(plan->outer_after[0], cases[i].rack);
        assert_int_equal(plan->outer_after[1], cases[i].chassis);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimal_on_few_nodes),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
