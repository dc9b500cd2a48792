/* SPDX-License-Identifier: BSD-3-Clause */
/* Process mappings: "(vector,(0,2,8))". What is taken survives being written and read again. */
#include "fuzz.h"
#include "step/procmap.h"

#define RANKS_MAX 4096

/* The same ranks share a node: the numbers differ, but by one and the same exchange. */
static void check_written(const struct smap_procmap *map, const uint32_t node[], uint32_t ranks,
                          uint32_t nodes)
{
    char *text = NULL;
    struct smap_procmap *again = NULL;
    uint32_t *number = calloc(nodes, sizeof(*number));
    REQUIRE(number);
    REQUIRE(smap_procmap_format(&text, node, ranks, nodes, NULL) == SMAP_OK);
    REQUIRE(smap_procmap_parse(&again, text, NULL) == SMAP_OK);
    REQUIRE(smap_procmap_ranks(again) == ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t got = smap_procmap_node(again, rank);
        REQUIRE(got < nodes);
        if (number[node[rank]] == 0)
            number[node[rank]] = got + 1;
        REQUIRE(number[node[rank]] == got + 1);
        REQUIRE(smap_procmap_size(again, got) == smap_procmap_size(map, node[rank]));
    }
    smap_procmap_destroy(again);
    free(number);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct smap_error err = {""};
    struct smap_procmap *map = NULL;
    if (smap_procmap_parse(&map, text, &err) == SMAP_OK) {
        uint32_t node[RANKS_MAX], nodes = 0, ranks = smap_procmap_ranks(map);
        REQUIRE(ranks > 0);
        for (uint32_t rank = 0; rank < ranks && rank < RANKS_MAX; rank++) {
            node[rank] = smap_procmap_node(map, rank);
            REQUIRE(smap_procmap_size(map, node[rank]) > 0);
            nodes = node[rank] >= nodes ? node[rank] + 1 : nodes;
        }
        smap_procmap_node(map, ranks - 1);
        if (ranks <= RANKS_MAX && nodes <= RANKS_MAX)
            check_written(map, node, ranks, nodes);
    } else {
        REQUIRE(map == NULL);
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_procmap_destroy(map);
    free(text);
    return 0;
}
