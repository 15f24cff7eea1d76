/** The values that flags of `tongs mcp` accept. Imports nothing, so that a start over stdio is fast. */

/** Seconds that a call may take by default: less than clients wait. */
export const DEADLINE = 45

/** Maximum value of `--deadline`, in seconds. */
export const MAX_DEADLINE = 3_600

/** Returns true for a valid value of `--deadline`, in seconds. */
export const isDeadline = (seconds: number): boolean => seconds >= 1 && seconds <= MAX_DEADLINE

/** Returns true for the name of a user or organization. */
export const isOwner = (name: string): boolean => /^[\w.-]+$/.test(name)

/** Returns true for `OWNER/NAME`. */
export const isRepository = (name: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(name)

/** The values of `--confirm`. */
export const confirmations = ["ask", "never"] as const // a tuple type

/** The environment variable with the bearer token of the server over HTTP. */
export const TOKEN_VARIABLE = "TONGS_MCP_TOKEN"
