/** The functions of Math that the views use, by short names, because every widget carries the code. */
export const { floor, max, min } = Math;
