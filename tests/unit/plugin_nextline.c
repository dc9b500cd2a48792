/* SPDX-License-Identifier: BSD-3-Clause */
/* The line to type next time. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "srun/nextline.h"

static void lines(void **state)
{
    static const struct {
        const char *words[12];
        size_t program;
        const char *line;
    } cases[] = {
        {{"srun", "--stencil-watch", "./a.out"}, 1, "srun NEW ./a.out"},
        {{"/usr/bin/srun", "-n", "32", "--stencil-watch=f", "./a.out", "-x", "a b"},
         3,
         "srun NEW -n 32 ./a.out -x 'a b'"},
        {{"srun", "--stencil-map", "--stencil", "5pt", "--stencil-dims=4x8", "-N4", "./a"},
         1,
         "srun NEW -N4 ./a"},
        {{"srun", "--stencil-periodic", "1,0", "--stencil-ranks=0-3", "--rank-order=core", "a"},
         1,
         "srun NEW --rank-order=core a"},
        /* What looks like ours in the program's own words is not. */
        {{"srun", "a", "--stencil=5pt", "--stencil-map"},
         3,
         "srun NEW a --stencil=5pt --stencil-map"},
        {{"srun", "bash", "-c", "echo $X; it's \"\""},
         3,
         "srun NEW bash -c 'echo $X; it'\\''s \"\"'"},
        {{"srun", "--stencils=1", "a", ""}, 2, "srun NEW --stencils=1 a ''"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t count = 0;
        while (cases[i].words[count])
            count++;
        char *line = nextline("NEW", (char *const *)cases[i].words, count, cases[i].program);
        assert_string_equal(line, cases[i].line);
        free(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
