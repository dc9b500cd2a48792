/* SPDX-License-Identifier: BSD-3-Clause */
/* Without memory the plugin says so, whichever of its requests is the one that fails. */
#include "fake_spank.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "machine/topology.h"
#include "srun/allocation.h"
#include "stepd/seats.h"
#include "unit_memory.h"

/* Four nodes of eight CPUs, where --threads-per-core makes the prediction look twice. */
static int predict(struct smap_error *err)
{
    struct allocation allocation = {0};
    int rc = allocation_predict(&allocation, 32, false, err);
    if (rc == SMAP_OK)
        allocation_release(&allocation);
    return rc;
}

/* The prediction behind placement launch. */
static void srun_predicts(void **state)
{
    (void)state;
    fake_reset();
    setenv("SLURM_JOB_ID", "1", 1);
    setenv("SLURM_JOB_NODELIST", "n[0-3]", 1);
    setenv("SLURM_JOB_CPUS_PER_NODE", "8(x4)", 1);
    fake_srun_option("ntasks", "32");
    fake_srun_option("nodes", "4");
    fake_srun_option("threads-per-core", "1");
    memory_runs_out(predict);
}

/* Two tasks on one of two sockets. */
static int count_tasks(struct smap_error *err)
{
    static const struct smap_topology_source source = {.synthetic = "pack:2 core:2 pu:1"};
    struct smap_topology *topology = NULL;
    struct smap_shape shape = {0};
    struct seat seats[2] = {{.owner = 0}, {.owner = 1}};
    uint32_t most = 0;
    unsigned left = memory_left;
    memory_left = 0;
    assert_int_equal(smap_topology_load(&topology, &source, NULL), SMAP_OK);
    assert_int_equal(smap_topology_shape(&shape, topology, SMAP_LEAF_PU, 0, NULL), SMAP_OK);
    cpumask_add(&seats[0].mask, 2);
    cpumask_add(&seats[1].mask, 3);
    memory_left = left;
    int rc = seats_fullest(&most, &shape, "socket", seats, 2, err);
    if (rc == SMAP_OK)
        assert_int_equal(most, 2);
    smap_shape_clear(&shape);
    smap_topology_destroy(topology);
    return rc;
}

/* A limit of tasks per socket is not taken for kept where they cannot be counted. */
static void tasks_are_counted(void **state)
{
    (void)state;
    memory_runs_out(count_tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(srun_predicts),
        cmocka_unit_test(tasks_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
