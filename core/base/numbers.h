/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers: the one greatest common divisor, and the one random number generator, which gives
 * the same numbers on every machine, so that a search finds the same everywhere. */
#ifndef SMAP_NUMBERS_H
#define SMAP_NUMBERS_H

#include <stdint.h>

/* The greatest common divisor; that of 0 and b is b. */
uint64_t smap_gcd(uint64_t a, uint64_t b);

/* 2^64 over the golden ratio, odd: multiplied by it, small numbers lie far apart. */
#define SMAP_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* A state to start from, different for seeds that are small; never 0. */
uint64_t smap_random_state(uint64_t seed);

/* The next number of xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled", 2016); the state must not be 0. In the header because refinement draws
 * some for each of up to 5 * 10^8 steps. */
static inline uint64_t smap_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* Makes 32 random bits a number below count, at most 2^32, without a division. */
static inline uint32_t smap_random_below(uint32_t bits, uint64_t count)
{
    return (uint32_t)((bits * count) >> 32);
}

#endif
