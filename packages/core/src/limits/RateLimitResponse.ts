/** Recognizes responses that reject a request because of a rate limit: 403 or 429. Pure. */
import type { Observation } from "./RateLimitHeaders.ts"

/** A response that rejects a request because of a rate limit. */
export interface RateLimitResponse {
  readonly limit: "primary" | "secondary"
  /** The message of the forge, possibly empty. */
  readonly detail: string
}

/** Returns whether a response with this status can be a rate limit response. Only the body decides. */
export const isPossible = (status: number): boolean => status === 403 || status === 429

/**
 * Parses a 403 or 429. Returns undefined for a 403 because of a missing permission, even if the request used up a
 * window.
 */
export const parse = (status: number, observation: Observation, body: string): RateLimitResponse | undefined => {
  const detail = messageOf(body)
  if (/secondary|abuse/i.test(detail)) return { limit: "secondary", detail }
  const exhausted = observation.remaining === 0
  const limited =
    status === 429 ||
    observation.hasRetryAfter === true ||
    (exhausted && (detail === "" || /limit|too many|quota|exceeded/i.test(detail)))
  return limited ? { limit: exhausted ? "primary" : "secondary", detail } : undefined
}

const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/

// Searches for the message instead of parsing the body, which may be truncated or not JSON.
const messageOf = (body: string): string => {
  const text = message.exec(body)?.[1] ?? ""
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
