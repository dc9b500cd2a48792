/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders of random hierarchies against the definition, and against Slurm's own distributions. */
#include "unit_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order_metrics.h"
#include "order/order_nodes.h"

/* Bare numbers. */
static struct smap_hierarchy of_numbers(const uint64_t arity[], size_t count, size_t node_levels)
{
    char text[SMAP_LEVELS_MAX * 22] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRIu64, i ? "," : "",
                                 arity[i]);
    return hierarchy(text, node_levels);
}

static struct smap_hierarchy random_hierarchy(uint64_t *seed, size_t most_levels, uint32_t arity)
{
    uint64_t a[SMAP_LEVELS_MAX];
    size_t count = unit_between(seed, 1, (uint32_t)most_levels);
    for (size_t i = 0; i < count; i++)
        a[i] = unit_between(seed, 1, arity);
    return of_numbers(a, count, unit_between(seed, 0, (uint32_t)count));
}

/* 1 + levels crossed, by coordinates. */
static uint64_t distance(const struct smap_hierarchy *h, uint64_t a, uint64_t b)
{
    uint64_t x[SMAP_LEVELS_MAX];
    uint64_t y[SMAP_LEVELS_MAX];
    smap_hierarchy_coordinates(x, h, a);
    smap_hierarchy_coordinates(y, h, b);
    for (size_t i = 0; i < h->count; i++)
        if (x[i] != y[i])
            return h->count - i;
    return 0;
}

/* Algorithm 3 to the letter, ring and pairs by definition, for all orders of random hierarchies. */
static void test_brute_force(void **state)
{
    uint64_t seed = 20231112;
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct smap_hierarchy h = random_hierarchy(&seed, 4, 5);
        uint64_t leaves = smap_hierarchy_product(&h);
        uint64_t list[625];
        uint64_t cores[625];
        struct smap_orders all;
        for (smap_orders_begin(&all, h.count); smap_orders_next(&all);) {
            uint32_t size = unit_between(&seed, 1, (uint32_t)leaves);
            for (uint64_t c = 0; c < leaves; c++) {
                uint64_t r = smap_order_new_rank(&h, &all.order, c);
                assert_true(r < leaves);
                assert_int_equal(smap_order_core(&h, &all.order, r), c);
                if (r < size)
                    list[r] = c;
            }
            assert_int_equal(smap_order_cores(cores, size, &h, &all.order, NULL), SMAP_OK);
            assert_memory_equal(list, cores, size * sizeof(list[0]));

            uint64_t ring = 0;
            uint64_t expected = 0;
            uint64_t pairs[SMAP_LEVELS_MAX] = {0};
            double percent[SMAP_LEVELS_MAX];
            for (uint32_t a = 0; a + 1 < size; a++)
                expected += distance(&h, list[a], list[a + 1]);
            for (uint32_t a = 0; a < size; a++)
                for (uint32_t b = 0; b < a; b++)
                    pairs[distance(&h, list[a], list[b]) - 1]++;
            assert_int_equal(smap_order_ring_cost(&ring, &h, &all.order, size, NULL), SMAP_OK);
            assert_int_equal(ring, expected);
            assert_int_equal(smap_order_pair_percent(percent, &h, &all.order, size, NULL), SMAP_OK);
            for (size_t l = 0; l < h.count; l++) {
                double all_pairs = size > 1 ? size * (size - 1.0) / 2 : 1.0;
                assert_true(fabs(percent[l] - 100.0 * (double)pairs[l] / all_pairs) < 1e-9);
            }
            struct smap_order inside = smap_order_inside_node(&all.order, h.node_levels);
            assert_int_equal(inside.count, h.count - h.node_levels);
        }
    }
}

/* The tasks of one node, in the order of their ranks, walk through the node's own order. */
static void test_inside_node(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int round = 0; round < 100; round++) {
        struct smap_hierarchy h = random_hierarchy(&seed, 5, 4);
        struct smap_hierarchy inside = smap_hierarchy_inside_node(&h);
        uint64_t leaves = smap_hierarchy_product(&h);
        uint64_t per_node = smap_hierarchy_product(&inside);
        uint64_t *local = calloc(leaves / per_node, sizeof(*local));
        struct smap_orders all;
        smap_orders_begin(&all, h.count);
        for (uint32_t skip = unit_between(&seed, 1, 20); skip && smap_orders_next(&all); skip--)
            continue;
        struct smap_order inner = smap_order_inside_node(&all.order, h.node_levels);
        for (uint64_t r = 0; r < leaves; r++) {
            uint64_t core = smap_order_core(&h, &all.order, r);
            uint64_t node = core / per_node;
            assert_int_equal(smap_order_core(&inside, &inner, local[node]), core % per_node);
            local[node]++;
        }
        free(local);
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Where Slurm puts rank r of a full machine, nodes x sockets x cores, one task per core: the layout
 * of its dist_tasks.c, retold. */
static uint64_t slurm_core(const char *word, uint64_t plane, const uint64_t a[3], uint64_t r)
{
    uint64_t per_node = a[1] * a[2];
    uint64_t node = r / per_node;
    uint64_t local = r % per_node;
    if (word[0] == 'c') {
        node = r % a[0];
        local = r / a[0];
    } else if (word[0] == 'p') {
        node = r / plane % a[0];
        local = r / plane / a[0] * plane + r % plane;
    }
    const char *second = strchr(word, ':');
    if (second && second[1] == 'c')
        local = local % a[1] * a[2] + local / a[1];
    return node * per_node + local;
}

static bool slurm_equals(const char *word, const struct smap_hierarchy *h,
                         const struct smap_order *o, const uint64_t a[3])
{
    uint64_t plane = word[0] == 'p' ? strtoull(strchr(word, '=') + 1, NULL, 10) : 1;
    for (uint64_t r = 0; r < a[0] * a[1] * a[2]; r++)
        if (slurm_core(word, plane, a, r) != smap_order_core(h, o, r))
            return false;
    return true;
}

static void test_distributions(void **state)
{
    static const char *const words[] = {"block:block", "block:cyclic", "cyclic:block",
                                        "cyclic:cyclic"};
    uint64_t seed = 4711;
    (void)state;
    for (int round = 0; round < 200; round++) {
        uint64_t a[4];
        for (int i = 0; i < 4; i++)
            a[i] = unit_between(&seed, 1, 4);
        struct smap_hierarchy h = of_numbers(a, 4, 1);
        a[2] *= a[3]; /* Slurm sees the cores of a socket only */
        struct smap_orders all;
        for (smap_orders_begin(&all, 4); smap_orders_next(&all);) {
            char text[32];
            smap_order_distribution(text, &h, &all.order);
            if (text[0]) {
                assert_true(slurm_equals(text, &h, &all.order, a));
                continue;
            }
            for (size_t w = 0; w < COUNT(words); w++)
                assert_false(slurm_equals(words[w], &h, &all.order, a));
            for (uint64_t plane = 1; plane <= a[1] * a[2]; plane++) {
                snprintf(text, sizeof(text), "plane=%" PRIu64, plane);
                assert_false(a[1] * a[2] % plane == 0 && slurm_equals(text, &h, &all.order, a));
            }
        }
    }
    /* Section 4.2: Slurm's default on Hydra. */
    char text[32];
    struct smap_hierarchy hydra = hierarchy("node:32,socket:2,fake:2,core:8", 0);
    struct smap_order slurm_default = order("1-3-2-0", &hydra);
    smap_order_distribution(text, &hydra, &slurm_default);
    assert_string_equal(text, "block:cyclic");
}

static void test_all_orders(void **state)
{
    static const size_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    (void)state;
    for (size_t n = 0; n < COUNT(factorial); n++) {
        struct smap_orders all;
        size_t count = 0;
        uint64_t *seen = calloc(factorial[n], sizeof(*seen));
        for (smap_orders_begin(&all, n); smap_orders_next(&all);) {
            unsigned levels = 0;
            assert_true(count < factorial[n]);
            for (size_t i = 0; i < n; i++) {
                levels |= 1u << all.order.level[i];
                seen[count] = seen[count] * 16 + all.order.level[i];
            }
            assert_int_equal(levels, (1u << n) - 1);
            count++;
        }
        assert_int_equal(count, factorial[n]);
        qsort(seen, count, sizeof(*seen), by_value);
        for (size_t i = 1; i < count; i++)
            assert_true(seen[i] != seen[i - 1]);
        free(seen);
    }
}

static void test_sizes(void **state)
{
    struct smap_hierarchy h = hierarchy("2,2", 0);
    struct smap_hierarchy large = hierarchy("1048576,1048576,1048576", 0);
    struct smap_order o = smap_order_natural(2);
    struct smap_order l = smap_order_natural(3);
    struct smap_error err;
    uint64_t value;
    double percent[2];
    (void)state;
    assert_int_equal(smap_order_ring_cost(&value, &h, &o, 0, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a communicator of 0 ranks; 1 to 4 are possible");
    assert_int_equal(smap_order_pair_percent(percent, &h, &o, 5, NULL), SMAP_EINVAL);
    assert_int_equal(smap_order_pair_percent(percent, &large, &l, UINT64_C(1) << 33, NULL),
                     SMAP_ENOTSUP);
    assert_int_equal(smap_order_ring_cost(&value, &large, &l, UINT64_C(1) << 60, NULL), SMAP_OK);
    assert_true(value ==
                (UINT64_C(1) << 60) - 1 + (UINT64_C(1) << 40) - 1 + (UINT64_C(1) << 20) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),   cmocka_unit_test(test_inside_node),
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_all_orders),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
