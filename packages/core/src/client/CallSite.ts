/** The call site of a client method, for the stack of the failure that the call rejects with. */

/** A captured stack. The platform formats it when it is first read. */
export interface CallSite {
  readonly stack?: string
}

type Callable = (...args: never) => unknown

/** Captures the frames above `callee`, the function that the program called. */
export const capture = (callee: Callable): CallSite => {
  const site: { stack?: string } = {}
  // Missing in old browsers, where stacks then begin inside the client.
  if ("captureStackTrace" in Error) Error.captureStackTrace(site, callee)
  return site
}

/** Replaces the frames inside the client, which do not help its user, by those of the call site. Gives the error. */
export const attach = (error: unknown, { stack }: CallSite): unknown => {
  const frames = stack?.indexOf("\n    at ") ?? -1
  if (error instanceof Error && stack !== undefined && frames !== -1) {
    const value = `${error.name}: ${error.message}${stack.slice(frames)}`
    Object.defineProperty(error, "stack", { value, configurable: true, writable: true })
  }
  return error
}
