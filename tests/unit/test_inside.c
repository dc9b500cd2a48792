/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels inside the nodes: seats, crossings against the definition, and a whole
 * machine at every level. */
#include "unit_instance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "grid/score.h"
#include "levels/inside.h"
#include "levels/levels.h"
#include "plan/plan.h"

static struct smap_levels parse_levels(const char *hierarchy, const char *order, uint32_t nodes,
                                       uint32_t most)
{
    struct smap_error err = {""};
    struct smap_levels levels;
    if (smap_levels_parse(&levels, hierarchy, order, nodes, most, &err) != SMAP_OK)
        fail_msg("%s", err.text);
    return levels;
}

static void test_seats_of_an_order(void **state)
{
    struct smap_error err = {""};
    struct smap_inside inside;
    struct smap_levels levels = parse_levels("socket:2,numa:2,core:4", NULL, 1, 16);
    (void)state;
    assert_int_equal(smap_inside_from_order(&inside, &levels.hierarchy, &levels.order, 16, &err),
                     SMAP_OK);
    assert_int_equal(inside.levels, 3);
    assert_int_equal(inside.object[9 * 3], 1);
    assert_int_equal(inside.object[9 * 3 + 1], 2);
    assert_int_equal(inside.object[9 * 3 + 2], 9);
    smap_inside_settle(&inside);
    assert_int_equal(inside.levels, 2);
    assert_string_equal(inside.name[1], "numa");
    assert_int_equal(inside.object[9 * 2 + 1], 2);
    smap_inside_clear(&inside);

    /* Six cores, taken from the NUMA domains in turn: 0 1 | 4 5 | 8 | 12. */
    levels = parse_levels("socket:2,numa:2,core:4", "numa,core", 1, 6);
    assert_int_equal(smap_inside_from_order(&inside, &levels.hierarchy, &levels.order, 6, &err),
                     SMAP_OK);
    static const uint32_t cores[] = {0, 1, 4, 5, 8, 12};
    uint32_t seen[6];
    for (uint32_t k = 0; k < 6; k++)
        seen[k] = inside.object[k * 3 + 2];
    assert_memory_equal(seen, cores, sizeof(cores));
    smap_inside_clear(&inside);

    /* Four cores of one NUMA domain: no level can matter. */
    levels = parse_levels("socket:2,numa:2,core:4", NULL, 1, 4);
    assert_int_equal(smap_inside_from_order(&inside, &levels.hierarchy, &levels.order, 4, &err),
                     SMAP_OK);
    smap_inside_settle(&inside);
    assert_int_equal(inside.levels, 0);
    smap_inside_clear(&inside);
}

/* Seats are a permutation, do not depend on the order in which the cells are listed, and move with
 * the set. */
static void test_assign_properties(void **state)
{
    struct smap_levels levels = parse_levels("socket:2,numa:3,l3:2,core:3", NULL, 1, 36);
    uint64_t seed = 3;
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct smap_error err = {""};
        struct instance in;
        struct smap_inside inside;
        uint32_t cells[36], moved[36], shuffled[36], seat[36], other[36], n = 0;
        bool taken[36] = {false};
        instance_init(&in, "30x30", round % 2 ? "nn" : "moore", NULL, NULL);
        assert_int_equal(
            smap_inside_from_order(&inside, &levels.hierarchy, &levels.order, 36, &err), SMAP_OK);
        smap_inside_settle(&inside);
        for (uint32_t at = 0; n < 36; at++)
            if (smap_random(&seed) % 4 > 0)
                cells[n++] = at / 7 * 30 + at % 7;
        for (uint32_t i = 0; i < 36; i++) {
            moved[i] = cells[i] + 9 * 30 + 14;
            shuffled[i] = cells[(i * 5 + 11) % 36];
        }
        assert_int_equal(smap_inside_assign(seat, &inside, UNIT_INSTANCE(&in), cells, false, &err),
                         SMAP_OK);
        for (uint32_t i = 0; i < 36; i++) {
            assert_true(seat[i] < 36 && !taken[seat[i]]);
            taken[seat[i]] = true;
        }
        assert_int_equal(smap_inside_assign(other, &inside, UNIT_INSTANCE(&in), moved, false, &err),
                         SMAP_OK);
        assert_memory_equal(seat, other, sizeof(seat));
        assert_int_equal(
            smap_inside_assign(other, &inside, UNIT_INSTANCE(&in), shuffled, false, &err), SMAP_OK);
        for (uint32_t i = 0; i < 36; i++)
            assert_int_equal(other[i], seat[(i * 5 + 11) % 36]);
        smap_inside_clear(&inside);
        smap_stencil_destroy(in.stencil);
    }
}

struct machine {
    struct instance in;
    struct smap_levels levels;
    uint32_t *node_of_cell;
    struct smap_score score;
    uint32_t *cell_at;
};

static void map(struct machine *m, const char *algorithm, enum smap_objective objective)
{
    struct smap_error err = {""};
    struct smap_mapping *mapping;
    const struct smap_mapping_options options = {
        .effort = SMAP_EFFORT_FAST, .objective = objective, .levels = &m->levels};
    assert_int_equal(
        smap_mapping_from_text(&mapping, algorithm, UNIT_INSTANCE(&m->in), &options, &err),
        SMAP_OK);
    m->node_of_cell = calloc(m->in.grid.cells, sizeof(*m->node_of_cell));
    m->cell_at = calloc(m->in.grid.cells, sizeof(*m->cell_at));
    assert_int_equal(smap_mapping_nodes(m->node_of_cell, mapping, &err), SMAP_OK);
    smap_mapping_cells(m->cell_at, mapping);
    assert_int_equal(smap_score_nodes(&m->score, NULL, UNIT_INSTANCE(&m->in), m->node_of_cell,
                                      smap_nodesizes_nodes(m->in.sizes), &err),
                     SMAP_OK);
    smap_mapping_destroy(mapping);
}

static void crossings(const struct machine *m, enum smap_seating seating, uint64_t crossing[])
{
    struct smap_error err = {""};
    assert_int_equal(
        smap_levels_crossings(crossing, &m->levels, UNIT_INSTANCE(&m->in),
                              &(const struct smap_seated){m->node_of_cell, m->score.jsum, seating},
                              &err),
        SMAP_OK);
}

static void unmap(struct machine *m)
{
    free(m->node_of_cell);
    free(m->cell_at);
}

/* What crosses level l when the cells of each node take its cores in order of position. */
static uint64_t crossing_by_position(const struct machine *m, size_t l)
{
    struct smap_error err = {""};
    struct smap_score score;
    uint64_t below = 1, cores = smap_hierarchy_product(&m->levels.hierarchy);
    for (size_t i = l + 1; i < m->levels.hierarchy.count; i++)
        below *= m->levels.hierarchy.level[i].arity;
    uint32_t nodes = smap_nodesizes_nodes(m->in.sizes);
    uint32_t *object = calloc(m->in.grid.cells, sizeof(*object));
    for (uint32_t node = 0, q = 0; node < nodes; node++)
        for (uint32_t k = 0; k < smap_nodesizes_size(m->in.sizes, node); k++, q++)
            object[m->cell_at[q]] = (uint32_t)(node * (cores / below) + k / below);
    assert_int_equal(smap_score_nodes(&score, NULL, UNIT_INSTANCE(&m->in), object,
                                      (uint32_t)(nodes * (cores / below)), &err),
                     SMAP_OK);
    free(object);
    return score.jsum;
}

static void machine_init(struct machine *m, const char *dims, const char *stencil,
                         const char *sizes, const char *hierarchy)
{
    instance_init(&m->in, dims, stencil, sizes, NULL);
    m->levels = parse_levels(hierarchy, NULL, smap_nodesizes_nodes(m->in.sizes),
                             smap_nodesizes_largest(m->in.sizes));
}

static void machine_release(struct machine *m)
{
    smap_stencil_destroy(m->in.stencil);
    smap_nodesizes_destroy(m->in.sizes);
}

/* Seats in order of the ranks: as counted from the definition, on unequal nodes too. */
static void test_crossings_by_definition(void **state)
{
    static const char *const stencils[] = {"nn", "moore", "1,0*3;0,1;2,-1*5"};
    (void)state;
    for (size_t i = 0; i < 3 * 4; i++) {
        struct machine m;
        uint64_t crossing[SMAP_LEVELS_MAX];
        machine_init(&m, i % 2 ? "9x14" : "42x3", stencils[i / 4], "24(x3),18(x3)",
                     "socket:2,l3:3,core:4");
        m.in.grid.periodic[0] = i % 4 > 1;
        m.in.grid.periodic[1] = i % 4 > 0;
        map(&m, "blocked", SMAP_OBJECTIVE_SUM);
        crossings(&m, SMAP_SEATS_BY_RANK, crossing);
        for (size_t l = 0; l < 3; l++)
            assert_int_equal(crossing[l], crossing_by_position(&m, l));
        unmap(&m);
        machine_release(&m);
    }
}

/* 16 nodes of [[2, 4, 2, 8]]: every level is crossed less than by blocked ranks, and than by a
 * mapping that knows nodes only. */
static void test_every_level_gains(void **state)
{
    static const struct {
        const char *dims, *algorithm;
    } cases[] = {
        {"64x32", "hyperplane"},   {"64x32", "best"},   {"128x16", "best"},
        {"16x16x8", "hyperplane"}, {"16x16x8", "best"}, {"32x8x8", "best"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct machine m;
        uint64_t blocked[SMAP_LEVELS_MAX], single[3], levels[SMAP_LEVELS_MAX];
        machine_init(&m, cases[i].dims, "nn", "128(x16)", "socket:2,numa:4,l3:2,core:8");
        map(&m, "blocked", SMAP_OBJECTIVE_SUM);
        crossings(&m, SMAP_SEATS_BY_RANK, blocked);
        unmap(&m);
        map(&m, cases[i].algorithm, SMAP_OBJECTIVE_LEVELS);
        crossings(&m, SMAP_SEATS_BEST, levels);
        unmap(&m);
        map(&m, cases[i].algorithm, SMAP_OBJECTIVE_SUM);
        for (size_t l = 0; l < 3; l++) {
            single[l] = crossing_by_position(&m, l);
            if (levels[l] >= blocked[l] || levels[l] >= single[l])
                fail_msg("%s, %s: level %zu: blocked %" PRIu64 ", single %" PRIu64
                         ", levels %" PRIu64,
                         cases[i].dims, cases[i].algorithm, l, blocked[l], single[l], levels[l]);
        }
        unmap(&m);
        machine_release(&m);
    }
}

/* The objective's own sum: never above that of any algorithm, nor of the other objective. */
static void test_objective_levels(void **state)
{
    static const struct {
        const char *dims, *sizes, *hierarchy;
    } cases[] = {
        {"24x16", "48(x8)", "socket:2,numa:2,core:12"},
        {"13x12", "24(x5),18(x2)", "socket:2,l3:3,core:4"},
        {"6x8x4", "16(x12)", "2,2,4"},
        {"7x7", "49", "numa:7,core:7"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct machine m;
        uint64_t crossing[SMAP_LEVELS_MAX], total;
        const struct smap_algorithm *a;
        machine_init(&m, cases[i].dims, "nn", cases[i].sizes, cases[i].hierarchy);
        map(&m, "best", SMAP_OBJECTIVE_LEVELS);
        crossings(&m, SMAP_SEATS_QUICK, crossing);
        total = smap_levels_total(&m.levels, m.score.jsum, crossing);
        unmap(&m);
        map(&m, "best", SMAP_OBJECTIVE_SUM);
        crossings(&m, SMAP_SEATS_QUICK, crossing);
        assert_true(total <= smap_levels_total(&m.levels, m.score.jsum, crossing));
        unmap(&m);
        for (size_t k = 0; (a = smap_algorithm_at(k)); k++) {
            if (a->equal_sizes || a->control)
                continue;
            map(&m, a->name, SMAP_OBJECTIVE_SUM);
            crossings(&m, SMAP_SEATS_QUICK, crossing);
            assert_true(total <= smap_levels_total(&m.levels, m.score.jsum, crossing));
            unmap(&m);
        }
        machine_release(&m);
    }
}

static void test_refusals(void **state)
{
    static const struct {
        const char *hierarchy, *order;
        uint32_t nodes, most;
        const char *error;
    } cases[] = {
        {"socket:2,core:4", NULL, 4, 9,
         "--rank-hierarchy=socket:2,core:4: 8 cores in a node, but 9 tasks on the fullest one"},
        {"node:3,core:4", NULL, 4, 4, "--rank-hierarchy=node:3,core:4: 3 nodes, but there are 4"},
        {"node:4", NULL, 4, 1, "--rank-hierarchy=node:4: no level inside a node"},
        {"socket:2,core:4", "numa", 4, 8,
         "--rank-order=numa: no level 'numa' here; levels are socket:2, core:4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_levels levels;
        assert_int_not_equal(smap_levels_parse(&levels, cases[i].hierarchy, cases[i].order,
                                               cases[i].nodes, cases[i].most, &err),
                             SMAP_OK);
        assert_string_equal(err.text, cases[i].error);
    }
    /* Numbers may begin with the nodes, and an order may count them or not. */
    struct smap_levels levels = parse_levels("4,2,2,4", "1-2-3-0", 4, 16);
    assert_int_equal(levels.hierarchy.count, 3);
    assert_int_equal(levels.order.level[0], 0);
    levels = parse_levels("2,2,4", "0-1-2", 4, 16);
    assert_int_equal(levels.hierarchy.count, 3);
    assert_int_equal(levels.order.level[0], 0);
    assert_string_equal(levels.hierarchy.level[1].name, "level1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seats_of_an_order),       cmocka_unit_test(test_assign_properties),
        cmocka_unit_test(test_crossings_by_definition), cmocka_unit_test(test_every_level_gains),
        cmocka_unit_test(test_objective_levels),        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
