/* SPDX-License-Identifier: BSD-3-Clause */
#include "gain.h"

#include <pthread.h>
#include <stdlib.h>

#include "nodekey.h"

/* Made with the first gain, freed by MPI_Finalize, which deletes the attributes of MPI_COMM_SELF
 * before anything else. */
static struct {
    pthread_mutex_t lock;
    int gain;   /* of communicators */
    int finale; /* of MPI_COMM_SELF: frees both keys */
} keys = {PTHREAD_MUTEX_INITIALIZER, MPI_KEYVAL_INVALID, MPI_KEYVAL_INVALID};

static int copy_gain(MPI_Comm from, int key, void *state, void *value, void *copy, int *flag)
{
    struct smap_gain *own = malloc(sizeof(*own));
    (void)from;
    (void)key;
    (void)state;
    *flag = own != NULL;
    if (own) {
        *own = *(struct smap_gain *)value;
        *(void **)copy = own;
    }
    return MPI_SUCCESS;
}

static int delete_gain(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)state;
    free(value);
    return MPI_SUCCESS;
}

static int free_keys(MPI_Comm self, int key, void *value, void *state)
{
    (void)self;
    (void)key;
    (void)value;
    (void)state;
    pthread_mutex_lock(&keys.lock);
    if (keys.gain != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&keys.gain);
    if (keys.finale != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&keys.finale);
    pthread_mutex_unlock(&keys.lock);
    return MPI_SUCCESS;
}

static void create_keys(void)
{
    if (PMPI_Comm_create_keyval(copy_gain, delete_gain, &keys.gain, NULL) != MPI_SUCCESS) {
        keys.gain = MPI_KEYVAL_INVALID;
        return;
    }
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_keys, &keys.finale, NULL) ==
        MPI_SUCCESS)
        PMPI_Comm_set_attr(MPI_COMM_SELF, keys.finale, NULL);
}

/* MPI_KEYVAL_INVALID where there is none. */
static int gain_key(bool create)
{
    int rank;
    pthread_mutex_lock(&keys.lock);
    if (create && keys.gain == MPI_KEYVAL_INVALID && smap_world_rank(&rank))
        create_keys();
    int key = keys.gain;
    pthread_mutex_unlock(&keys.lock);
    return key;
}

void smap_gain_set(MPI_Comm comm, const struct smap_score *before, const struct smap_score *after)
{
    int key = gain_key(true);
    struct smap_gain *own = key != MPI_KEYVAL_INVALID ? malloc(sizeof(*own)) : NULL;
    if (!own)
        return;
    *own = (struct smap_gain){
        {(int64_t)before->jsum, (int64_t)after->jsum, (int64_t)before->jmax, (int64_t)after->jmax}};
    if (PMPI_Comm_set_attr(comm, key, own) != MPI_SUCCESS)
        free(own);
}

bool smap_gain_get(struct smap_gain *gain, MPI_Comm comm)
{
    int key = gain_key(false), flag = 0;
    void *value = NULL;
    if (key == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr(comm, key, &value, &flag) != MPI_SUCCESS ||
        !flag)
        return false;
    *gain = *(struct smap_gain *)value;
    return true;
}
