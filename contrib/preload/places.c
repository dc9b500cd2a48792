/* SPDX-License-Identifier: BSD-3-Clause */
#include "places.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    atomic_bool started;
    bool usable, threads;
    MPI_Group world;
    int comm_key, window_key;
    struct place *all;
    struct tally sent, got; /* of places that are gone, by ranks of MPI_COMM_WORLD */
} places = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The communicator that was sent on at last: most programs use few. */
static struct {
    struct place *place; /* NULL: none */
    MPI_Comm comm;
} latest;

/* Adds what a place has counted to the ranks of MPI_COMM_WORLD. Whoever is not in there, as a
 * process that was spawned, is left out. */
static void translate(struct tally *to, const struct tally *from, MPI_Group group)
{
    for (size_t i = 0; i < from->capacity; i++) {
        const struct tally_entry *entry = &from->entries[i];
        int rank = (int)entry->peer, world = MPI_UNDEFINED;
        if (entry->messages > 0 &&
            PMPI_Group_translate_ranks(group, 1, &rank, places.world, &world) == MPI_SUCCESS &&
            world >= 0)
            tally_add(to, (uint32_t)world, entry->messages, entry->bytes);
    }
    to->lost |= from->lost;
}

static void close_place(struct place *place)
{
    if (latest.place == place) /* its handle may be used again */
        latest.place = NULL;
    translate(&places.sent, &place->sent, place->group);
    translate(&places.got, &place->got, place->group);
    *place->link = place->next;
    if (place->next)
        place->next->link = place->link;
    PMPI_Group_free(&place->group);
    tally_clear(&place->sent);
    tally_clear(&place->got);
    free(place->neighbours);
    free(place);
}

/* At the end of the program all has been collected, and MPI is not to be called any more. */
static void gone(struct place *place)
{
    places_lock();
    if (places.usable)
        close_place(place);
    places_unlock();
}

/* MPI calls these two when a communicator or window is freed. */
static int comm_gone(MPI_Comm comm, int key, void *place, void *extra)
{
    (void)comm, (void)key, (void)extra;
    gone(place);
    return MPI_SUCCESS;
}

static int window_gone(MPI_Win window, int key, void *place, void *extra)
{
    (void)window, (void)key, (void)extra;
    gone(place);
    return MPI_SUCCESS;
}

static void start(void)
{
    int is = 0, level = MPI_THREAD_SINGLE;
    if (PMPI_Initialized(&is) != MPI_SUCCESS || !is || PMPI_Finalized(&is) != MPI_SUCCESS || is)
        return;
    PMPI_Query_thread(&level);
    places.threads = level == MPI_THREAD_MULTIPLE;
    places.usable = PMPI_Comm_group(MPI_COMM_WORLD, &places.world) == MPI_SUCCESS &&
                    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_gone, &places.comm_key,
                                            NULL) == MPI_SUCCESS &&
                    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, window_gone, &places.window_key,
                                           NULL) == MPI_SUCCESS;
}

bool places_open(void)
{
    if (!places.started) {
        pthread_mutex_lock(&places.lock);
        if (!places.started)
            start();
        places.started = true;
        pthread_mutex_unlock(&places.lock);
    }
    return places.usable;
}

/* A mutex costs a tenth of a short message. */
void places_lock(void)
{
    if (places.threads)
        pthread_mutex_lock(&places.lock);
}

void places_unlock(void)
{
    if (places.threads)
        pthread_mutex_unlock(&places.lock);
}

/* A place whose group is there. */
static struct place *add_place(MPI_Group group)
{
    struct place *place = calloc(1, sizeof(*place));
    if (!place) {
        PMPI_Group_free(&group);
        return NULL;
    }
    place->group = group;
    place->next = places.all;
    place->link = &places.all;
    if (place->next)
        place->next->link = &place->next;
    places.all = place;
    return place;
}

static struct place *find_comm(MPI_Comm comm)
{
    struct place *place = NULL;
    MPI_Group group;
    int found = 0, inter = 0;
    if (PMPI_Comm_get_attr(comm, places.comm_key, &place, &found) != MPI_SUCCESS || found)
        return place;
    PMPI_Comm_test_inter(comm, &inter);
    int rc = inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
    place = rc == MPI_SUCCESS ? add_place(group) : NULL;
    if (place && PMPI_Comm_set_attr(comm, places.comm_key, place) != MPI_SUCCESS) {
        close_place(place);
        return NULL;
    }
    return place;
}

struct place *places_of_comm(MPI_Comm comm)
{
    if (!latest.place || latest.comm != comm) {
        latest.place = find_comm(comm);
        latest.comm = comm;
    }
    return latest.place;
}

struct place *places_of_window(MPI_Win window)
{
    struct place *place = NULL;
    MPI_Group group;
    int found = 0;
    if (PMPI_Win_get_attr(window, places.window_key, &place, &found) != MPI_SUCCESS || found)
        return place;
    place = PMPI_Win_get_group(window, &group) == MPI_SUCCESS ? add_place(group) : NULL;
    if (place && PMPI_Win_set_attr(window, places.window_key, place) != MPI_SUCCESS) {
        close_place(place);
        return NULL;
    }
    return place;
}

int places_world_rank(const struct place *place, int rank)
{
    int world = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(place->group, 1, &rank, places.world, &world);
    return world;
}

void places_sent(uint32_t world_rank, uint64_t bytes)
{
    tally_add(&places.sent, world_rank, 1, bytes);
}

void places_collect(struct tally *sent, struct tally *got)
{
    for (const struct place *place = places.all; place; place = place->next) {
        translate(&places.sent, &place->sent, place->group);
        translate(&places.got, &place->got, place->group);
    }
    *sent = places.sent;
    *got = places.got;
    places.sent = places.got = (struct tally){0};
    places.usable = false;
}
