/** The place where a program calls a client method, for the stack trace of the call's failure. */

/** A captured stack trace. The JavaScript engine formats the trace on first read. */
export interface CallSite {
  readonly stack?: string
}

type Callable = (...args: never) => unknown

/**
 * Captures the stack trace from the caller of `callee` outwards; `callee` is the client function that the program
 * called.
 */
export const capture = (callee: Callable): CallSite => {
  const site: { stack?: string } = {}
  // Old browsers lack this function. There, stack traces begin inside the client.
  if ("captureStackTrace" in Error) Error.captureStackTrace(site, callee)
  return site
}

/**
 * Replaces the stack trace of an error, which shows only frames inside the client, with that of the call site. Returns
 * the error.
 */
export const attachStack = (error: unknown, { stack }: CallSite): unknown => {
  const frames = stack?.indexOf("\n    at ") ?? -1
  if (error instanceof Error && stack !== undefined && frames !== -1) {
    const value = `${error.name}: ${error.message}${stack.slice(frames)}`
    Object.defineProperty(error, "stack", { value, configurable: true, writable: true })
  }
  return error
}
