/** Returns the code of an error of the operating system, for example `ENOENT`. */
export const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)
