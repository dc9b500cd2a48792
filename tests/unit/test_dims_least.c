/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids that divide a lattice: known ones, all small ones by brute force, refusals, and numbers
 * with as many divisors as there can be. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "grid/dims.h"
#include "grid/grid.h"

static void test_known(void **state)
{
    static const struct {
        uint32_t p;
        size_t d;
        uint32_t lattice[SMAP_DIMS_MAX], patch[SMAP_DIMS_MAX], fixed[SMAP_DIMS_MAX];
        uint32_t want[SMAP_DIMS_MAX];
    } known[] = {
        {64, 3, {64, 64, 64}, {1, 1, 1}, {0}, {4, 4, 4}},
        {2, 4, {18, 18, 18, 36}, {1, 1, 1, 1}, {0}, {1, 1, 1, 2}},
        {54, 4, {18, 18, 18, 36}, {4, 4, 4, 4}, {0}, {3, 3, 2, 3}},
        {16, 3, {32, 32, 128}, {1, 1, 1}, {0}, {2, 2, 4}},
        {16, 3, {32, 32, 128}, {16, 32, 8}, {0}, {2, 1, 8}},
        {16, 3, {32, 32, 128}, {1, 1, 1}, {1, 0, 0}, {1, 2, 8}},
        {7, 1, {7}, {1}, {0}, {7}},
        {1, 2, {5, 7}, {5, 7}, {0}, {1, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct smap_dims_rules rules = {known[i].p, known[i].d, known[i].fixed,
                                              known[i].lattice, known[i].patch};
        uint32_t dims[SMAP_DIMS_MAX];
        assert_int_equal(smap_dims_lattice(dims, &rules, NULL), SMAP_OK);
        for (size_t k = 0; k < known[i].d; k++)
            if (dims[k] != known[i].want[k])
                fail_msg("case %zu: size %zu is %" PRIu32 ", not %" PRIu32, i, k, dims[k],
                         known[i].want[k]);
    }
}

/* The best of all lists, by the surface of a patch. */
struct brute {
    const struct smap_dims_rules *rules;
    uint32_t list[4], best[4];
    uint64_t surface;
    bool found;
};

static void enumerate(struct brute *b, size_t i, uint32_t rest)
{
    const struct smap_dims_rules *r = b->rules;
    if (i < r->d) {
        for (uint32_t f = 1; f <= rest; f++) {
            b->list[i] = f;
            if (rest % f == 0 && r->lattice[i] % f == 0 && r->lattice[i] / f >= r->least_patch[i] &&
                (!r->fixed[i] || r->fixed[i] == f))
                enumerate(b, i + 1, rest / f);
        }
        return;
    }
    uint64_t surface = 0;
    for (size_t k = 0; k < r->d; k++) {
        uint64_t face = 1;
        for (size_t j = 0; j < r->d; j++)
            face *= j == k ? 1 : r->lattice[j] / b->list[j];
        surface += face;
    }
    /* later lists are lexicographically larger */
    if (rest != 1 || (b->found && surface > b->surface))
        return;
    memcpy(b->best, b->list, sizeof(b->best));
    b->surface = surface;
    b->found = true;
}

static void test_all_small(void **state)
{
    uint64_t seed = 11;
    int found = 0;
    (void)state;
    for (int round = 0; round < 1500; round++) {
        static const uint32_t sizes[] = {1, 2, 6, 8, 9, 12, 16, 18, 24, 30, 36, 60};
        uint32_t lattice[4], patch[4], fixed[4], dims[4];
        struct smap_dims_rules rules = {1, unit_between(&seed, 1, 4), fixed, lattice, patch};
        struct smap_error err = {""};
        for (size_t i = 0; i < 4; i++) {
            lattice[i] = sizes[unit_between(&seed, 0, 11)];
            patch[i] = unit_between(&seed, 1, lattice[i] < 4 ? lattice[i] : 4);
            fixed[i] = unit_between(&seed, 0, 9) == 0 ? unit_between(&seed, 1, 3) : 0;
        }
        for (size_t i = 0; i < rules.d; i++)
            rules.p *= unit_between(&seed, 1, 4);
        struct brute b = {.rules = &rules};
        enumerate(&b, 0, rules.p);
        int rc = smap_dims_lattice(dims, &rules, &err);
        assert_int_equal(rc, b.found ? SMAP_OK : SMAP_EINVAL);
        assert_true(b.found || err.text[0]);
        if (b.found)
            assert_memory_equal(dims, b.best, rules.d * sizeof(*dims));
        found += b.found;
    }
    assert_true(found > 400 && found < 1400);
}

static void test_refusals(void **state)
{
    static const struct {
        uint32_t p;
        size_t d;
        uint32_t lattice[SMAP_DIMS_MAX], patch[SMAP_DIMS_MAX], fixed[SMAP_DIMS_MAX];
        const char *text;
    } wrong[] = {
        {7,
         4,
         {18, 18, 18, 36},
         {1, 1, 1, 1},
         {0},
         "no grid of 7 tasks divides the lattice into "
         "patches that large; near it, 6 and 8 do"},
        {216,
         4,
         {18, 18, 18, 36},
         {4, 4, 4, 6},
         {0},
         "no grid of 216 tasks divides the lattice "
         "into patches that large; near it, 162 does"},
        {8, 2, {16, 16}, {1, 1}, {0, 3}, "size 3 of dimension 1 does not divide the lattice's 16"},
        {8,
         2,
         {16, 16},
         {1, 4},
         {0, 8},
         "size 8 of dimension 1 leaves patches of 2 points there, "
         "less than 4"},
        {8,
         2,
         {16, 16},
         {1, 17},
         {0},
         "the smallest patch has 17 points in dimension 1, the "
         "lattice 16"},
        {8, 2, {16, 0}, {1, 0}, {0}, "the lattice has size 0 in dimension 1"},
        {12,
         2,
         {16, 16},
         {1, 1},
         {8, 0},
         "the given sizes do not divide 12: 12 is left, and 8 "
         "does not divide that"},
        {8, 3, {1048576, 1048576, 1048576}, {1, 1, 1}, {0}, "a lattice of more than 2^59 points"},
        {8, 17, {1}, {1}, {0}, "17 dimensions, the limit is 1 to 16"},
        {64, 2, {8, 64}, {1, 1}, {16, 0}, "size 16 of dimension 0 does not divide the lattice's 8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const struct smap_dims_rules rules = {wrong[i].p, wrong[i].d, wrong[i].fixed,
                                              wrong[i].lattice, wrong[i].patch};
        struct smap_error err = {""};
        uint32_t dims[SMAP_DIMS_MAX];
        assert_int_equal(smap_dims_lattice(dims, &rules, &err), SMAP_EINVAL);
        assert_string_equal(err.text, wrong[i].text);
        assert_int_equal(smap_dims_lattice(dims, &rules, NULL), SMAP_EINVAL);
    }
}

static void test_divisors(void **state)
{
    static uint32_t divisors[SMAP_DIVISORS_MAX];
    (void)state;
    assert_int_equal(smap_divisors(divisors, 1), 1);
    assert_int_equal(smap_divisors(divisors, 36), 9);
    assert_int_equal(divisors[4], 6);
    assert_int_equal(smap_divisors(divisors, UINT32_MAX), 32);
    assert_int_equal(smap_divisors(divisors, 4294967291), 2);
    assert_int_equal(smap_divisors(divisors, 3491888400), SMAP_DIVISORS_MAX);
    for (size_t i = 0; i < SMAP_DIVISORS_MAX; i++)
        assert_true(UINT32_C(3491888400) % divisors[i] == 0 &&
                    (!i || divisors[i - 1] < divisors[i]));
}

/* Any prices; the most divisors in the most dimensions. */
static void test_prices(void **state)
{
    const struct smap_dims_rules small = {36, 2, NULL, NULL, NULL};
    const struct smap_dims_rules large = {3491888400, 16, NULL, NULL, NULL};
    uint64_t price[16] = {1, 4};
    uint32_t dims[16];
    uint64_t product = 1;
    (void)state;
    assert_int_equal(smap_dims_least(dims, &small, price, NULL), SMAP_OK);
    assert_true(dims[0] == 12 && dims[1] == 3);
    price[0] = 0;
    assert_int_equal(smap_dims_least(dims, &small, price, NULL), SMAP_OK);
    assert_true(dims[0] == 36 && dims[1] == 1);
    for (size_t i = 0; i < 16; i++)
        price[i] = INT32_MAX;
    assert_int_equal(smap_dims_least(dims, &large, price, NULL), SMAP_OK);
    for (size_t i = 0; i < 16; i++) {
        product *= dims[i];
        assert_true(i == 0 || dims[i] <= dims[i - 1]);
    }
    assert_int_equal(product, 3491888400);
    assert_true(dims[0] <= 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),    cmocka_unit_test(test_all_small),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_divisors),
        cmocka_unit_test(test_prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
