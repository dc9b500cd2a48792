/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares a node, as PMI tells it: texts, and what they mean when read like MPICH reads them. */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/procmap.h"

/* The nodes of the ranks, written out rank by rank: a reader of its own, as simple as can be. */
static uint32_t expand(const char *text, uint32_t node[], uint32_t capacity)
{
    uint32_t ranks = 0, start, count, block;
    int used = 0;
    assert_int_equal(strncmp(text, "(vector", 7), 0);
    for (text += 7; sscanf(text, ",(%u,%u,%u)%n", &start, &count, &block, &used) == 3; text += used)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < block; j++) {
                assert_true(ranks < capacity);
                node[ranks++] = start + i;
            }
    assert_string_equal(text, ")");
    return ranks;
}

/* Do both say the same about who shares a node with whom? */
static bool same_sharing(const uint32_t a[], const uint32_t b[], uint32_t ranks)
{
    for (uint32_t i = 0; i < ranks; i++)
        for (uint32_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return false;
    return true;
}

#define RANKS 512

static void check(const uint32_t node_of_rank[], uint32_t ranks, uint32_t nodes, const char *text)
{
    uint32_t read[RANKS], on_node[RANKS] = {0};
    struct smap_procmap *map = NULL;
    assert_int_equal(expand(text, read, RANKS), ranks);
    assert_true(same_sharing(read, node_of_rank, ranks));
    assert_int_equal(smap_procmap_parse(&map, text, NULL), SMAP_OK);
    assert_int_equal(smap_procmap_ranks(map), ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        assert_int_equal(smap_procmap_node(map, rank), read[rank]);
        on_node[read[rank]]++;
    }
    for (uint32_t node = 0; node < nodes + 1; node++)
        assert_int_equal(smap_procmap_size(map, node), on_node[node]);
    smap_procmap_destroy(map);
}

/* One digit is one rank's node. */
static void test_texts(void **state)
{
    static const char *const cases[][2] = {
        {"0", "(vector,(0,1,1))"},
        {"00000000", "(vector,(0,1,8))"},
        {"00001111", "(vector,(0,2,4))"},
        {"01010101", "(vector,(0,2,1),(0,2,1),(0,2,1),(0,2,1))"},
        {"00011111", "(vector,(0,1,3),(1,1,5))"},
        {"001122330011", "(vector,(0,4,2),(0,2,2))"},
        /* The nodes get new numbers, by their first rank ... */
        {"33110022", "(vector,(0,4,2))"},
        {"7", "(vector,(0,1,1))"},
        /* ... but what follows more often goes together: 2 0 1 rather than 0 1 and 0 2. */
        {"0011 0022 0022 0022", "(vector,(1,1,2),(0,3,2),(1,2,2),(1,2,2))"},
        /* A ring cannot be numbered all round. */
        {"012012", "(vector,(0,3,1),(0,3,1))"},
        {"0120", "(vector,(0,3,1),(0,1,1))"},
        /* Runs of other lengths do not go together. */
        {"0001100011", "(vector,(0,1,3),(1,1,2),(0,1,3),(1,1,2))"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        uint32_t node[64], ranks = 0;
        char *text = NULL;
        for (const char *c = cases[i][0]; *c; c++)
            if (*c != ' ')
                node[ranks++] = (uint32_t)(*c - '0');
        if (smap_procmap_format(&text, node, ranks, 8, &err) != SMAP_OK)
            fail_msg("%s: %s", cases[i][0], err.text);
        assert_string_equal(text, cases[i][1]);
        check(node, ranks, 8, text);
        free(text);
    }
}

static void shuffle(uint64_t *random, uint32_t node[], uint32_t ranks)
{
    for (uint32_t i = ranks; i > 1; i--) {
        uint32_t other = unit_between(random, 0, i - 1), kept = node[i - 1];
        node[i - 1] = node[other];
        node[other] = kept;
    }
}

/* Whatever the layout: the text means it. */
static void test_any_layout(void **state)
{
    uint64_t random = 20260801;
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t nodes = unit_between(&random, 1, 9), ranks = unit_between(&random, 1, 64);
        uint32_t longest = unit_between(&random, 1, 9), node[64];
        char *text = NULL;
        for (uint32_t rank = 0, i = 0; rank < ranks; i = unit_between(&random, 0, nodes - 1))
            for (uint32_t length = unit_between(&random, 1, longest); length && rank < ranks;
                 length--)
                node[rank++] = i;
        if (round % 4 == 0)
            shuffle(&random, node, ranks);
        assert_int_equal(smap_procmap_format(&text, node, ranks, nodes, NULL), SMAP_OK);
        check(node, ranks, nodes, text);
        free(text);
    }
}

/* A box of the grid on every node, row after row: one tuple is a whole row of nodes, whatever the
 * nodes are called. 16x32 cells on 4x4 nodes of 4x8. */
static void test_rows_of_nodes(void **state)
{
    uint64_t random = 7;
    uint32_t node[RANKS], name[16];
    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        name[i] = i;
    shuffle(&random, name, 16);
    for (uint32_t cell = 0; cell < RANKS; cell++)
        node[cell] = name[cell / 32 / 4 * 4 + cell % 32 / 8];
    char *text = NULL;
    assert_int_equal(smap_procmap_format(&text, node, RANKS, 16, NULL), SMAP_OK);
    assert_string_equal(text, "(vector,(0,4,8),(0,4,8),(0,4,8),(0,8,8),(4,4,8),(4,4,8),(4,8,8),"
                              "(8,4,8),(8,4,8),(8,8,8),(12,4,8),(12,4,8),(12,4,8))");
    check(node, RANKS, 16, text);
    free(text);
}

static void test_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "(vector)",
        "(vector,)",
        "(vector,()",
        "(vector,(0,1,1)",
        "(vector,(0,1,1)))",
        "(vector,(0,1,1)) ",
        "(vector, (0,1,1))",
        "(vector,(0,1))",
        "(vector,(0,1,1,1))",
        "(vector,(0,0,1))",
        "(vector,(0,1,0))",
        "(vector,(-1,1,1))",
        "(vector,(0,1,1),)",
        "(vector,(0,1,1)(0,1,1))",
        "(matrix,(0,1,1))",
        "vector,(0,1,1)",
        "(vector,(0,65536,65536))",
        "(vector,(0,1,4294967295),(0,1,1))",
        "(vector,(4294967295,1,1))",
        "(vector,(0,99999999999999999999,1))",
    };
    static const uint32_t node[] = {0, 1, 2};
    struct smap_error err = {""};
    char *text = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct smap_procmap *map = NULL;
        if (smap_procmap_parse(&map, texts[i], &err) != SMAP_EINVAL)
            fail_msg("'%s' was taken", texts[i]);
        assert_null(map);
    }
    assert_int_equal(smap_procmap_format(&text, node, 3, 2, &err), SMAP_EINVAL);
    assert_null(text);
    assert_int_equal(smap_procmap_format(&text, node, 0, 3, &err), SMAP_EINVAL);
    smap_procmap_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_any_layout),
        cmocka_unit_test(test_rows_of_nodes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
