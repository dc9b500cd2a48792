/* SPDX-License-Identifier: BSD-3-Clause */
/* Which command lines of srun start the daemons of an MPI launcher, or several components. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "srun/components.h"
#include "srun/daemons.h"

/* Words separated by blanks, as the kernel shows them. */
static const char *find(const char *words, int program)
{
    char line[512];
    size_t length = strlen(words) + 1;
    memcpy(line, words, length);
    for (size_t i = 0; i < length; i++)
        line[i] = line[i] == ' ' ? '\0' : line[i];
    FILE *file = fmemopen(line, length, "r");
    assert_non_null(file);
    const char *found = daemons_find(file, program);
    fclose(file);
    return found;
}

static void the_program_alone_counts(void **state)
{
    static const struct {
        const char *words;
        int program;
        const char *found;
    } cases[] = {
        {"srun -n 4 orted -mca x", 3, "orted"},
        {"srun --mpi=none --nodes=2 /usr/bin/hydra_pmi_proxy --port 1", 3, "hydra_pmi_proxy"},
        {"srun prted", 1, "prted"},
        {"srun -J orted -n 4 ./prog", 5, NULL},
        {"srun -n 4 ./prog orted", 3, NULL},
        {"srun --chdir /opt/orted ./prog", 3, NULL},
        {"srun -n 4 ./orted.sh", 3, NULL},
        {"srun -n 4 orted2", 3, NULL},
        {"srun -n 4 orted/", 3, NULL},
        {"srun -n 4", 3, NULL},
        /* An srun that does not tell where its options end. */
        {"srun -n 4 orted -mca x", 0, "orted"},
        {"srun -n 4 ./prog", 0, NULL},
        /* What cannot be the program is none. */
        {"srun -n 4 orted", 1, "orted"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *found = find(cases[i].words, cases[i].program);
        if (cases[i].found ? !found || strcmp(found, cases[i].found) != 0 : found != NULL)
            fail_msg("'%s', %d: %s", cases[i].words, cases[i].program, found ? found : "none");
    }
}

/* A word before the program may be as long as the kernel lets it be. */
static void long_lines(void **state)
{
    enum { LONG = 131000 };
    char *line = malloc(LONG + 32);
    (void)state;
    assert_non_null(line);
    memcpy(line, "srun", 5);
    memset(line + 5, 'x', LONG);
    memcpy(line + 5 + LONG, "\0orted", 7);
    FILE *file = fmemopen(line, 5 + LONG + 7, "r");
    assert_non_null(file);
    assert_string_equal(daemons_find(file, 2), "orted");
    fclose(file);
    free(line);
}

/* srun takes a word ":" anywhere after the program for the border to the next component. */
static void another_component(void **state)
{
    static const struct {
        char line[40];
        size_t length;
        int program;
        bool follows;
    } cases[] = {
        {"srun\0a\0:\0b", 11, 1, true},        {"srun\0a\0b\0:\0-n2\0c", 17, 1, true},
        {"srun\0-J\0:\0a", 12, 3, false},      {"srun\0a\0:b\0::", 13, 1, false},
        {"srun\0-J\0:\0a\0:\0b", 16, 3, true}, {"srun\0a", 7, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        FILE *file = fmemopen((void *)cases[i].line, cases[i].length, "r");
        assert_non_null(file);
        if (components_find(file, cases[i].program) != cases[i].follows)
            fail_msg("line %zu", i);
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_alone_counts),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(another_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
