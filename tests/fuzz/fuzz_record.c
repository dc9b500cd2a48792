/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of what an application sent: what is read has its edges in order and is written and read
 * again as the same. */
#include "fuzz.h"
#include "record/record.h"

static void check_order(const struct smap_record *record)
{
    uint64_t messages = 0, bytes = 0;
    for (uint32_t r = 0; r < record->ranks; r++) {
        REQUIRE(record->node_of_rank[r] < record->nodes ||
                record->node_of_rank[r] == SMAP_RECORD_NO_NODE);
        for (size_t i = record->first[r]; i < record->first[r + 1]; i++) {
            const struct smap_record_edge *e = &record->edge[i];
            REQUIRE(e->from == r && e->to < record->ranks && e->to != r);
            REQUIRE(i == record->first[r] || e[-1].to < e->to);
            messages += e->messages;
            bytes += e->bytes;
        }
    }
    REQUIRE(record->first[record->ranks] == record->edges);
    REQUIRE(messages == record->messages && bytes == record->bytes);
}

static void check_round_trip(const struct smap_record *record)
{
    struct smap_record again;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    REQUIRE(file && smap_record_write(record, file, NULL) == SMAP_OK);
    fclose(file);
    file = fmemopen(text, size, "r");
    REQUIRE(file && smap_record_read(&again, file, NULL) == SMAP_OK);
    fclose(file);
    REQUIRE(again.ranks == record->ranks && again.nodes == record->nodes);
    REQUIRE(again.edges == record->edges && again.carts == record->carts);
    REQUIRE(record->edges == 0 ||
            memcmp(again.edge, record->edge, record->edges * sizeof(*record->edge)) == 0);
    smap_record_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smap_record record;
    struct smap_error err = {""};
    char *text = fuzz_text(data, size);
    FILE *file = fmemopen(text, size ? size : 1, "r");
    REQUIRE(file);
    if (smap_record_read(&record, file, &err) == SMAP_OK) {
        check_order(&record);
        if (record.ranks <= 4096)
            check_round_trip(&record);
        smap_record_clear(&record);
    } else {
        REQUIRE(!record.edge && !record.node_of_rank);
        fuzz_check_error(err.text, sizeof(err.text));
    }
    fclose(file);
    free(text);
    return 0;
}
