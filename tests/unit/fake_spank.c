/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_spank.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPTIONS_MAX = 64, VARIABLES_MAX = 256, LOG_SIZE = 65536 };

struct fake_spank fake;

static const struct spank_option *registered[OPTIONS_MAX];
static size_t registered_count;
static char *job_env[VARIABLES_MAX + 1];
static char *said; /* shared with children */
static struct spank_handle {
    int unused;
} handle;

spank_t fake_handle(void)
{
    return &handle;
}

void fake_reset(void)
{
    if (!said)
        said = mmap(NULL, LOG_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (said == MAP_FAILED)
        abort();
    fake = (struct fake_spank){.context = S_CTX_LOCAL,
                               .job = 1,
                               .nodes = 1,
                               .tasks = 1,
                               .local_tasks = 1,
                               .cpus_per_task = 1,
                               .cpus = 1,
                               .task = -1,
                               .user = geteuid()};
    registered_count = 0;
    for (size_t i = 0; job_env[i]; i++) {
        free(job_env[i]);
        job_env[i] = NULL;
    }
    fake_reset_srun();
    fake_forget_said();
}

void fake_new_process(spank_context_t context)
{
    fake.context = context;
    fake.task = -1;
    registered_count = 0;
}

/* --- options */

spank_err_t spank_option_register(spank_t spank, struct spank_option *option)
{
    (void)spank;
    if (fake_registered_option(option->name) || registered_count == OPTIONS_MAX)
        return ESPANK_BAD_ARG;
    registered[registered_count++] = option;
    return ESPANK_SUCCESS;
}

size_t fake_registered(void)
{
    return registered_count;
}

const struct spank_option *fake_registered_option(const char *name)
{
    for (size_t i = 0; i < registered_count; i++)
        if (strcmp(registered[i]->name, name) == 0)
            return registered[i];
    return NULL;
}

int fake_type_option(const char *name, const char *value)
{
    const struct spank_option *option = fake_registered_option(name);
    return option ? option->cb(option->val, value, fake.context == S_CTX_REMOTE) : -1;
}

/* --- the job's environment */

static size_t find_variable(const char *name)
{
    size_t i = 0, length = strlen(name);
    while (job_env[i] && !(strncmp(job_env[i], name, length) == 0 && job_env[i][length] == '='))
        i++;
    return i;
}

void fake_setenv(const char *name, const char *value)
{
    size_t i = find_variable(name), last = i;
    size_t size = strlen(name) + (value ? strlen(value) : 0) + 2;
    while (job_env[last] && job_env[last + 1])
        last++;
    free(job_env[i]);
    if (!value) {
        /* The last one takes the place; the order of an environment means nothing. */
        job_env[i] = i == last ? NULL : job_env[last];
        job_env[last] = NULL;
        return;
    }
    if (i == VARIABLES_MAX || !(job_env[i] = malloc(size)))
        abort();
    snprintf(job_env[i], size, "%s=%s", name, value);
}

const char *fake_getenv(const char *name)
{
    const char *found = job_env[find_variable(name)];
    return found ? found + strlen(name) + 1 : NULL;
}

void fake_send_environment(const char *prefix)
{
    for (char **v = environ; *v; v++) {
        char *equals = strchr(*v, '=');
        if (!equals || strncmp(*v, prefix, strlen(prefix)) != 0)
            continue;
        char *name = strndup(*v, (size_t)(equals - *v));
        fake_setenv(name, equals + 1);
        free(name);
    }
}

spank_err_t spank_getenv(spank_t spank, const char *name, char *buffer, int length)
{
    (void)spank;
    const char *value = fake_getenv(name);
    if (!value)
        return ESPANK_ENV_NOEXIST;
    return snprintf(buffer, (size_t)length, "%s", value) < length ? ESPANK_SUCCESS : ESPANK_NOSPACE;
}

spank_err_t spank_setenv(spank_t spank, const char *name, const char *value, int overwrite)
{
    (void)spank;
    if (fake_getenv(name) && !overwrite)
        return ESPANK_ENV_EXISTS;
    fake_setenv(name, value);
    return ESPANK_SUCCESS;
}

spank_err_t spank_unsetenv(spank_t spank, const char *name)
{
    (void)spank;
    fake_setenv(name, NULL);
    return ESPANK_SUCCESS;
}

/* --- items */

spank_context_t spank_context(void)
{
    return fake.context;
}

static const uint32_t *number_of(spank_item_t item)
{
    switch (item) {
    case S_JOB_ID:
        return &fake.job;
    case S_JOB_STEPID:
        return &fake.step;
    case S_JOB_NNODES:
        return &fake.nodes;
    case S_JOB_NODEID:
        return &fake.node;
    case S_JOB_LOCAL_TASK_COUNT:
        return &fake.local_tasks;
    case S_JOB_TOTAL_TASK_COUNT:
        return &fake.tasks;
    case S_STEP_CPUS_PER_TASK:
        return &fake.cpus_per_task;
    default:
        return NULL;
    }
}

static spank_err_t other_item(spank_item_t item, va_list arguments)
{
    uint32_t local;
    switch (item) {
    case S_JOB_UID:
        *va_arg(arguments, uid_t *) = fake.user;
        return ESPANK_SUCCESS;
    case S_JOB_NCPUS:
        *va_arg(arguments, uint16_t *) = fake.cpus;
        return ESPANK_SUCCESS;
    case S_JOB_ENV:
        *va_arg(arguments, char ***) = job_env;
        return ESPANK_SUCCESS;
    case S_STEP_ALLOC_CORES:
        *va_arg(arguments, char **) = (char *)fake.step_cores;
        return fake.step_cores ? ESPANK_SUCCESS : ESPANK_NOT_AVAIL;
    case S_TASK_ID:
        *va_arg(arguments, int *) = fake.task;
        return fake.task < 0 ? ESPANK_NOT_TASK : ESPANK_SUCCESS;
    case S_TASK_PID:
        *va_arg(arguments, pid_t *) = fake.pid;
        return fake.pid <= 0 ? ESPANK_NOT_TASK : ESPANK_SUCCESS;
    case S_JOB_LOCAL_TO_GLOBAL_ID:
        local = va_arg(arguments, uint32_t);
        if (local >= fake.local_tasks)
            return ESPANK_NOEXIST;
        *va_arg(arguments, uint32_t *) = fake.global ? fake.global[local] : local;
        return ESPANK_SUCCESS;
    default:
        return ESPANK_NOT_AVAIL;
    }
}

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...)
{
    (void)spank;
    const uint32_t *number = number_of(item);
    spank_err_t rc = ESPANK_SUCCESS;
    va_list arguments;
    va_start(arguments, item);
    if (number)
        *va_arg(arguments, uint32_t *) = *number;
    else
        rc = other_item(item, arguments);
    va_end(arguments);
    return rc;
}

/* --- what was said */

static void say(const char *kind, const char *format, va_list arguments)
{
    size_t used = strlen(said);
    int length = snprintf(said + used, LOG_SIZE - used, "%s: ", kind);
    used += (size_t)length;
    length = vsnprintf(said + used, LOG_SIZE - used - 1, format, arguments);
    if (length < 0 || (size_t)length >= LOG_SIZE - used - 1)
        abort();
    used += (size_t)length;
    snprintf(said + used, LOG_SIZE - used, "\n");
}

#define SAY(function, kind)                                                                        \
    void function(const char *format, ...)                                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        say(kind, format, arguments);                                                              \
        va_end(arguments);                                                                         \
    }
SAY(slurm_error, "error")
SAY(slurm_info, "info")
SAY(slurm_verbose, "verbose")
SAY(slurm_debug, "debug")
SAY(slurm_spank_log, "log")

const char *fake_said(void)
{
    return said;
}

bool fake_has_said(const char *text)
{
    return strstr(said, text) != NULL;
}

size_t fake_lines_said(void)
{
    size_t lines = 0;
    for (const char *line = said; *line; line = strchr(line, '\n') + 1)
        lines += strncmp(line, "debug: ", 7) != 0;
    return lines;
}

void fake_forget_said(void)
{
    said[0] = '\0';
}

int fake_exit_code(void (*body)(void *argument), void *argument)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        body(argument);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
