/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/numbers.h"

uint64_t smap_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

uint64_t smap_random_state(uint64_t seed)
{
    return seed * SMAP_GOLDEN | 1;
}
