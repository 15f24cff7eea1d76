/** Scores of search results. */

/** Returns a score between 0 and 1, which is never an integer: PyGithub reads only numbers with decimals. */
export const ofPoints = (points: number): number => (Math.max(0, points) + 0.5) / (Math.max(0, points) + 1)
