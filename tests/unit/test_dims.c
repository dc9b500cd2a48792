/* SPDX-License-Identifier: BSD-3-Clause */
/* The balanced factorization: published and reported cases, all small numbers by brute force, and
 * numbers at the upper limit. */
#include "unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "grid/dims.h"
#include "grid/grid.h"

static void test_known(void **state)
{
    static const struct {
        uint32_t p;
        size_t d;
        uint32_t dims[SMAP_DIMS_MAX];
    } known[] = {
        /* reported against MPI libraries, and the paper's own examples */
        {25, 2, {5, 5}},
        {16, 3, {4, 2, 2}},
        {72, 2, {9, 8}},
        {432, 3, {9, 8, 6}},
        {1800, 4, {9, 8, 5, 5}},
        {28, 2, {7, 4}},
        {361, 2, {19, 19}},
        {524137, 2, {941, 557}},
        {9945, 2, {117, 85}},
        {2400, 2, {50, 48}},
        {1056, 3, {12, 11, 8}},
        {100000, 5, {10, 10, 10, 10, 10}},
        /* nothing to divide */
        {1, 1, {1}},
        {1, 3, {1, 1, 1}},
        {7, 1, {7}},
        {7, 2, {7, 1}},
        {7919, 3, {7919, 1, 1}},
        {2, 16, {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
        /* up to the limit */
        {UINT32_MAX, 1, {UINT32_MAX}},
        {UINT32_MAX, 2, {65537, 65535}},
        {UINT32_MAX, 3, {65537, 257, 255}},
        {UINT32_MAX, 4, {65537, 257, 17, 15}},
        {4294967294, 2, {2147483647, 2}},
        {4294967291, 2, {4294967291, 1}}, /* the largest prime */
        {4294836225, 2, {65535, 65535}},
        {2147483648, 2, {65536, 32768}},
        {2147483648, 5, {128, 64, 64, 64, 64}},
        {2147483648, 16, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2}},
        {3486784401, 16, {9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
        {3491888400, 3, {1540, 1530, 1482}},
        {3491888400, 5, {90, 85, 78, 77, 76}},
        {4227022800, 4, {260, 255, 253, 252}},
        {4294967040, 6, {241, 34, 30, 28, 26, 24}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        uint32_t dims[SMAP_DIMS_MAX];
        smap_dims_balanced(dims, known[i].p, known[i].d);
        for (size_t k = 0; k < known[i].d; k++)
            if (dims[k] != known[i].dims[k])
                fail_msg("%" PRIu32 " in %zu: factor %zu is %" PRIu32 ", not %" PRIu32, known[i].p,
                         known[i].d, k, dims[k], known[i].dims[k]);
    }
}

/* The criterion of the header, over every list of factors, largest first. */
struct brute {
    size_t d;
    uint32_t list[SMAP_DIMS_MAX], best[SMAP_DIMS_MAX];
    bool found;
};

static void enumerate(struct brute *b, size_t depth, uint32_t rest, uint32_t largest)
{
    if (depth == b->d) {
        if (rest != 1)
            return;
        uint32_t spread = b->list[0] - b->list[b->d - 1];
        uint32_t best_spread = b->best[0] - b->best[b->d - 1];
        bool better = !b->found || spread < best_spread;
        if (b->found && spread == best_spread)
            for (size_t i = 0; i < b->d; i++)
                if (b->list[i] != b->best[i]) {
                    better = b->list[i] < b->best[i];
                    break;
                }
        if (better)
            memcpy(b->best, b->list, sizeof(b->best));
        b->found = true;
        return;
    }
    for (uint32_t f = 1; f <= largest && f <= rest; f++) {
        if (rest % f)
            continue;
        b->list[depth] = f;
        enumerate(b, depth + 1, rest / f, f);
    }
}

static void test_all_small(void **state)
{
    (void)state;
    for (uint32_t p = 1; p <= 3000; p++) {
        for (size_t d = 1; d <= (p <= 300 ? SMAP_DIMS_MAX : 4); d++) {
            struct brute b = {.d = d};
            uint32_t dims[SMAP_DIMS_MAX];
            enumerate(&b, 0, p, p);
            smap_dims_balanced(dims, p, d);
            if (memcmp(dims, b.best, d * sizeof(*dims)) != 0)
                fail_msg("%" PRIu32 " in %zu: begins with %" PRIu32 ", not %" PRIu32, p, d, dims[0],
                         b.best[0]);
        }
    }
}

/* What is given stays, and the rest is as balanced as if it were all. */
static void test_fill(void **state)
{
    static const struct {
        uint32_t p;
        size_t d;
        uint32_t dims[SMAP_DIMS_MAX], want[SMAP_DIMS_MAX];
    } known[] = {
        /* MPI 4.0, section 8.5.2, example 8.1 */
        {6, 2, {0, 0}, {3, 2}},
        {7, 2, {0, 0}, {7, 1}},
        {6, 3, {0, 3, 0}, {2, 3, 1}},
        {84, 3, {0, 7, 0}, {4, 7, 3}},
        {84, 3, {2, 7, 0}, {2, 7, 6}},
        {84, 3, {2, 7, 6}, {2, 7, 6}},
        {84, 2, {2, 7}, {2, 7}},
        {UINT32_MAX, 3, {0, 65537, 0}, {257, 65537, 255}},
        {1, 4, {0, 1, 0, 1}, {1, 1, 1, 1}},
        {12, 0, {0}, {0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        uint32_t dims[SMAP_DIMS_MAX];
        memcpy(dims, known[i].dims, sizeof(dims));
        assert_int_equal(smap_dims_fill(dims, known[i].p, known[i].d, NULL), SMAP_OK);
        assert_memory_equal(dims, known[i].want, known[i].d * sizeof(*dims));
    }
}

static void test_fill_refuses(void **state)
{
    static const struct {
        uint32_t p;
        size_t d;
        uint32_t dims[SMAP_DIMS_MAX];
    } wrong[] = {
        {6, 3, {0, 4, 0}},
        {12, 2, {5, 0}},
        {12, 2, {24, 0}},
        {12, 3, {4, 2, 0}},
        {12, 3, {65536, 65536, 0}}, /* the product is 0 in 32 bits */
        {12, 2, {UINT32_MAX, UINT32_MAX}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct smap_error err = {""};
        uint32_t dims[SMAP_DIMS_MAX];
        memcpy(dims, wrong[i].dims, sizeof(dims));
        assert_int_equal(smap_dims_fill(dims, wrong[i].p, wrong[i].d, &err), SMAP_EINVAL);
        assert_non_null(strstr(err.text, "do not divide"));
        assert_memory_equal(dims, wrong[i].dims, sizeof(dims));
    }
}

/* Every place for what is given, against the balanced rest. */
static void test_fill_small(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t d = unit_between(&seed, 1, 6), free_dims = 0;
        uint32_t dims[SMAP_DIMS_MAX], given[SMAP_DIMS_MAX], want[SMAP_DIMS_MAX];
        uint32_t rest = unit_between(&seed, 1, 500), p = rest;
        for (size_t i = 0; i < d; i++) {
            given[i] = unit_between(&seed, 0, 2) ? 0 : unit_between(&seed, 1, 9);
            free_dims += given[i] == 0;
            p *= given[i] ? given[i] : 1;
        }
        memcpy(dims, given, sizeof(dims));
        assert_int_equal(smap_dims_fill(dims, p, d, NULL), SMAP_OK);
        if (free_dims)
            smap_dims_balanced(want, rest, free_dims);
        for (size_t i = 0, k = 0; i < d; i++)
            assert_int_equal(dims[i], given[i] ? given[i] : want[k++]);
    }
}

/* Large numbers of all kinds: factors of p, sorted; in 2-D nothing lies between them and the
 * root. A search without its bounds would not come back from this. */
static void test_large(void **state)
{
    uint64_t seed = 31;
    clock_t start = clock();
    (void)state;
    for (int round = 0; round < 300; round++) {
        uint64_t p = 1;
        if (round % 3 == 0)
            p = UINT32_MAX - unit_between(&seed, 0, 100000);
        else
            while (p * 13 <= UINT32_MAX)
                p *= round % 3 == 1 ? unit_between(&seed, 2, 13) : unit_between(&seed, 1, 3);
        size_t d = unit_between(&seed, 2, SMAP_DIMS_MAX);
        uint32_t dims[SMAP_DIMS_MAX], pair[2];
        uint64_t product = 1;
        smap_dims_balanced(dims, (uint32_t)p, d);
        for (size_t i = 0; i < d; i++) {
            assert_true(i == 0 || dims[i] <= dims[i - 1]);
            product *= dims[i];
        }
        assert_int_equal(product, p);
        smap_dims_balanced(pair, (uint32_t)p, 2);
        assert_int_equal((uint64_t)pair[0] * pair[1], p);
        for (uint64_t f = (uint64_t)pair[1] + 1; f * f <= p; f++)
            assert_true(p % f != 0);
    }
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_all_small),
        cmocka_unit_test(test_fill),       cmocka_unit_test(test_fill_refuses),
        cmocka_unit_test(test_fill_small), cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
