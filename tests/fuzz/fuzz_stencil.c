/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils. The first byte is the number of dimensions that is known ('0': none), the rest a name
 * or offsets. */
#include "fuzz.h"
#include "grid/grid.h"
#include "grid/stencil.h"

static void check(const struct smap_stencil *s)
{
    uint64_t weight = 0;
    REQUIRE(s->ndims >= 1 && s->ndims <= SMAP_DIMS_MAX);
    REQUIRE(s->count >= 1 && s->count <= SMAP_OFFSETS_MAX);
    for (size_t r = 0; r < s->count; r++) {
        const int32_t *offset = smap_stencil_offset(s, r);
        int nonzero = 0;
        for (size_t i = 0; i < s->ndims; i++) {
            nonzero |= offset[i] != 0;
            REQUIRE(offset[i] >= -SMAP_OFFSET_MAX && offset[i] <= SMAP_OFFSET_MAX);
        }
        REQUIRE(nonzero);
        REQUIRE(s->weights[r] >= 1 && s->weights[r] <= SMAP_WEIGHT_MAX);
        weight += s->weights[r];
    }
    REQUIRE(weight == smap_stencil_weight(s) && weight <= SMAP_WEIGHT_SUM_MAX);
}

static void check_round_trip(const struct smap_stencil *s)
{
    struct smap_stencil *again = NULL;
    char *text = smap_stencil_format(s);
    REQUIRE(text && smap_stencil_parse(&again, text, s->ndims, NULL) == SMAP_OK);
    REQUIRE(again->ndims == s->ndims && again->count == s->count);
    REQUIRE(memcmp(again->offsets, s->offsets, s->count * s->ndims * sizeof(*s->offsets)) == 0);
    REQUIRE(memcmp(again->weights, s->weights, s->count * sizeof(*s->weights)) == 0);
    smap_stencil_destroy(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return -1;
    size_t ndims = (uint8_t)(data[0] - '0') % (SMAP_DIMS_MAX + 1);
    char *text = fuzz_text(data + 1, size - 1);
    struct smap_error err = {""};
    struct smap_stencil *s = NULL;
    if (smap_stencil_parse(&s, text, ndims, &err) == SMAP_OK) {
        REQUIRE(ndims == 0 || s->ndims == ndims);
        check(s);
        if (s->count < 2000)
            check_round_trip(s);
    } else {
        REQUIRE(s == NULL);
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_stencil_destroy(s);
    free(text);
    return 0;
}
