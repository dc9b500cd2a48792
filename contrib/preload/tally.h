/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and bytes per peer, for as many peers as there are: O(peers) memory, O(1) to add. */
#ifndef STENCILMAP_TALLY_H
#define STENCILMAP_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_entry {
    uint32_t peer;
    uint64_t messages; /* 0: the place is free */
    uint64_t bytes;
};

/* Starts as {0}. */
struct tally {
    struct tally_entry *entries; /* a hash table; capacity is a power of two */
    size_t capacity;
    size_t count;
    size_t last; /* where the latest addition was */
    bool lost;   /* something is missing for want of memory */
};

/* messages at least 1. */
void tally_add(struct tally *tally, uint32_t peer, uint64_t messages, uint64_t bytes);

/* The entries in order of their peers, at the begin of the table, which takes nothing more. */
const struct tally_entry *tally_sort(struct tally *tally);

void tally_clear(struct tally *tally);

#endif
