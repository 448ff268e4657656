/** Of Math what the views use, by short names: every widget carries the code. */
export const { floor, max, min, trunc } = Math;
