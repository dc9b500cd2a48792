/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank is on which node in a few rows: joined in random trees, it is the table again. */
#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "step/nodemap.h"

#define RANKS 600

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return smap_random_below((uint32_t)(smap_random(state) >> 32), below);
}

/* Keys that are in no order of the nodes. */
static uint64_t key_of(uint32_t node)
{
    return (node + 1) * SMAP_GOLDEN;
}

/* The rows of ranks [begin, end), joined in a random tree. */
static size_t join(struct smap_row rows[], const uint32_t node[], uint32_t begin, uint32_t end,
                   uint64_t *state)
{
    struct smap_row left[RANKS], right[RANKS];
    if (end - begin == 1) {
        rows[0] = (struct smap_row){key_of(node[begin]), begin, 1, 0, 1};
        return 1;
    }
    uint32_t middle = begin + 1 + draw(state, end - begin - 1);
    const struct smap_rows l = {left, join(left, node, begin, middle, state)};
    const struct smap_rows r = {right, join(right, node, middle, end, state)};
    struct smap_rows joined = {rows, RANKS};
    assert_true(smap_rows_join(&joined, &l, &r));
    return joined.count;
}

/* Against the table; returns the number of rows. */
static size_t check(const uint32_t node[], uint32_t ranks, uint64_t seed)
{
    struct smap_row rows[RANKS];
    uint32_t number[RANKS], slots[RANKS] = {0}, table[RANKS], nodes = 0, slot = 0;
    uint64_t state = smap_random_state(seed);
    struct smap_nodemap *map = NULL;
    size_t count = join(rows, node, 0, ranks, &state);
    assert_int_equal(smap_nodemap_create(&map, rows, count, NULL), SMAP_OK);
    memset(number, 0xff, sizeof(number));
    smap_nodemap_positions(table, map);
    for (uint32_t r = 0; r < ranks; r++) {
        if (number[node[r]] == UINT32_MAX)
            number[node[r]] = nodes++;
        uint32_t want = number[node[r]];
        assert_int_equal(smap_nodemap_node(map, r, &slot), want);
        assert_int_equal(slot, slots[want]++);
    }
    const struct smap_nodesizes *sizes = smap_nodemap_sizes(map);
    memset(slots, 0, sizeof(slots));
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t on = number[node[r]];
        assert_int_equal(table[r], smap_nodesizes_first(sizes, on) + slots[on]++);
    }
    assert_int_equal(smap_nodesizes_nodes(sizes), nodes);
    for (uint32_t i = 0; i < nodes; i++)
        assert_int_equal(smap_nodesizes_size(sizes, i), slots[i]);
    smap_nodemap_destroy(map);
    return count;
}

/* What Slurm and mpirun do comes to one row a node, or one for every size that nodes have. */
static void test_regular(void **state)
{
    uint32_t node[RANKS];
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        for (uint32_t r = 0; r < RANKS; r++)
            node[r] = r / 25;
        assert_int_equal(check(node, RANKS, seed), 24);
        for (uint32_t r = 0; r < RANKS; r++)
            node[r] = r % 24;
        assert_int_equal(check(node, RANKS, seed), 24);
        for (uint32_t r = 0; r < RANKS; r++)
            node[r] = r / 5 % 24;
        assert_int_equal(check(node, RANKS, seed), 24);
        for (uint32_t r = 0; r < RANKS; r++) /* boxes of 5x5 in 30x20 */
            node[r] = r / 100 * 4 + r % 20 / 5;
        assert_int_equal(check(node, RANKS, seed), 24);
        for (uint32_t r = 0; r < RANKS; r++) /* cyclic; then 12 of the 24 are full */
            node[r] = r < 240 ? r % 24 : (r - 240) % 12;
        assert_in_range(check(node, RANKS, seed), 24, 36);
        assert_int_equal(check(node, 1, seed), 1);
    }
}

static void test_random(void **state)
{
    uint32_t node[RANKS];
    uint64_t random = smap_random_state(4);
    (void)state;
    for (int i = 0; i < 400; i++) {
        uint32_t ranks = 1 + draw(&random, RANKS), nodes = 1 + draw(&random, 20);
        uint32_t stay = draw(&random, 8);
        for (uint32_t r = 0; r < ranks; r++)
            node[r] = r > 0 && draw(&random, stay + 1) > 0 ? node[r - 1] : draw(&random, nodes);
        check(node, ranks, (uint64_t)i);
    }
}

/* The table is never longer than allowed. */
static void test_capacity(void **state)
{
    struct smap_row one[] = {{1, 0, 1, 0, 1}}, two[] = {{2, 1, 1, 0, 1}}, both[2];
    struct smap_rows left = {one, 1}, right = {two, 1}, joined = {both, 2}, none = {NULL, 0};
    (void)state;
    assert_true(smap_rows_join(&joined, &left, &right));
    assert_int_equal(joined.count, 2);
    joined.count = 1;
    assert_false(smap_rows_join(&joined, &left, &right));
    joined.count = 1;
    assert_true(smap_rows_join(&joined, &none, &right));
    assert_int_equal(joined.count, 1);
    two[0].key = 1;
    assert_true(smap_rows_join(&joined, &left, &right));
    assert_int_equal(joined.count, 1);
    assert_int_equal(both[0].block, 2);
}

static void test_refused(void **state)
{
    static const struct smap_row wrong[][2] = {
        {{1, 1, 2, 0, 1}, {2, 3, 2, 0, 1}},          /* not from 0 on */
        {{1, 0, 2, 0, 1}, {2, 3, 2, 0, 1}},          /* a gap */
        {{1, 0, 0, 0, 1}, {2, 0, 2, 0, 1}},          /* nothing */
        {{1, 0, 2, 1, 2}, {2, 4, 2, 0, 1}},          /* blocks that overlap */
        {{1, 0, 1, 4, 0}, {2, 0, 2, 0, 1}},          /* no blocks */
        {{1, 0, UINT32_MAX, 0, 1}, {2, 0, 2, 0, 1}}, /* too many */
    };
    struct smap_nodemap *map = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(smap_nodemap_create(&map, wrong[i], 2, NULL), SMAP_EINVAL);
    assert_int_equal(smap_nodemap_create(&map, NULL, 0, NULL), SMAP_EINVAL);
    smap_nodemap_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
