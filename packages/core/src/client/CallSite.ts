/** The line of the program that called the client, for the stack of the failure that the call ends with. */

/** Its stack is formatted only when somebody reads it. */
export interface CallSite {
  readonly stack?: string
}

type Callable = (...args: never) => unknown

/** The frames above `callee`, the function that the program called. */
export const capture = (callee: Callable): CallSite => {
  const site: { stack?: string } = {}
  // An old browser lacks it; there a stack begins in the client.
  if ("captureStackTrace" in Error) Error.captureStackTrace(site, callee)
  return site
}

/** Puts the frames of the call in place of those inside of the client, which say nothing to its user. */
export const attach = (error: unknown, { stack }: CallSite): unknown => {
  const frames = stack?.indexOf("\n    at ") ?? -1
  if (error instanceof Error && stack !== undefined && frames !== -1) {
    const value = `${error.name}: ${error.message}${stack.slice(frames)}`
    Object.defineProperty(error, "stack", { value, configurable: true, writable: true })
  }
  return error
}
