/* SPDX-License-Identifier: BSD-3-Clause */
/* Why this is a bound. Let S be a set of cells, and F_i(S) the sum over all lines along axis i of
 * leaving_i(cells of S on that line). What leaves S is at least the sum of the F_i.
 *
 * Compression: push the cells of every line along axis j to the front of that line. F_j stays, for
 * it depends on the counts alone. For i != j, look at one plane of the axes i and j: the counts on
 * the lines along i turn into the conjugate of the partition that the counts on the lines along j
 * form, and that majorizes the counts before. A sum of one concave function is Schur-concave, so
 * F_i does not grow. Repeated over all axes this ends (coordinates only fall) in a set that is
 * closed downwards along every axis, with no more leaving it. Hence it is enough to look at such
 * sets.
 *
 * There the slices across axis i, at coordinates t = 0, 1, ..., are nested, their sizes s_t do not
 * increase, and s_t lines along i have more than t cells, so
 *     F_i = sum over t of s_t * (leaving_i[t + 1] - leaving_i[t]),
 * while the other axes cost at least least'[s_t] in each slice, least' being the same bound with
 * one axis less. The programme minimizes that over all non-increasing sequences s_t with sum n:
 * nested slices have such sizes, so the minimum is a lower bound (with two axes it is exact: every
 * such sequence is a partition). */
#include "bound/bound_shape_private.h"

#include <stdlib.h>
#include <string.h>

/* Signed: in a ring the last slices give back what the first ones have cost. */
#define NONE INT64_MAX

/* So many steps of the programme for one axis, some hundredths of a second. */
#define WORK_MAX (UINT64_C(1) << 25)

/* One more slice: value[m][s] is the least cost of placing m cells into the slices from t on, none
 * larger than s; later holds the same from t + 1 on, or is value itself where every further slice
 * costs the same. */
static void one_slice(int64_t *value, const int64_t *later, const int64_t inner[],
                      int64_t difference, uint32_t most)
{
    size_t row = (size_t)most + 1;
    for (uint32_t m = 0; m <= most; m++) {
        int64_t *here = value + m * row;
        here[0] = m == 0 ? 0 : NONE;
        for (uint32_t s = 1; s <= most; s++) {
            here[s] = here[s - 1];
            if (s > m || inner[s] == NONE)
                continue;
            int64_t rest = later[(m - s) * row + s];
            int64_t cost = rest == NONE ? NONE : rest + inner[s] + s * difference;
            here[s] = cost < here[s] ? cost : here[s];
        }
    }
}

/* From which slice on does every further one add the same? */
static uint32_t steady_from(const struct smap_bound_axis *axis, uint32_t slices)
{
    uint32_t t = slices;
    while (t > 1 && axis->leaving[t - 1] - axis->leaving[t - 2] ==
                        axis->leaving[slices] - axis->leaving[slices - 1])
        t--;
    return t - 1;
}

static int add_axis(const struct smap_bound_axis *axis, const int64_t inner[], uint32_t most,
                    int64_t least[], struct smap_error *err)
{
    size_t row = (size_t)most + 1;
    uint32_t slices = axis->length < most ? axis->length : most, t = slices;
    uint32_t passes = axis->length >= most ? steady_from(axis, slices) + 1 : slices;
    if (passes * (uint64_t)row * row > WORK_MAX)
        return smap_fail(err, SMAP_ENOTSUP, "the bound is too much work");
    int64_t *value = calloc(row * row, sizeof(*value));
    int64_t *later = calloc(row * row, sizeof(*later));
    if (!value || !later) {
        free(value);
        free(later);
        return smap_nomem(err);
    }
    if (axis->length >= most) { /* there are slices enough: their number is no limit */
        t = steady_from(axis, slices);
        one_slice(value, value, inner, (int64_t)(axis->leaving[slices] - axis->leaving[slices - 1]),
                  most);
    } else {
        for (uint32_t m = 0; m <= most; m++)
            for (uint32_t s = 0; s <= most; s++)
                value[m * row + s] = m == 0 ? 0 : NONE;
    }
    while (t-- > 0) {
        int64_t *swapped = later;
        later = value;
        value = swapped;
        one_slice(value, later, inner, (int64_t)(axis->leaving[t + 1] - axis->leaving[t]), most);
    }
    for (uint32_t m = 0; m <= most; m++)
        least[m] = value[m * row + most];
    free(value);
    free(later);
    return SMAP_OK;
}

int smap_bound_shape(const struct smap_bound_axis axes[], size_t count, uint32_t most,
                     uint64_t least[], struct smap_error *err)
{
    int rc = SMAP_OK;
    if (most > SMAP_BOUND_CELLS_MAX)
        return smap_fail(err, SMAP_ENOTSUP, "the bound is too much work");
    int64_t *inner = calloc((size_t)most + 1, sizeof(*inner));
    int64_t *outer = calloc((size_t)most + 1, sizeof(*outer));
    if (!inner || !outer)
        rc = smap_nomem(err);
    for (uint32_t n = 0; rc == SMAP_OK && n <= most; n++)
        outer[n] = n <= axes[0].length ? (int64_t)axes[0].leaving[n] : NONE;
    for (size_t i = 1; rc == SMAP_OK && i < count; i++) {
        memcpy(inner, outer, ((size_t)most + 1) * sizeof(*inner));
        rc = add_axis(&axes[i], inner, most, outer, err);
    }
    for (uint32_t n = 0; rc == SMAP_OK && n <= most; n++)
        least[n] = outer[n] == NONE ? UINT64_MAX : (uint64_t)outer[n];
    free(inner);
    free(outer);
    return rc;
}
