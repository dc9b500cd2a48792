/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ways of annealing share: temperatures that fall, and how much worse a step may be. */
#ifndef SMAP_COOLING_PRIVATE_H
#define SMAP_COOLING_PRIVATE_H

#include <stdint.h>

/* The temperature falls in so many steps, each 2^(-1/128) of the last one for every halving that
 * the schedule asks for. */
#define SMAP_TEMPERATURES 128

/* Binary places of a temperature. */
#define SMAP_TEMPERATURE_BITS 8

/* -ln x is looked up for so many x between 0 and 1: finer than the weights are, and 4 KiB. */
#define SMAP_LOGS      1024
#define SMAP_LOGS_BITS 16

struct smap_logs {
    uint32_t value[SMAP_LOGS]; /* -ln of (i + 1/2) / LOGS in LOGS_BITS binary places */
};

void smap_logs_make(struct smap_logs *logs);

/* How much worse a step may be that this random number is thrown for. */
static inline int64_t smap_logs_limit(const struct smap_logs *logs, uint64_t temperature,
                                      uint64_t random)
{
    return (int64_t)((temperature * logs->value[random % SMAP_LOGS]) >>
                     (SMAP_LOGS_BITS + SMAP_TEMPERATURE_BITS));
}

/* The temperature after one of SMAP_TEMPERATURES. */
uint64_t smap_cool(uint64_t temperature, uint32_t halves);

/* The scale of temperatures, from the sum of all weights there and back, the number of edges and
 * that of cells: the mean weight; with more neighbours than in a plain stencil a move changes as
 * many more edges. */
uint64_t smap_weight_scale(uint64_t sum, uint64_t edges, uint32_t cells);

#endif
