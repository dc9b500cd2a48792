/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication graphs, records and METIS files: whole, and the rows of some ranks as nodes read
 * them, which must be the same rows. */
#include "fuzz.h"
#include "record/graph_file.h"

static void check_rows(const struct smap_graph *graph)
{
    for (uint32_t r = 0; r < graph->rows; r++)
        for (uint64_t e = graph->first[r]; e < graph->first[r + 1]; e++) {
            REQUIRE(graph->to[e] < graph->cells &&
                    graph->to[e] != (graph->own ? graph->own[r] : r));
            REQUIRE(graph->weight[e] > 0);
            REQUIRE(e == graph->first[r] || graph->to[e - 1] < graph->to[e]);
        }
}

static int read_graph(struct smap_graph **graph, char *text, size_t size, const uint32_t own[],
                      uint32_t own_count)
{
    struct smap_error err = {""};
    const struct smap_edges_wanted wanted = {
        .own = own, .own_count = own_count, .bytes_max = 1 << 20, .edges_max = 1 << 20};
    FILE *file = fmemopen(text, size ? size : 1, "r");
    REQUIRE(file);
    *graph = NULL;
    int rc = smap_graph_read(graph, file, &wanted, &err);
    fclose(file);
    REQUIRE((rc == SMAP_OK) == (*graph != NULL));
    if (rc != SMAP_OK)
        fuzz_check_error(err.text, sizeof(err.text));
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t own[] = {0, 2, 3};
    struct smap_graph *whole, *part;
    char *text = fuzz_text(data, size);
    if (read_graph(&whole, text, size, NULL, 0) == SMAP_OK) {
        check_rows(whole);
        if (whole->cells > 3 && read_graph(&part, text, size, own, 3) == SMAP_OK) {
            check_rows(part);
            smap_graph_destroy(part);
        }
        smap_graph_destroy(whole);
    }
    free(text);
    return 0;
}
