/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks per node: "48(x50),16". */
#include "fuzz.h"
#include "step/nodesizes.h"

static void check_node(const struct smap_nodesizes *s, uint32_t node)
{
    uint32_t first = smap_nodesizes_first(s, node), size = smap_nodesizes_size(s, node);
    REQUIRE(size > 0);
    REQUIRE(smap_nodesizes_first(s, node + 1) - first == size);
    REQUIRE(smap_nodesizes_node_at(s, first) == node);
    REQUIRE(smap_nodesizes_node_at(s, first + size - 1) == node);
}

static void check_round_trip(const struct smap_nodesizes *s)
{
    struct smap_nodesizes *again = NULL;
    char *text = smap_nodesizes_format(s);
    REQUIRE(text && smap_nodesizes_parse(&again, text, NULL) == SMAP_OK);
    char *same = smap_nodesizes_format(again);
    REQUIRE(same && strcmp(text, same) == 0);
    REQUIRE(smap_nodesizes_tasks(again) == smap_nodesizes_tasks(s));
    REQUIRE(smap_nodesizes_nodes(again) == smap_nodesizes_nodes(s));
    REQUIRE(smap_nodesizes_uniform(again) == smap_nodesizes_uniform(s));
    smap_nodesizes_destroy(again);
    free(text);
    free(same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct smap_error err = {""};
    struct smap_nodesizes *s = NULL;
    if (smap_nodesizes_parse(&s, text, &err) == SMAP_OK) {
        uint32_t nodes = smap_nodesizes_nodes(s), step = nodes / 100 + 1;
        REQUIRE(nodes > 0 && nodes <= smap_nodesizes_tasks(s));
        REQUIRE(smap_nodesizes_first(s, 0) == 0);
        REQUIRE(smap_nodesizes_first(s, nodes) == smap_nodesizes_tasks(s));
        check_node(s, nodes - 1);
        for (uint32_t i = 0; i < nodes && i + step > i; i += step)
            check_node(s, i);
        check_round_trip(s);
    } else {
        REQUIRE(s == NULL);
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_nodesizes_destroy(s);
    free(text);
    return 0;
}
