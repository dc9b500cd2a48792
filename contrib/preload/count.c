/* SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <stdbool.h>
#include <stdlib.h>

#include "persistent.h"
#include "places.h"

/* The size of a type is asked for at each message, and a short message is soon sent. */
static MPI_Count size_of(MPI_Datatype type)
{
    MPI_Count size = 0;
    if (type == MPI_DOUBLE)
        return sizeof(double);
    if (type == MPI_BYTE || type == MPI_CHAR)
        return 1;
    PMPI_Type_size_x(type, &size);
    return size;
}

static uint64_t bytes_of(MPI_Count elements, MPI_Datatype type)
{
    MPI_Count size = size_of(type);
    return elements > 0 && size > 0 ? (uint64_t)elements * (uint64_t)size : 0;
}

static uint64_t bytes_for(const struct amount *amount, int neighbour)
{
    MPI_Count elements = amount->counts         ? amount->counts[neighbour]
                         : amount->large_counts ? amount->large_counts[neighbour]
                                                : amount->each;
    return bytes_of(elements, amount->types ? amount->types[neighbour] : amount->type);
}

void count_sent(MPI_Comm comm, int to, MPI_Count elements, MPI_Datatype type)
{
    if (to < 0 || !places_open()) /* MPI_PROC_NULL */
        return;
    uint64_t bytes = bytes_of(elements, type);
    places_lock();
    struct place *place = places_of_comm(comm);
    if (place)
        tally_add(&place->sent, (uint32_t)to, 1, bytes);
    places_unlock();
}

/* In the order in which collectives go through them: MPI 4.0, section 8.6. */
static int cart_neighbours(MPI_Comm comm, int neighbours[], int ndims)
{
    for (int i = 0; i < ndims; i++)
        PMPI_Cart_shift(comm, i, 1, &neighbours[2 * i], &neighbours[2 * i + 1]);
    return 2 * ndims;
}

static int list_neighbours(MPI_Comm comm, int kind, int neighbours[], int degree)
{
    int rank, in = 0, out = 0, weighted;
    PMPI_Comm_rank(comm, &rank);
    if (kind == MPI_CART)
        return cart_neighbours(comm, neighbours, degree / 2);
    if (kind == MPI_GRAPH)
        return PMPI_Graph_neighbors(comm, rank, degree, neighbours) == MPI_SUCCESS ? degree : 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    int *rest = calloc((size_t)in * 2 + (size_t)out + 1, sizeof(*rest));
    bool able = rest && PMPI_Dist_graph_neighbors(comm, in, rest, rest + in, out, neighbours,
                                                  rest + 2 * in) == MPI_SUCCESS;
    free(rest);
    return able ? degree : 0;
}

static void find_neighbours(struct place *place, MPI_Comm comm)
{
    int kind = MPI_UNDEFINED, degree = 0, in, weighted, rank;
    PMPI_Topo_test(comm, &kind);
    PMPI_Comm_rank(comm, &rank);
    if (kind == MPI_CART && PMPI_Cartdim_get(comm, &degree) == MPI_SUCCESS)
        degree *= 2;
    else if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors_count(comm, rank, &degree);
    else if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(comm, &in, &degree, &weighted);
    place->neighbours = calloc((size_t)degree + 1, sizeof(*place->neighbours));
    if (place->neighbours && degree > 0)
        place->degree = list_neighbours(comm, kind, place->neighbours, degree);
}

/* The place, with its neighbours known. */
static struct place *place_with_neighbours(MPI_Comm comm)
{
    struct place *place = places_of_comm(comm);
    if (place && !place->neighbours)
        find_neighbours(place, comm);
    return place;
}

void count_sent_to_neighbours(MPI_Comm comm, const struct amount *amount)
{
    if (!places_open())
        return;
    places_lock();
    struct place *place = place_with_neighbours(comm);
    for (int i = 0; place && i < place->degree; i++)
        if (place->neighbours[i] >= 0)
            tally_add(&place->sent, (uint32_t)place->neighbours[i], 1, bytes_for(amount, i));
    places_unlock();
}

void count_at_start(MPI_Request request, MPI_Comm comm, int to, MPI_Count elements,
                    MPI_Datatype type)
{
    struct persistent_message message = {.bytes = bytes_of(elements, type)};
    if (to < 0 || !places_open())
        return;
    places_lock();
    struct place *place = places_of_comm(comm);
    int world = place ? places_world_rank(place, to) : MPI_UNDEFINED;
    message.to = (uint32_t)world;
    persistent_remember(request, &message, world >= 0 ? 1 : 0);
    places_unlock();
}

void count_at_start_to_neighbours(MPI_Request request, MPI_Comm comm, const struct amount *amount)
{
    int count = 0;
    if (!places_open())
        return;
    places_lock();
    struct place *place = place_with_neighbours(comm);
    struct persistent_message *messages =
        place ? calloc((size_t)place->degree + 1, sizeof(*messages)) : NULL;
    for (int i = 0; messages && i < place->degree; i++) {
        int world = place->neighbours[i] >= 0 ? places_world_rank(place, place->neighbours[i]) : -1;
        if (world >= 0)
            messages[count++] = (struct persistent_message){(uint32_t)world, bytes_for(amount, i)};
    }
    if (messages)
        persistent_remember(request, messages, count);
    free(messages);
    places_unlock();
}

static void count_one_sided(MPI_Win window, int rank, uint64_t bytes, bool got)
{
    if (rank < 0 || !places_open())
        return;
    places_lock();
    struct place *place = places_of_window(window);
    if (place)
        tally_add(got ? &place->got : &place->sent, (uint32_t)rank, 1, bytes);
    places_unlock();
}

void count_put(MPI_Win window, int rank, MPI_Count elements, MPI_Datatype type)
{
    count_one_sided(window, rank, bytes_of(elements, type), false);
}

void count_got(MPI_Win window, int rank, MPI_Count elements, MPI_Datatype type)
{
    count_one_sided(window, rank, bytes_of(elements, type), true);
}

void count_start(int count, const MPI_Request requests[])
{
    if (!places_open())
        return;
    places_lock();
    for (int i = 0; i < count; i++)
        persistent_start(requests[i]);
    places_unlock();
}

void count_request_free(MPI_Request request)
{
    places_lock();
    persistent_forget(request);
    places_unlock();
}
