/* SPDX-License-Identifier: BSD-3-Clause */
#include "tally.h"

#include <stdlib.h>

#define CAPACITY_FIRST 16

/* Where the peer is, or the free place for it. The table is never full. */
static size_t find(const struct tally *tally, uint32_t peer)
{
    size_t mask = tally->capacity - 1;
    size_t i = (peer * UINT32_C(2654435769)) & mask; /* Knuth's multiplicative hash */
    while (tally->entries[i].messages > 0 && tally->entries[i].peer != peer)
        i = (i + 1) & mask;
    return i;
}

static bool grow(struct tally *tally)
{
    struct tally larger = {.capacity = tally->capacity ? 2 * tally->capacity : CAPACITY_FIRST,
                           .count = tally->count,
                           .lost = tally->lost};
    larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->entries[i].messages > 0)
            larger.entries[find(&larger, tally->entries[i].peer)] = tally->entries[i];
    free(tally->entries);
    *tally = larger;
    return true;
}

void tally_add(struct tally *tally, uint32_t peer, uint64_t messages, uint64_t bytes)
{
    struct tally_entry *entry = tally->entries ? &tally->entries[tally->last] : NULL;
    if (!entry || entry->peer != peer || entry->messages == 0) {
        if (2 * tally->count >= tally->capacity && !grow(tally)) {
            tally->lost = true;
            return;
        }
        tally->last = find(tally, peer);
        entry = &tally->entries[tally->last];
        if (entry->messages == 0)
            tally->count++;
        entry->peer = peer;
    }
    entry->messages += messages;
    entry->bytes += bytes;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = ((const struct tally_entry *)a)->peer, y = ((const struct tally_entry *)b)->peer;
    return (x > y) - (x < y);
}

const struct tally_entry *tally_sort(struct tally *tally)
{
    size_t count = 0;
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->entries[i].messages > 0)
            tally->entries[count++] = tally->entries[i];
    if (count > 0)
        qsort(tally->entries, count, sizeof(*tally->entries), compare);
    return tally->entries;
}

void tally_clear(struct tally *tally)
{
    free(tally->entries);
    *tally = (struct tally){0};
}
