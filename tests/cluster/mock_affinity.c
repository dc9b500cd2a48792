/* SPDX-License-Identifier: BSD-3-Clause */
/* A MOCK of the kernel's CPU affinity, for nodes that pretend to have more CPUs than the machine:
 * preloaded into slurmd and into the tasks it answers sched_setaffinity and sched_getaffinity from
 * files, so that Slurm's own choice of masks, its GPU binding and the plugin run unmodified.
 * Nothing is really bound. Where a kernel must be asked, tests/vm asks one.
 *
 * MOCK_AFFINITY_DIR holds a file per process that has been bound, named after its pid and start
 * time (pids come back); a process without one has the mask of its nearest ancestor that has one,
 * else all of MOCK_AFFINITY_CPUS (at most 64) CPUs, as children inherit masks. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t every_cpu(void)
{
    const char *text = getenv("MOCK_AFFINITY_CPUS");
    unsigned long count = text ? strtoul(text, NULL, 10) : 0;
    return count == 0 || count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* The file of a process, and its parent; false if there is no such process. */
static bool find_process(pid_t pid, char file[static 256], pid_t *parent)
{
    char path[64], line[1024], name[64] = "";
    unsigned long long start = 0;
    int up = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *stat = fopen(path, "re");
    if (!stat)
        return false;
    size_t length = fread(line, 1, sizeof(line) - 1, stat);
    fclose(stat);
    line[length] = '\0';
    const char *rest = strrchr(line, ')'); /* a program's name may hold anything */
    if (!rest || sscanf(rest + 1, " %*c %d", &up) != 1)
        return false;
    for (int field = 3; rest && field <= 22; field++)
        rest = strchr(rest + 1, ' ');
    if (!rest || sscanf(rest, "%llu", &start) != 1)
        return false;
    const char *dir = getenv("MOCK_AFFINITY_DIR");
    snprintf(name, sizeof(name), "%d-%llu", (int)pid, start);
    snprintf(file, 256, "%.180s/%s", dir ? dir : "/tmp", name);
    *parent = up;
    return true;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
    char file[256], fresh[300];
    pid_t parent;
    uint64_t wanted = 0;
    if (!find_process(pid ? pid : getpid(), file, &parent)) {
        errno = ESRCH;
        return -1;
    }
    memcpy(&wanted, mask, size < sizeof(wanted) ? size : sizeof(wanted));
    wanted &= every_cpu();
    if (wanted == 0) {
        errno = EINVAL;
        return -1;
    }
    /* Complete before it is there: somebody may read it right now. */
    snprintf(fresh, sizeof(fresh), "%s.%d", file, (int)getpid());
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    bool written = write(fd, &wanted, sizeof(wanted)) == sizeof(wanted);
    close(fd);
    return written ? rename(fresh, file) : -1;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
    char file[256];
    uint64_t found = every_cpu();
    pid_t at = pid ? pid : getpid(), parent = 0;
    if (!find_process(at, file, &parent)) {
        errno = ESRCH;
        return -1;
    }
    for (;;) {
        uint64_t kept;
        int fd = open(file, O_RDONLY | O_CLOEXEC);
        bool read_all = fd >= 0 && read(fd, &kept, sizeof(kept)) == sizeof(kept);
        if (fd >= 0)
            close(fd);
        if (read_all)
            found = kept;
        at = parent;
        if (read_all || at <= 1 || !find_process(at, file, &parent))
            break;
    }
    memset(mask, 0, size);
    memcpy(mask, &found, size < sizeof(found) ? size : sizeof(found));
    return 0;
}
