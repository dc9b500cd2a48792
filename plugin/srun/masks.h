/* SPDX-License-Identifier: BSD-3-Clause */
/* What slurmstepd must know of srun's options before it exchanges masks between tasks or takes
 * other cores by an order. */
#ifndef STENCILMAP_MASKS_H
#define STENCILMAP_MASKS_H

/* Hands it over; the last thing of all, when --distribution is the user's own again. */
void masks_hand_over(void);

#endif
