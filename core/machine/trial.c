/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/trial_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MORE_MEMORY ((rlim_t)256 << 20)

/* What the child sends last. */
struct verdict {
    int rc;
    struct smap_error err;
};

/* The memory of this process in bytes; 0 if that is not known. */
static rlim_t memory_used(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* No core file, no memory without end, none of the caller's signal handlers, and no life without
 * the caller. */
static void restrain(rlim_t used)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
    const struct rlimit none = {0, 0}, memory = {used + MORE_MEMORY, used + MORE_MEMORY};
    for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
        signal(deadly[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    if (used > 0)
        setrlimit(RLIMIT_AS, &memory);
}

static _Noreturn void be_child(const struct smap_trial *trial, int words, int answer, rlim_t used)
{
    struct verdict verdict = {.rc = SMAP_ESYS};
    dup2(words, STDERR_FILENO);
    restrain(used);
    verdict.rc = trial->attempt(trial->context, &verdict.err);
    ssize_t written = write(answer, &verdict, sizeof(verdict)); /* fits into a pipe at once */
    _exit(written == sizeof(verdict) ? 0 : 1);
}

static long milliseconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begin->tv_sec) * 1000L + (now.tv_nsec - begin->tv_nsec) / 1000000L;
}

/* Reads what the child says until it ends; false if it takes too long. */
static bool hear(char said[], size_t size, int words, int seconds)
{
    char lost[4096];
    size_t length = 0;
    struct timespec begin;
    bool ended = false;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (!ended) {
        long left = seconds * 1000L - milliseconds_since(&begin);
        struct pollfd ready = {.fd = words, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        size_t room = size - 1 - length;
        ssize_t got = room > 0 ? read(words, said + length, room) : read(words, lost, sizeof(lost));
        if (got < 0 && errno == EINTR)
            continue;
        length += room > 0 && got > 0 ? (size_t)got : 0;
        ended = got <= 0;
    }
    said[length] = '\0';
    return ended;
}

/* Waits for the child's end, which is near; its status, 0 if others have waited for it. */
static int reap(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    return status;
}

static int judge(int answer, int status, struct smap_error *err)
{
    struct verdict verdict;
    if (read(answer, &verdict, sizeof(verdict)) != sizeof(verdict))
        return smap_fail(err, SMAP_ESYS, "crashes (%s)",
                         WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
    if (verdict.rc == SMAP_OK)
        return SMAP_OK;
    return smap_fail(err, (enum smap_status)verdict.rc, "%s", verdict.err.text);
}

static int no_child(struct smap_error *err)
{
    return smap_fail(err, SMAP_ESYS, "cannot be tried: %s", strerror(errno));
}

int smap_trial_run(char said[], size_t size, const struct smap_trial *trial, struct smap_error *err)
{
    int words[2], answer[2], rc;
    rlim_t used = memory_used();
    said[0] = '\0';
    if (pipe2(words, O_CLOEXEC) != 0)
        return no_child(err);
    if (pipe2(answer, O_CLOEXEC) != 0) {
        rc = no_child(err);
        close(words[0]);
        close(words[1]);
        return rc;
    }
    pid_t child = fork();
    if (child == 0)
        be_child(trial, words[1], answer[1], used);
    rc = child < 0 ? no_child(err) : SMAP_OK;
    close(words[1]);
    close(answer[1]);
    if (rc == SMAP_OK && hear(said, size, words[0], trial->seconds)) {
        rc = judge(answer[0], reap(child), err);
    } else if (rc == SMAP_OK) {
        kill(child, SIGKILL);
        reap(child);
        rc = smap_fail(err, SMAP_ESYS, "is not done after %d seconds", trial->seconds);
    }
    close(words[0]);
    close(answer[0]);
    return rc;
}
