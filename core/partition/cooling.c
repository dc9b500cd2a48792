/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/cooling_private.h"

#define COOLING UINT64_C(4271771996) /* 2^(-1/128) in 32 binary places */
#define LN_2    45426                /* ln 2 in LOGS_BITS binary places */

/* So many edges a cell has in the plain stencils, 4 in 2-D and 6 in 3-D, about: temperatures are
 * meant for those. */
#define PLAIN_DEGREE 5

/* log2 of x in LOGS_BITS binary places, x at least 1, by repeated squaring: no libm, whose last bit
 * may differ from machine to machine. */
static uint32_t log2_fixed(uint32_t x)
{
    uint32_t whole = 31 - (uint32_t)__builtin_clz(x), bits = 0;
    uint64_t y = ((uint64_t)x << 31) >> whole; /* in [1, 2) with 31 binary places */
    for (int i = 0; i < SMAP_LOGS_BITS; i++) {
        y = (y * y) >> 31;
        bits <<= 1;
        if (y >> 32) {
            y >>= 1;
            bits |= 1;
        }
    }
    return (whole << SMAP_LOGS_BITS) | bits;
}

void smap_logs_make(struct smap_logs *logs)
{
    uint32_t top = log2_fixed(2 * SMAP_LOGS);
    for (uint32_t i = 0; i < SMAP_LOGS; i++)
        logs->value[i] =
            (uint32_t)(((uint64_t)(top - log2_fixed(2 * i + 1)) * LN_2) >> SMAP_LOGS_BITS);
}

uint64_t smap_cool(uint64_t temperature, uint32_t halves)
{
    for (uint32_t i = 0; i < halves; i++)
        temperature = (temperature * COOLING) >> 32;
    return temperature;
}

uint64_t smap_weight_scale(uint64_t sum, uint64_t edges, uint32_t cells)
{
    sum = edges ? (sum << SMAP_TEMPERATURE_BITS) / edges : 0;
    return edges > PLAIN_DEGREE * (uint64_t)cells ? sum * (edges / cells) / PLAIN_DEGREE : sum;
}
