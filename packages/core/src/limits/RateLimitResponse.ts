/** Telling an answer that refuses because of a limit from one that refuses for good (`spec/1 §8.4`, `spec/4`). Pure. */
import type { Observation } from "./RateLimitWindow.ts"

export interface RateLimitResponse {
  readonly limit: "primary" | "secondary"
  /** What the forge said. */
  readonly detail: string
}

/** Whether an answer with this status can be a refusal, so that its body must be looked at. */
export const isPossible = (status: number): boolean => status === 403 || status === 429

/**
 * The refusal that an answer with one of the candidate statuses is; nothing for a 403 that is about a permission, even
 * where it took the last request of a window.
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

// A search instead of a parser: the body may be cut, or no JSON at all, and only the sentence matters here.
const messageOf = (body: string): string => {
  const text = MESSAGE.exec(body)?.[1] ?? ""
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
