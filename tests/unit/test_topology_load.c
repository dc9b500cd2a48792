/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading a topology never hurts the process: files that hwloc crashes on, files that are no
 * files, and the cpus that the process is bound to. And the reason is hwloc's. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/topology.h"
#include "machine/trial_private.h"
#include "machine/words_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char data[] = STENCILMAP_TEST_DATA "/topology";

/* In front of the C library's, for hwloc too: it binds by these. */
static unsigned bound;

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    bound++;
    return (int)syscall(SYS_sched_setaffinity, pid, size, set);
}

EXPORTED int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    (void)thread;
    bound++;
    return (int)syscall(SYS_sched_setaffinity, 0, size, set);
}

static void test_binding_is_left_alone(void **state)
{
    const struct smap_topology_source this_machine = {.xml = NULL};
    struct smap_topology *topology = NULL;
    struct smap_error err = {""};
    cpu_set_t before, after;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
    bound = 0;
    assert_int_equal(smap_topology_load(&topology, &this_machine, &err), SMAP_OK);
    assert_int_equal(bound, 0);
    assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    smap_topology_destroy(topology);
}

/* ---- files ---- */

static char *read_all(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void write_all(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

/* Takes every (or only the first) ` name="..."` out of the text. */
static void drop(char *text, const char *name, bool all)
{
    char begin[64];
    snprintf(begin, sizeof(begin), " %s=\"", name);
    for (char *at = strstr(text, begin); at; at = all ? strstr(text, begin) : NULL) {
        char *end = strchr(at + strlen(begin), '"') + 1;
        memmove(at, end, strlen(end) + 1);
    }
}

/* Loaded, or refused with one line that names the file; in any case we live to tell. */
static void check_survives(const char *path, const char *what)
{
    const struct smap_topology_source source = {.xml = path};
    struct smap_topology *topology = NULL;
    struct smap_error err = {""};
    int rc = smap_topology_load(&topology, &source, &err);
    if (rc == SMAP_OK) {
        smap_topology_destroy(topology);
        return;
    }
    assert_null(topology);
    assert_true(rc == SMAP_EINVAL || rc == SMAP_ESYS);
    if (strncmp(err.text, "topology=", 9) != 0 || !strstr(err.text, path) || strchr(err.text, '\n'))
        fail_msg("%s: %s", what, err.text);
}

static void test_files_that_crash(void **state)
{
    static const char *const machines[] = {"cgroup.xml", "extra-memory.xml", "smt-hybrid.xml",
                                           "one-pu.xml"};
    static const char *const attributes[] = {
        "cpuset",          "complete_cpuset", "allowed_cpuset", "nodeset", "complete_nodeset",
        "allowed_nodeset", "gp_index",        "os_index",       "type",    "local_memory"};
    char path[] = "/tmp/stencilmap-test-XXXXXX";
    (void)state;
    close(mkstemp(path));
    for (size_t m = 0; m < COUNT(machines); m++) {
        char from[512];
        snprintf(from, sizeof(from), "%s/%s", data, machines[m]);
        for (size_t a = 0; a < 2 * COUNT(attributes); a++) {
            char *text = read_all(from);
            drop(text, attributes[a / 2], a % 2 != 0);
            write_all(path, text);
            check_survives(path, attributes[a / 2]);
            free(text);
        }
        /* Cut anywhere. */
        char *text = read_all(from);
        for (size_t length = strlen(text); length > 300; length -= 300) {
            text[length] = '\0';
            write_all(path, text);
            check_survives(path, "cut");
        }
        free(text);
    }
    unlink(path);
}

/* hwloc's own words, also where the library has been in use before (slurmstepd's has). */
static void test_words(void **state)
{
    char path[] = "/tmp/stencilmap-test-XXXXXX";
    (void)state;
    close(mkstemp(path));
    const struct smap_topology_source source = {.xml = path};
    struct smap_topology *topology = NULL;
    struct smap_error err = {""};
    char *text = read_all(STENCILMAP_TEST_DATA "/topology/cgroup.xml");
    write_all(path, text);
    assert_int_equal(smap_topology_load(&topology, &source, &err), SMAP_OK);
    smap_topology_destroy(topology);
    char *version = strstr(text, "version=\"2.0\"");
    assert_non_null(version);
    version[strlen("version=\"")] = '9';
    write_all(path, text);
    assert_int_equal(smap_topology_load(&topology, &source, &err), SMAP_EINVAL);
    if (!strstr(err.text, "XML version 9.0 > "))
        fail_msg("%s", err.text);
    free(text);
    unlink(path);
}

static void test_no_files(void **state)
{
    char fifo[] = "/tmp/stencilmap-test-XXXXXX";
    (void)state;
    close(mkstemp(fifo));
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const paths[] = {"", "/nonexistent", "/tmp", "/dev/zero", fifo};
    for (size_t i = 0; i < COUNT(paths); i++) {
        const struct smap_topology_source source = {.xml = paths[i]};
        struct smap_topology *topology = NULL;
        struct smap_error err = {""};
        assert_int_equal(smap_topology_load(&topology, &source, &err), SMAP_ESYS);
        check_survives(paths[i], "no file");
    }
    unlink(fifo);
}

/* slurmstepd has other threads, which may hold the locks of the C library at any time. */
static volatile bool stop;

static void *be_busy(void *nothing)
{
    while (!stop)
        free(malloc((size_t)(rand() % 5000)));
    return nothing;
}

static void test_beside_threads(void **state)
{
    const struct smap_topology_source source = {.xml = STENCILMAP_TEST_DATA "/topology/cgroup.xml"};
    pthread_t thread[2];
    (void)state;
    for (size_t i = 0; i < COUNT(thread); i++)
        assert_int_equal(pthread_create(&thread[i], NULL, be_busy, NULL), 0);
    for (int i = 0; i < 50; i++) {
        struct smap_topology *topology = NULL;
        struct smap_error err = {""};
        if (smap_topology_load(&topology, &source, &err) != SMAP_OK)
            fail_msg("%s", err.text);
        smap_topology_destroy(topology);
    }
    stop = true;
    for (size_t i = 0; i < COUNT(thread); i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

/* ---- trials ---- */

static int succeed(void *context, struct smap_error *err)
{
    (void)err;
    fputs("first\nsecond\n", stderr);
    *(int *)context = 1; /* in the child's memory only */
    return SMAP_OK;
}

static int refuse(void *context, struct smap_error *err)
{
    (void)context;
    return smap_fail(err, SMAP_ENOTSUP, "not today");
}

static int crash(void *context, struct smap_error *err)
{
    (void)context;
    (void)err;
    fputs("last words", stderr);
    return raise(SIGSEGV);
}

static _Noreturn int leave(void *context, struct smap_error *err)
{
    (void)context;
    (void)err;
    _exit(0);
}

static _Noreturn int hang(void *context, struct smap_error *err)
{
    (void)context;
    (void)err;
    for (;;)
        pause();
}

static int chatter(void *context, struct smap_error *err)
{
    (void)context;
    (void)err;
    for (int i = 0; i < 100000; i++)
        fputs("much to say\n", stderr);
    return SMAP_OK;
}

static void test_trials(void **state)
{
    static const struct {
        int (*attempt)(void *context, struct smap_error *err);
        int rc;
        const char *text, *said;
    } cases[] = {
        {succeed, SMAP_OK, "", "first\nsecond\n"},
        {refuse, SMAP_ENOTSUP, "not today", ""},
        {crash, SMAP_ESYS, "crashes (Segmentation fault)", "last words"},
        {leave, SMAP_ESYS, "crashes (exit)", ""},
        {hang, SMAP_ESYS, "is not done after 1 seconds", ""},
        {chatter, SMAP_OK, "", "much to say\nmuch to say\nmuch to say\nm"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char said[38] = "?";
        int ran = 0;
        struct smap_error err = {""};
        const struct smap_trial trial = {cases[i].attempt, &ran, cases[i].attempt == hang ? 1 : 60};
        assert_int_equal(smap_trial_run(said, sizeof(said), &trial, &err), cases[i].rc);
        assert_string_equal(err.text, cases[i].text);
        assert_string_equal(said, cases[i].said);
        assert_int_equal(ran, 0);
    }
}

/* A file of 64 MiB and a byte, which takes no room on the disk. */
static void test_large_file(void **state)
{
    char path[] = "/tmp/stencilmap-test-XXXXXX", want[64];
    const struct smap_topology_source source = {.xml = path};
    struct smap_topology *topology = NULL;
    struct smap_error err = {""};
    int file = mkstemp(path);
    (void)state;
    assert_int_equal(ftruncate(file, (64L << 20) + 1), 0);
    close(file);
    assert_int_equal(smap_topology_load(&topology, &source, &err), SMAP_ESYS);
    unlink(path);
    snprintf(want, sizeof(want), "topology=%s: larger than 64 MiB", path);
    assert_string_equal(err.text, want);
}

/* Whoever is asked for words keeps the variables that there are: HWLOC_* may be the site's. */
static void test_words_keep_the_environment(void **state)
{
    int status = -1;
    (void)state;
    setenv("STENCILMAP_TEST_FIRST", "1", 1);
    pid_t child = fork();
    if (child == 0) {
        size_t before = 0, after = 0;
        while (environ[before])
            before++;
        smap_words_ask();
        while (environ[after])
            after++;
        _exit(after != before + 1 || !getenv("STENCILMAP_TEST_FIRST") ||
              !getenv("HWLOC_XML_VERBOSE"));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    unsetenv("STENCILMAP_TEST_FIRST");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding_is_left_alone),
        cmocka_unit_test(test_files_that_crash),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_large_file),
        cmocka_unit_test(test_words_keep_the_environment),
        cmocka_unit_test(test_beside_threads),
        cmocka_unit_test(test_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
