/* SPDX-License-Identifier: BSD-3-Clause */
/* Two lines: a hierarchy (--rank-hierarchy) and an order (--rank-order). */
#include "fuzz.h"
#include "order/order_metrics.h"

enum { CORES = 200 };

static void check_hierarchy(const struct smap_hierarchy *h)
{
    struct smap_hierarchy again;
    char *text = smap_hierarchy_format(h);
    REQUIRE(h->count >= 1 && h->count <= SMAP_LEVELS_MAX && h->node_levels <= h->count);
    REQUIRE(smap_hierarchy_product(h) >= 1);
    REQUIRE(text && smap_hierarchy_parse(&again, text, NULL) == SMAP_OK);
    REQUIRE(again.count == h->count && again.node_levels == h->node_levels);
    for (size_t i = 0; i < h->count; i++)
        REQUIRE(again.level[i].arity == h->level[i].arity &&
                strcmp(again.level[i].name, h->level[i].name) == 0);
    free(text);
}

static void check_permutation(const struct smap_order *order, size_t count)
{
    unsigned seen = 0;
    REQUIRE(order->count == count);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(order->level[i] < count && !(seen & 1u << order->level[i]));
        seen |= 1u << order->level[i];
    }
}

static void check_cores(const struct smap_hierarchy *h, const struct smap_order *order)
{
    uint64_t core[CORES], leaves = smap_hierarchy_product(h), cost;
    size_t count = leaves < CORES ? (size_t)leaves : CORES;
    double percent[SMAP_LEVELS_MAX];
    REQUIRE(smap_order_cores(core, count, h, order, NULL) == SMAP_OK);
    for (size_t r = 0; r < count; r++) {
        REQUIRE(core[r] < leaves);
        REQUIRE(smap_order_core(h, order, r) == core[r]);
        REQUIRE(smap_order_new_rank(h, order, core[r]) == r);
    }
    (void)smap_order_ring_cost(&cost, h, order, count, NULL);
    (void)smap_order_pair_percent(percent, h, order, count, NULL);
}

static void check_order(const char *text, const struct smap_hierarchy *h,
                        const struct smap_order *order)
{
    struct smap_order again;
    char distribution[32];
    check_permutation(order, h->count);
    char *numbers = smap_order_format(order);
    REQUIRE(numbers);
    /* Levels outside of "node" may have any name; without the hierarchy nobody knows them. */
    if (h->node_levels <= 1)
        REQUIRE(smap_order_check(NULL, text, NULL) == SMAP_OK);
    REQUIRE(smap_order_parse(&again, numbers, h, NULL) == SMAP_OK);
    REQUIRE(memcmp(again.level, order->level, h->count) == 0);
    check_cores(h, order);
    smap_order_distribution(distribution, h, order);
    REQUIRE(memchr(distribution, '\0', sizeof(distribution)));
    free(numbers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text;
    const char *hierarchy_text = fuzz_line(&rest), *order_text = fuzz_line(&rest);
    struct smap_error err = {""};
    struct smap_hierarchy h[2];
    struct smap_order order;
    order_text = order_text ? order_text : "";
    if (smap_order_check(NULL, order_text, &err) != SMAP_OK)
        fuzz_check_error(err.text, sizeof(err.text));
    err.text[0] = '\0';
    if (smap_hierarchy_parse(&h[0], hierarchy_text ? hierarchy_text : "", &err) != SMAP_OK) {
        fuzz_check_error(err.text, sizeof(err.text));
        free(text);
        return 0;
    }
    check_hierarchy(&h[0]);
    h[1] = smap_hierarchy_inside_node(&h[0]); /* no levels: no order asks for them */
    for (int inside = 0; inside < 2 && h[inside].count > 0; inside++) {
        err.text[0] = '\0';
        if (smap_order_parse(&order, order_text, &h[inside], &err) == SMAP_OK)
            check_order(order_text, &h[inside], &order);
        else
            fuzz_check_error(err.text, sizeof(err.text));
    }
    free(text);
    return 0;
}
