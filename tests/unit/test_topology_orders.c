/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold for every order on every machine. STENCILMAP_TEST_TOPOLOGIES names a directory
 * with more XML files. */
#include "unit_topology.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

/* All with a NUMA level: hwloc 2.9 inserts a missing one by an overlapping memcpy. */
static const char *const synthetic[] = {
    "[numa] pu:1",
    "[numa] core:7 pu:1",
    "[numa] pack:2 core:4 pu:1",
    "[numa] pack:2 core:4 pu:2",
    "[numa] pack:1 core:3 pu:4",
    "[numa] pack:8 core:1 pu:1",
    "pack:2 numa:2 core:6 pu:1",
    "pack:2 numa:4 l3:2 core:8 pu:1",
    "pack:2 numa:4 l3:2 core:8 pu:2",
    "[numa] pack:2 die:2 l3:3 core:2 pu:2",
    "[numa] pack:2 die:1 l3:2 core:2 pu:1",
    "numa:4 core:4 pu:1",
    "numa:2 pack:2 core:3 pu:1",
    "numa:2 pack:1 l3:1 l2:1 core:1 pu:2",
    "[numa] group:2 pack:3 l2:2 core:2 pu:1",
    "[numa] group:2 group:3 core:4 pu:1",
    "pack:2 group:2 numa:2 l3:2 l2:2 core:2 pu:1",
    "[numa] pack:4 l3:1 core:18 pu:1",
    "[numa] pack:2 l3:12 core:8 pu:2",
    "[numa] pack:3 l3:5 core:2 pu:1",
    "pack:2 [numa] [numa] core:4 pu:2",
    "[numa] pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)",
    "[numa] pack:2 l2:2 core:2 pu:2(indexes=3,1,0,2,15,14,13,12,4,8,5,9,6,10,7,11)",
};

/* Every allowed cpu once (or in `used` threads of each core), nothing else; a slot's leaves where
 * the sequence of coordinates, slowest level first, says. */
static void check_slots(const struct smap_topology *t, const struct smap_slots *s, size_t cpus,
                        const struct smap_order *order)
{
    bool *seen = calloc(65536, sizeof(*seen));
    assert_int_equal(s->first[s->count], cpus);
    for (size_t c = 0; c < s->first[s->count]; c++) {
        assert_true(s->cpus[c] < 65536 && !seen[s->cpus[c]]);
        assert_true(smap_topology_logical(t, s->cpus[c]) != SIZE_MAX);
        seen[s->cpus[c]] = true;
    }
    for (size_t i = 1; i < s->count; i++) {
        const uint32_t *before = &s->coordinates[(i - 1) * s->levels];
        const uint32_t *here = &s->coordinates[i * s->levels];
        size_t k = order->count - 1;
        while (k > 0 && before[order->level[k]] == here[order->level[k]])
            k--;
        assert_true(before[order->level[k]] < here[order->level[k]]);
    }
    free(seen);
}

/* On a regular machine slot i is leaf core[i] of Algorithm 3, in the machine's own sequence. */
static void check_algorithm3(const struct smap_slots *s, const struct smap_slots *natural,
                             const struct smap_hierarchy *h, const struct smap_order *order)
{
    uint64_t *core = calloc(s->count, sizeof(*core));
    assert_int_equal(smap_order_cores(core, s->count, h, order, NULL), SMAP_OK);
    for (size_t i = 0; i < s->count; i++)
        assert_int_equal(s->cpus[s->first[i]], natural->cpus[natural->first[core[i]]]);
    free(core);
}

static void check_all_orders(const struct smap_topology *t, enum smap_leaf leaf)
{
    struct smap_hierarchy h;
    struct smap_slots natural = {0};
    struct smap_slot_request request = {.leaf = leaf};
    struct smap_error err = {""};
    size_t least;
    size_t most;
    bool regular;
    smap_topology_threads(&least, &most, t);
    int rc = smap_topology_slots(&natural, t, &request, &err);
    if (leaf == SMAP_LEAF_PU && least < most) {
        assert_int_equal(rc, SMAP_ENOTSUP);
        assert_non_null(strstr(err.text, "no level 'pu' here: cores have "));
        return;
    }
    assert_int_equal(rc, SMAP_OK);
    assert_int_equal(smap_topology_hierarchy(&h, &regular, t, leaf, &err), SMAP_OK);
    assert_int_equal(natural.ragged, !regular);
    assert_int_equal(smap_topology_is_regular(t, leaf), regular);
    assert_int_equal(natural.count, leaf == SMAP_LEAF_PU ? smap_topology_cpu_count(t)
                                                         : smap_topology_core_count(t));
    struct smap_orders all;
    for (smap_orders_begin(&all, h.count); smap_orders_next(&all);) {
        struct smap_slots slots = {0};
        char *text = smap_order_format(&all.order);
        request.order = text;
        if (smap_topology_slots(&slots, t, &request, &err))
            fail_msg("%s", err.text);
        assert_int_equal(slots.count, natural.count);
        check_slots(t, &slots, smap_topology_cpu_count(t), &all.order);
        if (regular)
            check_algorithm3(&slots, &natural, &h, &all.order);
        smap_slots_clear(&slots);
        request.strict = true;
        rc = smap_topology_slots(&slots, t, &request, &err);
        assert_int_equal(rc, regular ? SMAP_OK : SMAP_ENOTSUP);
        request.strict = false;
        smap_slots_clear(&slots);
        free(text);
    }
    smap_slots_clear(&natural);
}

/* Random cores and masks: exactly the cpus in both, whatever the order. */
static void check_restricted(const struct smap_topology_source *source, uint64_t *seed)
{
    struct smap_topology *t = load(source);
    struct smap_slot_request request = {.order = "core"};
    struct smap_slots all = {0};
    struct smap_slots part = {0};
    struct smap_error err = {""};
    struct smap_text cores = {0};
    if (smap_topology_slots(&all, t, &request, &err))
        fail_msg("%s", err.text);
    unsigned *mask = calloc(all.first[all.count] + 2, sizeof(*mask));
    unsigned *both = calloc(all.first[all.count], sizeof(*both));
    size_t masked = 0;
    size_t expected = 0;
    uint32_t dense = unit_between(seed, 1, 4);
    mask[masked++] = 4000000000u; /* ids that are not there do no harm */
    mask[masked++] = 70000;
    for (size_t i = 0; i < all.count; i++) {
        bool take = unit_between(seed, 0, 4) <= dense;
        if (take)
            smap_text_add(&cores, "%s%u", cores.length ? "," : "", all.core[i]);
        for (size_t c = all.first[i]; c < all.first[i + 1]; c++) {
            if (unit_between(seed, 0, 4) > dense)
                continue;
            mask[masked++] = all.cpus[c];
            if (take)
                both[expected++] = all.cpus[c];
        }
    }
    char *list = smap_text_take(&cores);
    int rc = smap_topology_restrict(t, list[0] ? list : NULL, mask, masked, &err);
    if (list[0]) {
        assert_int_equal(rc, expected > 0 ? SMAP_OK : SMAP_EINVAL);
        if (expected == 0)
            goto out;
        assert_int_equal(smap_topology_cpu_count(t), expected);
        assert_int_equal(smap_topology_slots(&part, t, &request, &err), SMAP_OK);
        assert_int_equal(part.first[part.count], expected);
        for (size_t c = 0; c < expected; c++) {
            size_t i = 0;
            while (i < expected && both[i] != part.cpus[c])
                i++;
            assert_true(i < expected);
        }
        check_all_orders(t, SMAP_LEAF_CORE);
        check_all_orders(t, SMAP_LEAF_PU);
    }
out:
    smap_slots_clear(&all);
    smap_slots_clear(&part);
    free(list);
    free(mask);
    free(both);
    smap_topology_destroy(t);
}

static void check_machine(const struct smap_topology_source *source, uint64_t *seed)
{
    struct smap_topology *t = load(source);
    struct smap_topology *reached = load(source);
    check_all_orders(t, SMAP_LEAF_CORE);
    check_all_orders(t, SMAP_LEAF_PU);
    /* Narrowing to what is there changes nothing. */
    assert_int_equal(smap_topology_restrict(reached, "0-4294967295", NULL, 0, NULL), SMAP_OK);
    assert_int_equal(smap_topology_cpu_count(reached), smap_topology_cpu_count(t));
    for (int i = 0; i < 6; i++)
        check_restricted(source, seed);
    smap_topology_destroy(t);
    smap_topology_destroy(reached);
}

static void test_synthetic(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < COUNT(synthetic); i++)
        check_machine(&(struct smap_topology_source){.synthetic = synthetic[i]}, &seed);
}

static size_t check_directory(const char *path)
{
    uint64_t seed = 11;
    size_t files = 0;
    DIR *dir = opendir(path);
    if (!dir)
        fail_msg("%s cannot be read", path);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char file[1024];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".xml") != 0)
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        check_machine(&(struct smap_topology_source){.xml = file}, &seed);
        files++;
    }
    closedir(dir);
    return files;
}

static void test_files(void **state)
{
    (void)state;
    assert_true(check_directory(data) >= 9);
}

static void test_more_files(void **state)
{
    const char *path = getenv("STENCILMAP_TEST_TOPOLOGIES");
    (void)state;
    if (!path)
        skip();
    print_message("%zu topologies in %s\n", check_directory(path), path);
}

/* Whole blocks of per_task leaves, inside one object of the level that holds them. */
static void test_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(synthetic); i++) {
        struct smap_topology *t = load(&(struct smap_topology_source){.synthetic = synthetic[i]});
        size_t cores = smap_topology_core_count(t);
        for (size_t c = 1; c <= cores + 1; c++) {
            struct smap_slot_request request = {.per_task = c, .order = "core"};
            struct smap_slots one = {0};
            struct smap_slots slots = {0};
            struct smap_error err;
            int rc = smap_topology_slots(&slots, t, &request, &err);
            assert_int_equal(rc, c <= cores ? SMAP_OK : SMAP_ENOTSUP);
            request.strict = true;
            int strict = smap_topology_slots(&one, t, &request, &err);
            assert_int_equal(strict, rc || slots.count * c < cores ? SMAP_ENOTSUP : SMAP_OK);
            smap_slots_clear(&one);
            request = (struct smap_slot_request){0};
            assert_int_equal(smap_topology_slots(&one, t, &request, &err), SMAP_OK);
            size_t threads = one.first[1];
            for (size_t s = 0; s < slots.count; s++) {
                assert_int_equal(slots.first[s + 1] - slots.first[s], c * threads);
                assert_true(s == 0 || slots.core[s] >= slots.core[s - 1] + c);
            }
            smap_slots_clear(&one);
            smap_slots_clear(&slots);
        }
        smap_topology_destroy(t);
    }
}

static void test_sources(void **state)
{
    struct smap_topology *t = NULL;
    struct smap_error err = {""};
    struct smap_topology_source missing = {.xml = "/nonexistent/machine.xml"};
    struct smap_topology_source garbled = {.synthetic = "pack:two"};
    struct smap_topology_source not_xml = {.xml = STENCILMAP_TEST_DATA "/topology/ragged.golden"};
    struct smap_topology_source this_machine = {0};
    (void)state;
    assert_int_equal(smap_topology_load(&t, &missing, &err), SMAP_ESYS);
    assert_string_equal(err.text, "topology=/nonexistent/machine.xml: No such file or directory");
    assert_int_equal(smap_topology_load(&t, &not_xml, &err), SMAP_EINVAL);
    assert_non_null(strstr(err.text, "ragged.golden: "));
    assert_int_equal(smap_topology_load(&t, &garbled, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "topology 'pack:two': not a synthetic description");
    assert_null(t);
    assert_int_equal(smap_topology_load(&t, &this_machine, &err), SMAP_OK);
    check_all_orders(t, SMAP_LEAF_CORE);
    smap_topology_destroy(t);
    smap_topology_destroy(NULL);
    smap_slots_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synthetic),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_more_files), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
