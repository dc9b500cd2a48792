/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of what an application sent. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

static int read_text(struct smap_record *record, const char *text, struct smap_error *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    int rc = smap_record_read(record, file, err);
    fclose(file);
    return rc;
}

static void reads_what_is_there(void **state)
{
    (void)state;
    struct smap_record record;
    struct smap_error err = {""};
    const char *text = "stencilmap-comm 1 4\n"
                       "sent 2 0 1 10\r\n"
                       "# nodes come in any order, and under any name\n"
                       "node 3 b.example\nnode 1 b.example\nnode 0 a-7\n"
                       "future 1 2 3\n\n"
                       "sent 0 3 5 0\n"
                       "sent  0\t1 2 20 \n"
                       "sent 2 2 9 9\nsent 1 0 0 0\n"
                       "sent 2 0 3 30\n"
                       "cart 2x2 1,0 1\ncart 4 0 0\ncart 2x2 1,0 1";
    assert_int_equal(read_text(&record, text, &err), SMAP_OK);
    assert_int_equal(record.ranks, 4);
    assert_int_equal(record.nodes, 2);
    assert_string_equal(record.node_names[0], "a-7");
    assert_string_equal(record.node_names[1], "b.example");
    const uint32_t node[] = {0, 1, SMAP_RECORD_NO_NODE, 1};
    assert_memory_equal(record.node_of_rank, node, sizeof(node));
    assert_int_equal(record.edges, 3);
    const struct smap_record_edge edge[] = {{0, 1, 2, 20}, {0, 3, 5, 0}, {2, 0, 4, 40}};
    assert_memory_equal(record.edge, edge, sizeof(edge));
    const size_t first[] = {0, 2, 2, 3, 3};
    assert_memory_equal(record.first, first, sizeof(first));
    assert_int_equal(record.messages, 11);
    assert_int_equal(record.bytes, 60);
    assert_int_equal(record.carts, 2);
    assert_int_equal(record.cart[0].ndims, 2);
    assert_int_equal(record.cart[0].count, 2);
    assert_true(record.cart[0].periodic[0] && !record.cart[0].periodic[1]);
    assert_true(record.cart[0].reorder && !record.cart[1].reorder);
    assert_ptr_equal(smap_record_find(&record, 2, 0), &record.edge[2]);
    assert_null(smap_record_find(&record, 0, 2));
    assert_null(smap_record_find(&record, 3, 0));
    assert_null(smap_record_find(&record, 4, 0));
    smap_record_clear(&record);
}

static void refuses_with_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *text;
    } cases[] = {
        {"", "empty, a record begins like stencilmap-comm 1 32"},
        {"\n", "line 1: not a record, which begins like stencilmap-comm 1 32"},
        {"P 4\n", "line 1: not a record, which begins like stencilmap-comm 1 32"},
        {"stencilmap-comm 1", "line 1: not version and number of ranks like stencilmap-comm 1 32"},
        {"stencilmap-comm 1 4x\n",
         "line 1: not version and number of ranks like stencilmap-comm 1 32"},
        {"stencilmap-comm 2 4\n", "line 1: version 2 of the format, 1 is known"},
        {"stencilmap-comm 1 0\n", "line 1: 0 ranks, the limit is 1 to 1048576"},
        {"stencilmap-comm 1 1048577\n", "line 1: 1048577 ranks, the limit is 1 to 1048576"},
        {"stencilmap-comm 1 4\nsent 0 4 1 1\n", "line 2: rank 4, the record has 0 to 3"},
        {"stencilmap-comm 1 4\nsent 4 0 1 1\n", "line 2: rank 4, the record has 0 to 3"},
        {"stencilmap-comm 1 4\n\nsent 0 1 1\n",
         "line 3: not from, to, messages and bytes like sent 0 1 87 1424640"},
        {"stencilmap-comm 1 4\nsent 0 1 1 -1\n",
         "line 2: not from, to, messages and bytes like sent 0 1 87 1424640"},
        {"stencilmap-comm 1 4\nsent 0 1 1 1 1\n",
         "line 2: not from, to, messages and bytes like sent 0 1 87 1424640"},
        {"stencilmap-comm 1 4\nsent 0 1 1 9223372036854775807\nsent 1 0 1 1\n",
         "line 3: messages or bytes of all pairs add up to more than 9223372036854775807"},
        {"stencilmap-comm 1 4\nsent 0 1 1 9223372036854775808\n",
         "line 2: not from, to, messages and bytes like sent 0 1 87 1424640"},
        {"stencilmap-comm 1 4\nnode 4 a\n", "line 2: rank 4, the record has 0 to 3"},
        {"stencilmap-comm 1 4\nnode 0\n", "line 2: not a rank and a name like node 0 n0"},
        {"stencilmap-comm 1 4\nnode 0 a b\n", "line 2: not a rank and a name like node 0 n0"},
        {"stencilmap-comm 1 4\nnode 0 a\nnode 0 a\nnode 0 b\n",
         "line 4: rank 0 is on node a already"},
        {"stencilmap-comm 1 4\nnode 0 \033[m\n", "line 2: no node name of 1 to 255 characters"},
        {"stencilmap-comm 1 4\ncart 2x2 0 0\n",
         "line 2: not dims, periodic and reorder like cart 4x8 0,0 1"},
        {"stencilmap-comm 1 4\ncart 2x2 0,2 0\n",
         "line 2: not dims, periodic and reorder like cart 4x8 0,0 1"},
        {"stencilmap-comm 1 4\ncart 2x3 0,0 0\n",
         "line 2: dims of more cells, the record has 4 ranks"},
        {"stencilmap-comm 1 4\ncart 2x0 0,0 0\n",
         "line 2: dims of no cells, the record has 4 ranks"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_record record;
        struct smap_error err = {""};
        assert_int_equal(read_text(&record, cases[i].lines, &err), SMAP_EINVAL);
        assert_string_equal(err.text, cases[i].text);
        assert_null(record.edge);
    }
}

/* Long lines are skipped where nobody needs them, and refused where they are cut. */
static void long_lines(void **state)
{
    (void)state;
    char text[5000];
    struct smap_record record;
    struct smap_error err = {""};
    snprintf(text, sizeof(text), "stencilmap-comm 1 4\nxent%4000d\nsent 0 1 1 1\n", 0);
    assert_int_equal(read_text(&record, text, &err), SMAP_OK);
    assert_int_equal(record.edges, 1);
    smap_record_clear(&record);
    text[strlen("stencilmap-comm 1 4\n")] = 's';
    text[strlen("stencilmap-comm 1 4\nsent")] = ' ';
    assert_int_equal(read_text(&record, text, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "line 2: longer than 1023 characters");
    memset(text, 'a', sizeof(text));
    memcpy(text, "stencilmap-comm 1 4\nnode 0 ", 27);
    text[27 + 256] = '\0';
    assert_int_equal(read_text(&record, text, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "line 2: no node name of 1 to 255 characters");
    text[27 + 255] = '\0';
    assert_int_equal(read_text(&record, text, &err), SMAP_OK);
    smap_record_clear(&record);
}

static void files_that_are_none(void **state)
{
    (void)state;
    struct smap_record record;
    struct smap_error err = {""};
    assert_int_equal(smap_record_load(&record, "/nonexistent/x.comm", &err), SMAP_ESYS);
    assert_string_equal(err.text, "No such file or directory");
    assert_int_equal(smap_record_load(&record, "/", &err), SMAP_ESYS);
    assert_string_equal(err.text, "Is a directory");
    assert_int_equal(smap_record_load(&record, "/dev/zero", &err), SMAP_EINVAL);
}

/* Random records, each line twice with half of it, in random order: the sums of a table. */
static void adds_up_and_round_trips(void **state)
{
    (void)state;
    enum { RANKS = 40, LINES = 3000 };
    uint64_t random = smap_random_state(11);
    for (int round = 0; round < 20; round++) {
        static uint64_t sums[RANKS][RANKS];
        struct smap_record record, again;
        size_t pairs = 0;
        char *text = NULL, *more = NULL, name[16];
        size_t size = 0;
        memset(sums, 0, sizeof(sums));
        assert_int_equal(smap_record_init(&record, RANKS, NULL), SMAP_OK);
        for (uint32_t r = 0; r < RANKS; r++) {
            snprintf(name, sizeof(name), "n%" PRIu32, unit_between(&random, 0, 30));
            assert_int_equal(smap_record_node(&record, r, name, NULL), SMAP_OK);
            assert_string_equal(record.node_names[record.node_of_rank[r]], name);
        }
        for (int i = 0; i < LINES; i++) {
            struct smap_record_edge e = {unit_between(&random, 0, RANKS - 1),
                                         unit_between(&random, 0, RANKS - 1), 1,
                                         unit_between(&random, 0, 1000)};
            assert_int_equal(smap_record_sent(&record, &e, NULL), SMAP_OK);
            if (e.from != e.to)
                sums[e.from][e.to] += e.bytes + (UINT64_C(1) << 32);
        }
        assert_int_equal(smap_record_finish(&record, NULL), SMAP_OK);
        for (uint32_t a = 0; a < RANKS; a++) {
            for (uint32_t b = 0; b < RANKS; b++) {
                const struct smap_record_edge *e = smap_record_find(&record, a, b);
                pairs += e != NULL;
                assert_true(sums[a][b] == (e ? e->bytes + (e->messages << 32) : 0));
            }
        }
        assert_int_equal(record.edges, pairs);
        FILE *file = open_memstream(&text, &size);
        assert_int_equal(smap_record_write(&record, file, NULL), SMAP_OK);
        fclose(file);
        assert_int_equal(read_text(&again, text, NULL), SMAP_OK);
        assert_memory_equal(again.edge, record.edge, record.edges * sizeof(*record.edge));
        file = open_memstream(&more, &size);
        assert_int_equal(smap_record_write(&again, file, NULL), SMAP_OK);
        fclose(file);
        assert_string_equal(text, more);
        free(text);
        free(more);
        smap_record_clear(&record);
        smap_record_clear(&again);
    }
}

static void cannot_be_written(void **state)
{
    (void)state;
    struct smap_record record;
    struct smap_error err = {""};
    FILE *file = fopen("/dev/full", "w");
    if (!file)
        skip();
    assert_int_equal(smap_record_init(&record, 3, NULL), SMAP_OK);
    assert_int_equal(smap_record_finish(&record, NULL), SMAP_OK);
    assert_int_equal(smap_record_write(&record, file, &err), SMAP_ESYS);
    assert_string_equal(err.text, "No space left on device");
    fclose(file);
    smap_record_clear(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(refuses_with_the_line),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(adds_up_and_round_trips),
        cmocka_unit_test(cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
