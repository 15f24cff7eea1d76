/** An error in a part of a query: a message, and the text that corrects the error. */
export interface QueryProblem {
  readonly message: string
  /** Text instead of the part. Empty if the part must be removed. Undefined if no text corrects the error. */
  readonly replacement?: string
}

/** Creates a problem with a correction: "`before` Write `replacement`." */
export const write = (before: string, replacement: string): QueryProblem => ({
  message: `${before === "" ? "" : `${before} `}Write ${replacement}.`,
  replacement
})

/** Creates a problem whose correction is to remove the part. */
export const remove = (part: string, reason: string): QueryProblem => ({
  message: `Remove ${part}: ${reason}.`,
  replacement: ""
})
