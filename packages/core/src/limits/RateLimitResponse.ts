/** Detects responses that reject a request because of a rate limit, and not for good (`spec/1 §8.4`, `spec/4`). Pure. */
import type { Observation } from "./RateLimitHeaders.ts"

/** A response that rejects a request because of a rate limit. */
export interface RateLimitResponse {
  readonly limit: "primary" | "secondary"
  /** The message of the forge; empty if it sent none. */
  readonly detail: string
}

/** True for statuses of which only the body shows whether they are rate limit responses. */
export const isPossible = (status: number): boolean => status === 403 || status === 429

/**
 * The rate limit response in a 403 or 429. Undefined for a 403 because of a permission, even if it used the last request of
 * a window.
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

const MESSAGE = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/

// A search instead of a parser, because the body may be truncated or not JSON.
const messageOf = (body: string): string => {
  const text = MESSAGE.exec(body)?.[1] ?? ""
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
