/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication graphs: made of edges, read from files, scored, and read by refinement, each
 * compared with a matrix of weights. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/graph.h"
#include "grid/score.h"
#include "partition/refine_graph.h"
#include "record/graph_file.h"

enum { RANKS_MAX = 24, EDGES_MAX = 200, NODES = 5 };

struct matrix {
    uint32_t ranks;
    uint64_t weight[RANKS_MAX][RANKS_MAX];
    uint32_t count, from[EDGES_MAX], to[EDGES_MAX];
    uint64_t listed[EDGES_MAX];
};

/* Edges in any order, some twice, some of a rank with itself, some without weight. */
static void random_matrix(struct matrix *m, uint64_t heaviest, uint64_t *seed)
{
    *m = (struct matrix){.ranks = unit_between(seed, 1, RANKS_MAX)};
    m->count = unit_between(seed, 0, EDGES_MAX);
    for (uint32_t e = 0; e < m->count; e++) {
        m->from[e] = unit_between(seed, 0, m->ranks - 1);
        m->to[e] = unit_between(seed, 0, m->ranks - 1);
        m->listed[e] = smap_random(seed) % heaviest;
        if (m->from[e] != m->to[e])
            m->weight[m->from[e]][m->to[e]] += m->listed[e];
    }
}

static struct smap_graph *graph_of(const struct matrix *m, const uint32_t own[], uint32_t count)
{
    struct smap_graph *graph = NULL;
    const struct smap_edges edges = {m->count, m->from, m->to, m->listed, own, count};
    assert_int_equal(smap_graph_create(&graph, m->ranks, &edges, NULL), SMAP_OK);
    return graph;
}

/* Has the graph the matrix's edges between its ranks, which begin at first, and no others? */
static void check_edges(const struct smap_graph *graph, const struct matrix *m, uint32_t first)
{
    uint64_t expected = 0;
    for (uint32_t r = 0; r < graph->rows; r++) {
        uint32_t from = graph->own ? graph->own[r] : r;
        for (uint64_t e = graph->first[r]; e < graph->first[r + 1]; e++) {
            assert_true(e == graph->first[r] || graph->to[e - 1] < graph->to[e]);
            assert_int_equal(graph->weight[e], m->weight[first + from][first + graph->to[e]]);
        }
        for (uint32_t s = 0; s < graph->rows; s++)
            expected += m->weight[first + from][first + (graph->own ? graph->own[s] : s)] > 0;
    }
    assert_int_equal(graph->first[graph->rows], expected);
}

static void test_edges(void **state)
{
    uint64_t seed = smap_random_state(1);
    (void)state;
    for (int i = 0; i < 300; i++) {
        struct matrix m;
        uint32_t own[RANKS_MAX], count = 0;
        struct smap_graph *graph, *part;
        random_matrix(&m, 5, &seed);
        for (uint32_t r = 0; r < m.ranks; r++)
            if (unit_between(&seed, 0, 1))
                own[count++] = r;
        graph = graph_of(&m, own, count);
        check_edges(graph, &m, 0);
        smap_graph_destroy(graph);
        graph = graph_of(&m, NULL, 0);
        check_edges(graph, &m, 0);
        uint32_t first = unit_between(&seed, 0, m.ranks - 1);
        uint32_t ranks = unit_between(&seed, 1, m.ranks - first);
        assert_int_equal(smap_graph_part(&part, graph, first, ranks, NULL), SMAP_OK);
        check_edges(part, &m, first);
        smap_graph_destroy(part);
        smap_graph_destroy(graph);
    }
}

static void test_wrong_edges(void **state)
{
    struct smap_graph *graph = NULL;
    struct smap_error err;
    const uint32_t from[] = {0, 1}, to[] = {1, 3};
    const uint64_t weight[] = {SMAP_GRAPH_WEIGHT_MAX, 1};
    (void)state;
    assert_int_equal(
        smap_graph_create(&graph, 3, &(struct smap_edges){2, from, to, NULL, NULL, 0}, &err),
        SMAP_EINVAL);
    assert_string_equal(err.text, "an edge from rank 1 to rank 3, there are 3 ranks");
    assert_int_equal(
        smap_graph_create(&graph, 4, &(struct smap_edges){2, from, to, weight, NULL, 0}, &err),
        SMAP_EINVAL);
    assert_string_equal(err.text, "the weights of all edges are above 4611686018427387903");
}

/* J, and what refinement reads: the whole, and a subset of the ranks. */
static void check_refinement(const struct matrix *m, const struct smap_graph *graph,
                             const uint32_t subset[], uint32_t count)
{
    struct smap_refine_graph *g = NULL;
    struct smap_grid grid;
    uint64_t seen = 0, expected = 0;
    assert_int_equal(smap_grid_init(&grid, 1, &m->ranks, NULL, NULL), SMAP_OK);
    const struct smap_instance in = {.grid = &grid, .graph = graph};
    assert_int_equal(smap_refine_graph_create(&g, &in, subset, count, NULL), SMAP_OK);
    for (uint32_t c = 0; c < g->cells; c++) {
        uint32_t from = subset ? subset[c] : c;
        uint64_t sum = 0;
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++, seen++) {
            uint32_t to = subset ? subset[g->to[e]] : g->to[e];
            uint64_t both = m->weight[from][to] + m->weight[to][from];
            assert_true(both > 0 && from != to);
            assert_int_equal(g->out[e], m->weight[from][to] >> g->shift);
            assert_int_equal(g->both[e], both >> g->shift ? both >> g->shift : 1);
            sum += g->both[e];
        }
        assert_true(sum <= INT32_MAX);
        for (uint32_t d = 0; d < g->cells; d++) {
            uint32_t to = subset ? subset[d] : d;
            expected += m->weight[from][to] + m->weight[to][from] > 0;
        }
    }
    assert_int_equal(seen, expected);
    smap_refine_graph_destroy(g);
}

static void test_score(void **state)
{
    uint64_t seed = smap_random_state(2);
    (void)state;
    for (int i = 0; i < 300; i++) {
        struct matrix m;
        uint32_t node_of[RANKS_MAX], own[RANKS_MAX], count = 0;
        uint64_t out[NODES] = {0}, found[NODES], sum = 0;
        struct smap_score score;
        random_matrix(&m, i % 2 ? 5 : UINT64_C(1) << 50, &seed);
        struct smap_graph *graph = graph_of(&m, NULL, 0);
        for (uint32_t r = 0; r < m.ranks; r++) {
            node_of[r] = unit_between(&seed, 0, NODES - 1);
            if (unit_between(&seed, 0, 1))
                own[count++] = r;
        }
        for (uint32_t a = 0; a < m.ranks; a++)
            for (uint32_t b = 0; b < m.ranks; b++)
                if (node_of[a] != node_of[b]) {
                    out[node_of[a]] += m.weight[a][b];
                    sum += m.weight[a][b];
                }
        const struct smap_instance in = {.graph = graph};
        assert_int_equal(smap_score_nodes(&score, found, &in, node_of, NODES, NULL), SMAP_OK);
        assert_int_equal(score.jsum, sum);
        assert_memory_equal(found, out, sizeof(out));
        check_refinement(&m, graph, NULL, 0);
        check_refinement(&m, graph, own, count);
        smap_graph_destroy(graph);
    }
}

static int read_text(struct smap_graph **graph, const char *text,
                     const struct smap_edges_wanted *wanted, struct smap_error *err)
{
    char *copy = strdup(text);
    FILE *file = copy ? fmemopen(copy, strlen(copy), "r") : NULL;
    assert_non_null(file);
    int rc = smap_graph_read(graph, file, wanted, err);
    fclose(file);
    free(copy);
    return rc;
}

/* Four ranks: 0 and 1 talk (weight 3), 1 and 3 (weight 5), rank 2 is alone. */
static const char path_of_three[] = "% a comment\n 4 2 001\n2 3\n1 3  4 5\n% and one more\n\n2 5\n";

static void test_metis(void **state)
{
    struct smap_graph *graph = NULL;
    const struct smap_edges_wanted all = {0};
    (void)state;
    assert_int_equal(read_text(&graph, path_of_three, &all, NULL), SMAP_OK);
    assert_int_equal(graph->cells, 4);
    assert_memory_equal(graph->first, ((uint64_t[]){0, 1, 3, 3, 4}), 5 * sizeof(uint64_t));
    assert_memory_equal(graph->to, ((uint32_t[]){1, 0, 3, 1}), 4 * sizeof(uint32_t));
    assert_memory_equal(graph->weight, ((uint64_t[]){3, 3, 5, 5}), 4 * sizeof(uint64_t));
    smap_graph_destroy(graph);
    assert_int_equal(read_text(&graph, "2 1\r\n2\r\n1", &all, NULL), SMAP_OK);
    assert_memory_equal(graph->weight, ((uint64_t[]){1, 1}), 2 * sizeof(uint64_t));
    smap_graph_destroy(graph);
}

/* Bytes in the directions in which they went, those of a pair added up. */
static void test_record(void **state)
{
    static const char record[] = "stencilmap-comm 1 3\nsent 2 0 1 7\nnode 0 a\nsent 0 1 2 30\n"
                                 "sent 2 0 1 8\nsent 1 1 5 5\nsent 1 2 4 0\n";
    struct smap_graph *graph = NULL;
    struct smap_error err = {""};
    const struct smap_edges_wanted all = {0}, four = {.ranks = 4};
    (void)state;
    assert_int_equal(read_text(&graph, record, &all, NULL), SMAP_OK);
    assert_int_equal(graph->cells, 3);
    assert_memory_equal(graph->first, ((uint64_t[]){0, 1, 1, 2}), 4 * sizeof(uint64_t));
    assert_memory_equal(graph->to, ((uint32_t[]){1, 0}), 2 * sizeof(uint32_t));
    assert_memory_equal(graph->weight, ((uint64_t[]){30, 15}), 2 * sizeof(uint64_t));
    smap_graph_destroy(graph);
    /* Ranks 1 and 2 of them, as the second and third of three of four; then one edge is too many.
     */
    static const char longer[] =
        "stencilmap-comm 1 4\nsent 3 2 1 7\nsent 1 0 1 9\nsent x\nnode 0 a\n"
        "sent 2 3 1 5 what follows does not matter\nsent 2 3 1 6";
    const uint32_t own[] = {1, 2};
    struct smap_edges_wanted some = {
        .ranks = 3, .tasks = 4, .first = 1, .own = own, .own_count = 2, .edges_max = 3};
    assert_int_equal(read_text(&graph, longer, &some, NULL), SMAP_OK);
    assert_int_equal(graph->rows, 2);
    assert_memory_equal(graph->first, ((uint64_t[]){0, 1, 2}), 3 * sizeof(uint64_t));
    assert_memory_equal(graph->to, ((uint32_t[]){2, 1}), 2 * sizeof(uint32_t));
    assert_memory_equal(graph->weight, ((uint64_t[]){11, 7}), 2 * sizeof(uint64_t));
    smap_graph_destroy(graph);
    some.edges_max = 2;
    assert_int_equal(read_text(&graph, longer, &some, &err), SMAP_ENOTSUP);
    assert_string_equal(err.text, "more than 2 edges");
    some.ranks = 5;
    some.tasks = 0;
    assert_int_equal(read_text(&graph, longer, &some, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a graph of 4 ranks, not of 5");
    assert_int_equal(read_text(&graph, "stencilmap-comm 2 4\n", &some, &err), SMAP_EINVAL);
    assert_int_equal(read_text(&graph, record, &four, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a graph of 3 ranks, not of 4");
}

/* The last three of four tasks, and of these the first and the last. */
static void test_wanted(void **state)
{
    struct smap_graph *graph = NULL;
    const uint32_t own[] = {0, 2};
    struct smap_edges_wanted wanted = {.ranks = 3, .tasks = 4, .first = 1};
    (void)state;
    assert_int_equal(read_text(&graph, path_of_three, &wanted, NULL), SMAP_OK);
    assert_int_equal(graph->cells, 3);
    assert_memory_equal(graph->first, ((uint64_t[]){0, 1, 1, 2}), 4 * sizeof(uint64_t));
    assert_memory_equal(graph->to, ((uint32_t[]){2, 0}), 2 * sizeof(uint32_t));
    smap_graph_destroy(graph);
    wanted.own = own;
    wanted.own_count = 2;
    assert_int_equal(read_text(&graph, path_of_three, &wanted, NULL), SMAP_OK);
    assert_int_equal(graph->rows, 2);
    assert_memory_equal(graph->first, ((uint64_t[]){0, 1, 2}), 3 * sizeof(uint64_t));
    assert_memory_equal(graph->to, ((uint32_t[]){2, 0}), 2 * sizeof(uint32_t));
    smap_graph_destroy(graph);
}

static void test_wrong_files(void **state)
{
    static const struct {
        const char *text, *refusal;
    } cases[] = {
        {"hello", "neither a record, which begins with stencilmap-comm, nor a METIS graph, which "
                  "begins with the numbers of ranks and edges"},
        {"4\n", "line 1: not the numbers of ranks and edges that a METIS graph begins with"},
        {"%x\n4 a\n", "line 2: not a number"},
        {"2 1 10\n1 2\n1 1\n", "line 1: fmt 010: vertices are ranks and have no weights or sizes; "
                               "fmt is 0 or 1"},
        {"2 1 011 1\n", "line 1: fmt 011: vertices are ranks and have no weights or sizes; fmt is "
                        "0 or 1"},
        {"0 0\n", "a graph of 0 ranks"},
        {"99999999999 0\n", "a graph of 99999999999 ranks"},
        {"99999999999999999999 0\n", "line 1: a number is too large"},
        {"3 1\n2\n1\n", "line 4: the file ends after 2 of 3 ranks"},
        {"3 1\n2\n1\n\n", NULL},
        {"2 1\n3\n1\n", "line 2: neighbours of a rank are 1 to 2"},
        {"2 1\n0\n1\n", "line 2: neighbours of a rank are 1 to 2"},
        {"2 1\n-1\n1\n", "line 2: not a number"},
        {"2 1 1\n2\n1 1\n", "line 2: a neighbour without a weight from 1 on"},
        {"2 1 1\n2 0\n1 0\n", "line 2: a neighbour without a weight from 1 on"},
        {"2 1\n2\n\n", "1 neighbours in all, twice the 1 edges are 2"},
        {"2 1\n2 2\n\n", "a rank has itself or another one twice as neighbour"},
        {"2 1\n1 2\n\n", "a rank has itself or another one twice as neighbour"},
        {"3 1\n2\n3\n\n", "vertices 1 and 2 do not name each other with the same weight"},
        {"2 1 1\n2 1\n1 2\n", "vertices 1 and 2 do not name each other with the same weight"},
    };
    const struct smap_edges_wanted all = {0}, five = {.ranks = 5}, part = {.ranks = 5, .tasks = 6};
    struct smap_graph *graph = NULL;
    struct smap_error err = {""};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int rc = read_text(&graph, cases[i].text, &all, &err);
        assert_int_equal(rc, cases[i].refusal ? SMAP_EINVAL : SMAP_OK);
        if (cases[i].refusal)
            assert_string_equal(err.text, cases[i].refusal);
        else
            smap_graph_destroy(graph);
    }
    assert_int_equal(read_text(&graph, path_of_three, &five, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a graph of 4 ranks, not of 5");
    assert_int_equal(read_text(&graph, path_of_three, &part, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a graph of 4 ranks, not of 5");
}

static void test_files(void **state)
{
    struct smap_graph *graph = NULL;
    struct smap_error err = {""};
    const struct smap_edges_wanted all = {0}, small = {.bytes_max = 5};
    char name[] = "/tmp/stencilmap-graph-XXXXXX";
    int fd = mkstemp(name);
    FILE *file = fdopen(fd, "w");
    (void)state;
    fputs(path_of_three, file);
    fclose(file);
    assert_int_equal(smap_graph_load(&graph, name, &all, &err), SMAP_OK);
    smap_graph_destroy(graph);
    assert_int_equal(smap_graph_load(&graph, name, &small, &err), SMAP_ENOTSUP);
    assert_string_equal(err.text, "the file is larger than 5 bytes");
    assert_int_equal(truncate(name, 0), 0);
    assert_int_equal(smap_graph_load(&graph, name, &all, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "the file is empty");
    remove(name);
    assert_int_equal(smap_graph_load(&graph, name, &all, &err), SMAP_ESYS);
    assert_string_equal(err.text, "No such file or directory");
    assert_int_equal(smap_graph_load(&graph, "/tmp", &all, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "not a regular file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),  cmocka_unit_test(test_wrong_edges),
        cmocka_unit_test(test_score),  cmocka_unit_test(test_metis),
        cmocka_unit_test(test_wanted), cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_files),  cmocka_unit_test(test_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
