/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of check_cart. Every function is collective over MPI_COMM_WORLD. */
#ifndef CHECK_CART_H
#define CHECK_CART_H

/* The hints that this process was started with, if any, must come true. */
void check_given_hints(void);

/* Removes all STENCILMAP_ variables, so that each check states its own. */
void check_clear_hints(void);

/* Hints that are right, wrong, or wrong somewhere. */
void check_hints(void);

/* Distributed graphs. */
void check_graphs(void);

#endif
