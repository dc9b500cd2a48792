/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids: reading dims and periodic flags, limits, cells and coordinates. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"

#define NOT_DIMS     "not sizes like 50x48 or 50x48,column"
#define NOT_PERIODIC "not a 0 or 1 per dimension like 1,0"

static void test_dims_parse(void **state)
{
    static const struct {
        const char *text;
        size_t ndims;
        uint32_t dims[3];
        bool column;
    } cases[] = {
        {"7", 1, {7}, false},
        {"50x48", 2, {50, 48}, false},
        {"50x48,column", 2, {50, 48}, true},
        {"7,column", 1, {7}, true},
        {"1x1x1", 3, {1, 1, 1}, false},
        {"04x08", 2, {4, 8}, false},
        {"4294967295x1", 2, {UINT32_MAX, 1}, false},
        {"4294967295x4294967295", 2, {UINT32_MAX, UINT32_MAX}, false}, /* the grid refuses it */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        uint32_t dims[SMAP_DIMS_MAX];
        size_t ndims = 0;
        bool column = !cases[i].column;
        assert_int_equal(smap_dims_parse(dims, &ndims, &column, cases[i].text, &err), SMAP_OK);
        assert_int_equal(ndims, cases[i].ndims);
        assert_memory_equal(dims, cases[i].dims, ndims * sizeof(*dims));
        assert_int_equal(column, cases[i].column);
    }
}

static void test_dims_refused(void **state)
{
    static const char *const cases[][2] = {
        {"", NOT_DIMS},
        {"x", NOT_DIMS},
        {"4x", NOT_DIMS},
        {"x4", NOT_DIMS},
        {"4xx4", NOT_DIMS},
        {"4X4", NOT_DIMS},
        {"4,4", NOT_DIMS},
        {"4*4", NOT_DIMS},
        {"0", NOT_DIMS},
        {"4x0", NOT_DIMS},
        {"-4x4", NOT_DIMS},
        {"+4x4", NOT_DIMS},
        {" 4x4", NOT_DIMS},
        {"4x4 ", NOT_DIMS},
        {"4x 4", NOT_DIMS},
        {"4.0x4", NOT_DIMS},
        {"4294967296x1", NOT_DIMS},
        {"99999999999999999999", NOT_DIMS},
        {"4x4,", NOT_DIMS},
        {"4x4,row", NOT_DIMS},
        {"4x4,columns", NOT_DIMS},
        {"4x4,Column", NOT_DIMS},
        {"4x4,column,column", NOT_DIMS},
        {",column", NOT_DIMS},
        {"1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "more than 16 dimensions"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        uint32_t dims[SMAP_DIMS_MAX];
        size_t ndims;
        bool column;
        if (smap_dims_parse(dims, &ndims, &column, cases[i][0], &err) != SMAP_EINVAL)
            fail_msg("'%s' was taken", cases[i][0]);
        assert_string_equal(err.text, cases[i][1]);
    }
}

static void test_periodic(void **state)
{
    static const char *const refused[][2] = {
        {"", NOT_PERIODIC},     {"2", NOT_PERIODIC},
        {"1,", NOT_PERIODIC},   {",1", NOT_PERIODIC},
        {"10", NOT_PERIODIC},   {"1;0", NOT_PERIODIC},
        {"1, 0", NOT_PERIODIC}, {" 1", NOT_PERIODIC},
        {"1,0 ", NOT_PERIODIC}, {"-1", NOT_PERIODIC},
        {"true", NOT_PERIODIC}, {"1,,0", NOT_PERIODIC},
        {"1x0", NOT_PERIODIC},  {"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "more than 16 dimensions"},
    };
    bool periodic[SMAP_DIMS_MAX];
    size_t count;
    (void)state;
    assert_int_equal(smap_periodic_parse(periodic, &count, "1,0,1", NULL), SMAP_OK);
    assert_int_equal(count, 3);
    assert_true(periodic[0] && !periodic[1] && periodic[2]);
    assert_int_equal(smap_periodic_parse(periodic, &count, "0", NULL), SMAP_OK);
    assert_int_equal(count, 1);
    assert_false(periodic[0]);
    assert_int_equal(smap_periodic_parse(periodic, &count, "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0", NULL),
                     SMAP_OK);
    assert_int_equal(count, 16);
    assert_true(periodic[14] && !periodic[15]);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct smap_error err = {""};
        if (smap_periodic_parse(periodic, &count, refused[i][0], &err) != SMAP_EINVAL)
            fail_msg("'%s' was taken", refused[i][0]);
        assert_string_equal(err.text, refused[i][1]);
    }
}

static void test_init(void **state)
{
    static const uint32_t ones[SMAP_DIMS_MAX + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                     1, 1, 1, 1, 1, 1, 1, 1};
    static const struct {
        size_t ndims;
        uint32_t dims[4];
        uint32_t cells; /* 0: refused */
        const char *text;
    } cases[] = {
        {1, {UINT32_MAX}, UINT32_MAX, "4294967295"},
        {2, {65537, 65535}, UINT32_MAX, "65537x65535"},
        {3, {12, 11, 8}, 1056, "12x11x8"},
        {4, {1, 2, 3, 4}, 24, "1x2x3x4"},
        {2, {65536, 65536}, 0, "more than 4294967295 cells"},
        {2, {UINT32_MAX, UINT32_MAX}, 0, "more than 4294967295 cells"},
        {4, {65536, 65536, 65536, 65536}, 0, "more than 4294967295 cells"}, /* 2^64 */
        {3, {3, 0, 3}, 0, "dimension 1 has size 0"},
        {0, {1}, 0, "0 dimensions, the limit is 1 to 16"},
    };
    struct smap_error err = {""};
    struct smap_grid grid;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int rc = smap_grid_init(&grid, cases[i].ndims, cases[i].dims, NULL, &err);
        assert_int_equal(rc, cases[i].cells ? SMAP_OK : SMAP_EINVAL);
        if (rc != SMAP_OK) {
            assert_string_equal(err.text, cases[i].text);
            continue;
        }
        char *text = smap_dims_format(grid.dims, grid.ndims, false);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(grid.cells, cases[i].cells);
        for (size_t k = 0; k < SMAP_DIMS_MAX; k++)
            assert_false(grid.periodic[k]);
        free(text);
    }
    assert_int_equal(smap_grid_init(&grid, SMAP_DIMS_MAX, ones, NULL, &err), SMAP_OK);
    assert_int_equal(smap_grid_init(&grid, SMAP_DIMS_MAX + 1, ones, NULL, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "17 dimensions, the limit is 1 to 16");
}

/* Cells in nested loops, the last dimension fastest: an odometer counts along. */
static void test_cells(void **state)
{
    uint64_t seed = 8;
    (void)state;
    for (int round = 0; round < 500; round++) {
        struct smap_grid grid;
        uint32_t dims[SMAP_DIMS_MAX], odometer[SMAP_DIMS_MAX] = {0};
        bool periodic[SMAP_DIMS_MAX];
        size_t ndims = unit_between(&seed, 1, 7);
        for (size_t i = 0; i < ndims; i++) {
            dims[i] = unit_between(&seed, 1, ndims < 3 ? 30 : 4);
            periodic[i] = unit_between(&seed, 0, 1);
        }
        assert_int_equal(smap_grid_init(&grid, ndims, dims, periodic, NULL), SMAP_OK);
        assert_memory_equal(grid.periodic, periodic, ndims * sizeof(*periodic));
        for (uint32_t cell = 0; cell < grid.cells; cell++) {
            uint32_t coords[SMAP_DIMS_MAX];
            smap_grid_coords(coords, &grid, cell);
            assert_memory_equal(coords, odometer, ndims * sizeof(*coords));
            assert_int_equal(smap_grid_cell(&grid, coords), cell);
            for (size_t i = ndims; i-- > 0;) {
                if (++odometer[i] < dims[i])
                    break;
                odometer[i] = 0;
            }
        }
    }
}

static void test_cells_at_the_limit(void **state)
{
    struct smap_grid grid;
    uint32_t coords[2];
    (void)state;
    assert_int_equal(smap_grid_init(&grid, 2, (const uint32_t[]){65537, 65535}, NULL, NULL),
                     SMAP_OK);
    smap_grid_coords(coords, &grid, UINT32_MAX - 1);
    assert_int_equal(coords[0], 65536);
    assert_int_equal(coords[1], 65534);
    assert_int_equal(smap_grid_cell(&grid, coords), UINT32_MAX - 1);
}

/* What is written is read again. */
static void test_round_trip(void **state)
{
    uint64_t seed = 9;
    (void)state;
    for (int round = 0; round < 500; round++) {
        struct smap_grid grid;
        uint32_t dims[SMAP_DIMS_MAX], again[SMAP_DIMS_MAX];
        size_t ndims = unit_between(&seed, 1, SMAP_DIMS_MAX), count;
        bool column;
        for (size_t i = 0; i < ndims; i++)
            dims[i] = unit_between(&seed, 1, 4);
        assert_int_equal(smap_grid_init(&grid, ndims, dims, NULL, NULL), SMAP_OK);
        char *text = smap_dims_format(grid.dims, grid.ndims, false);
        assert_int_equal(smap_dims_parse(again, &count, &column, text, NULL), SMAP_OK);
        assert_int_equal(count, ndims);
        assert_false(column);
        assert_memory_equal(again, dims, ndims * sizeof(*dims));
        free(text);
    }
}

/* From one cell of 4x5, of which the second dimension is a ring: the neighbour, or -1. */
static void test_neighbour(void **state)
{
    static const struct {
        uint32_t coords[2];
        int32_t offset[2];
        int there, back; /* with sign 1 and -1 */
    } cases[] = {
        {{1, 2}, {0, 0}, 7, 7},   {{1, 2}, {1, 0}, 12, 2},        {{0, 2}, {1, -1}, 6, -1},
        {{3, 2}, {1, 0}, -1, 12}, {{1, 4}, {0, 1}, 5, 8},         {{1, 0}, {0, -2}, 8, 7},
        {{1, 0}, {0, 5}, 5, 5},   {{1, 0}, {0, -13}, 7, 8},       {{2, 3}, {2, 1}, -1, 2},
        {{0, 0}, {4, 0}, -1, -1}, {{2, 1}, {0, 1000000}, 11, 11}, {{2, 1}, {-1000000, 0}, -1, -1},
    };
    struct smap_grid grid;
    (void)state;
    assert_int_equal(
        smap_grid_init(&grid, 2, (const uint32_t[]){4, 5}, (const bool[]){false, true}, NULL),
        SMAP_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            uint32_t cell;
            bool there = smap_grid_neighbour(&cell, &grid, cases[i].coords, cases[i].offset, sign);
            assert_int_equal(there ? (int)cell : -1, sign > 0 ? cases[i].there : cases[i].back);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dims_parse), cmocka_unit_test(test_dims_refused),
        cmocka_unit_test(test_periodic),   cmocka_unit_test(test_init),
        cmocka_unit_test(test_cells),      cmocka_unit_test(test_cells_at_the_limit),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
