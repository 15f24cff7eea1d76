/** Returns the message of an error's first cause. */
export const rootMessage = (error: unknown): string => {
  let current = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  return current instanceof Error ? current.message : String(current)
}
