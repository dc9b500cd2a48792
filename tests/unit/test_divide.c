/* SPDX-License-Identifier: BSD-3-Clause */
/* Dividing sets of cells: against brute force, and what must hold on any set. */
#include "unit_instance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "partition/divide.h"

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
        instance_init(&in, cases[i].dims, cases[i].stencil, NULL, cases[i].periodic);
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
        instance_init(&in, grid, i % 5 == 0 ? "nn" : stencils[i % 3], NULL, periodic);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divide_is_optimal_on_small_sets),
        cmocka_unit_test(test_divide_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
