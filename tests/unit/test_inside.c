/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels inside the nodes: seats against brute force, crossings against the definition, and a whole
 * machine at every level. */
#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "grid/score.h"
#include "levels/inside.h"
#include "levels/levels.h"
#include "partition/divide.h"
#include "plan/plan.h"

struct instance {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_nodesizes *sizes; /* of a machine; else NULL */
};

static void instance_init(struct instance *in, const char *dims, const char *stencil,
                          const bool periodic[])
{
    struct smap_error err = {""};
    uint32_t d[SMAP_DIMS_MAX];
    size_t ndims;
    bool column;
    in->sizes = NULL;
    if (smap_dims_parse(d, &ndims, &column, dims, &err) ||
        smap_grid_init(&in->grid, ndims, d, periodic, &err) ||
        smap_stencil_parse(&in->stencil, stencil, ndims, &err))
        fail_msg("%s %s: %s", dims, stencil, err.text);
}

/* The weight between groups, from the stencil itself: group[cell] < 0 is outside of the set. */
static uint64_t weight_between(const struct instance *in, const int group[])
{
    uint64_t weight = 0;
    uint32_t coords[SMAP_DIMS_MAX], to[SMAP_DIMS_MAX];
    for (uint32_t cell = 0; cell < in->grid.cells; cell++)
        for (size_t r = 0; r < in->stencil->count; r++) {
            bool there = true;
            smap_grid_coords(coords, &in->grid, cell);
            for (size_t i = 0; i < in->grid.ndims; i++) {
                int64_t size = in->grid.dims[i];
                int64_t x = coords[i] + (int64_t)smap_stencil_offset(in->stencil, r)[i];
                there = there && (in->grid.periodic[i] || (x >= 0 && x < size));
                to[i] = (uint32_t)((x % size + size) % size);
            }
            if (!there)
                continue;
            uint32_t other = smap_grid_cell(&in->grid, to);
            if (group[cell] >= 0 && group[other] >= 0 && group[cell] != group[other])
                weight += in->stencil->weights[r];
        }
    return weight;
}

static uint64_t weight_of(const struct instance *in, const uint32_t cells[], uint32_t count,
                          const uint32_t group_of[])
{
    int *group = malloc(in->grid.cells * sizeof(*group));
    assert_non_null(group);
    memset(group, 0xff, in->grid.cells * sizeof(*group));
    for (uint32_t i = 0; i < count; i++)
        group[cells[i]] = (int)group_of[i];
    uint64_t weight = weight_between(in, group);
    free(group);
    return weight;
}

/* The least weight of all divisions into two groups. */
static uint64_t brute_force(const struct instance *in, const uint32_t cells[], uint32_t count,
                            uint32_t first)
{
    uint64_t least = UINT64_MAX;
    uint32_t group_of[16];
    for (uint32_t set = 0; set < 1u << count; set++) {
        if ((uint32_t)__builtin_popcount(set) != first)
            continue;
        for (uint32_t i = 0; i < count; i++)
            group_of[i] = !(set >> i & 1);
        uint64_t weight = weight_of(in, cells, count, group_of);
        least = weight < least ? weight : least;
    }
    return least;
}

/* Some cells of a grid, ascending. */
static void pick_cells(uint64_t *seed, uint32_t all, uint32_t cells[], uint32_t count)
{
    uint32_t taken = 0;
    for (uint32_t cell = 0; cell < all && taken < count; cell++)
        if (smap_random(seed) % (all - cell) < count - taken)
            cells[taken++] = cell;
}

static void test_divide_is_optimal_on_small_sets(void **state)
{
    static const struct {
        const char *dims, *stencil;
        bool periodic[3];
    } cases[] = {
        {"4x4", "nn", {false}},
        {"5x3", "moore", {false}},
        {"2x3x3", "nn", {false}},
        {"4x4", "nn", {true, true}},
        {"3x5", "1,0*7;0,1;0,-1*2;2,2", {false}},
        {"12", "nn", {true}},
        {"2x8", "hops-last", {false, true}},
    };
    uint64_t seed = 20;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct instance in;
        instance_init(&in, cases[i].dims, cases[i].stencil, cases[i].periodic);
        for (int round = 0; round < 6; round++) {
            struct smap_error err = {""};
            uint32_t cells[16], group_of[16], count = unit_between(&seed, 2, 10);
            uint32_t size[2] = {unit_between(&seed, 1, count - 1), 0}, sum = 0;
            size[1] = count - size[0];
            pick_cells(&seed, in.grid.cells, cells, count);
            const struct smap_division division = {cells, count, size, 2, false};
            assert_int_equal(smap_divide(group_of, UNIT_INSTANCE(&in), &division, &err), SMAP_OK);
            for (uint32_t c = 0; c < count; c++)
                sum += group_of[c] == 0;
            assert_int_equal(sum, size[0]);
            assert_int_equal(weight_of(&in, cells, count, group_of),
                             brute_force(&in, cells, count, size[0]));
        }
        smap_stencil_destroy(in.stencil);
    }
}

/* Random sets and sizes: exact sizes, never worse than in order, quick or not; a search never loses
 * to the cuts it starts from. */
static void test_divide_properties(void **state)
{
    static const char *const grids[] = {"40", "7x11", "4x5x6", "3x2x5x4", "1x13x1x6"};
    static const char *const stencils[] = {"nn", "moore", "component"};
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        struct smap_error err = {""};
        struct instance in;
        bool periodic[4];
        uint32_t cells[128], group_of[128], in_order[128], size[16], groups = 0, left;
        uint64_t weight[2];
        for (size_t d = 0; d < 4; d++)
            periodic[d] = smap_random(&seed) % 2;
        const char *grid = grids[i % 5];
        instance_init(&in, grid, i % 5 == 0 ? "nn" : stencils[i % 3], periodic);
        left = unit_between(&seed, 1, in.grid.cells < 100 ? in.grid.cells : 100);
        uint32_t count = left;
        pick_cells(&seed, in.grid.cells, cells, count);
        while (left > 0) {
            uint32_t most = left < 20 && groups < 14 ? left : left / 2 + 1;
            size[groups] = groups == 15 ? left : unit_between(&seed, 1, most);
            for (uint32_t k = 0; k < size[groups]; k++)
                in_order[count - left + k] = groups;
            left -= size[groups++];
        }
        for (int quick = 0; quick < 2; quick++) {
            const struct smap_division division = {cells, count, size, groups, quick};
            assert_int_equal(smap_divide(group_of, UNIT_INSTANCE(&in), &division, &err), SMAP_OK);
            for (uint32_t g = 0; g < groups; g++) {
                uint32_t members = 0;
                for (uint32_t c = 0; c < count; c++)
                    members += group_of[c] == g;
                assert_int_equal(members, size[g]);
            }
            weight[quick] = weight_of(&in, cells, count, group_of);
        }
        assert_true(weight[0] <= weight[1]);
        assert_true(weight[1] <= weight_of(&in, cells, count, in_order));
        smap_stencil_destroy(in.stencil);
    }
}

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
        instance_init(&in, "30x30", round % 2 ? "nn" : "moore", NULL);
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
    struct smap_error err = {""};
    instance_init(&m->in, dims, stencil, NULL);
    assert_int_equal(smap_nodesizes_parse(&m->in.sizes, sizes, &err), SMAP_OK);
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
    for (size_t i = 0; i < 3; i++) {
        struct machine m;
        uint64_t crossing[SMAP_LEVELS_MAX];
        machine_init(&m, "9x14", stencils[i], "24(x3),18(x3)", "socket:2,l3:3,core:4");
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
        cmocka_unit_test(test_divide_is_optimal_on_small_sets),
        cmocka_unit_test(test_divide_properties),
        cmocka_unit_test(test_seats_of_an_order),
        cmocka_unit_test(test_assign_properties),
        cmocka_unit_test(test_crossings_by_definition),
        cmocka_unit_test(test_every_level_gains),
        cmocka_unit_test(test_objective_levels),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
