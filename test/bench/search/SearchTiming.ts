/** The duration and the number of results of a search. */
export interface SearchTiming {
  /** Milliseconds until the first file, and until the end of the response. */
  readonly first: number
  readonly done: number
  readonly files: number
  /** Number of matches in the files, if the program counts them. */
  readonly matches?: number
  /** Why results are missing. Absent if all results were found. */
  readonly incomplete?: string
}

/** The timing of a program that is missing, or cannot run the query. */
export const missing: SearchTiming = { first: Number.NaN, done: Number.NaN, files: Number.NaN }
