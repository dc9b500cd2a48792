/* SPDX-License-Identifier: BSD-3-Clause */
#include "persistent.h"

#include <stdlib.h>
#include <string.h>

#include "places.h"

/* A program has some for each neighbour, seldom more than a few hundred. */
#define BUCKETS 1024

struct remembered {
    struct remembered *next;
    MPI_Request request;
    int count;
    struct persistent_message messages[];
};

static struct remembered *buckets[BUCKETS];

/* A request is a number in one MPI and a pointer in another. */
static struct remembered **bucket_of(MPI_Request request)
{
    uintptr_t number = 0;
    memcpy(&number, &request, sizeof(request) < sizeof(number) ? sizeof(request) : sizeof(number));
    return &buckets[(number ^ number >> 10) % BUCKETS];
}

static struct remembered **find(MPI_Request request)
{
    struct remembered **link = bucket_of(request);
    while (*link && (*link)->request != request)
        link = &(*link)->next;
    return link;
}

void persistent_forget(MPI_Request request)
{
    struct remembered **link = find(request), *found = *link;
    if (found) {
        *link = found->next;
        free(found);
    }
}

void persistent_remember(MPI_Request request, const struct persistent_message messages[], int count)
{
    struct remembered **link = bucket_of(request);
    struct remembered *made = malloc(sizeof(*made) + (size_t)count * sizeof(*messages));
    persistent_forget(request);
    if (!made)
        return;
    *made = (struct remembered){*link, request, count};
    memcpy(made->messages, messages, (size_t)count * sizeof(*messages));
    *link = made;
}

void persistent_start(MPI_Request request)
{
    const struct remembered *found = *find(request);
    for (int i = 0; found && i < found->count; i++)
        places_sent(found->messages[i].to, found->messages[i].bytes);
}
