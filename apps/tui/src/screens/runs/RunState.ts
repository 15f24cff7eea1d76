/** The state of a run, job, step or check run in lists: a mark, words and a duration. */
import * as StyledLine from "../../text/StyledLine.ts"
import type { Role, Span } from "../../text/StyledLine.ts"

/** A run, job, step or check run. */
export interface State {
  readonly status: string | null
  readonly conclusion: string | null
}

/** Conclusions that prevent no merge. */
const neutral: ReadonlySet<string> = new Set(["neutral", "skipped", "cancelled"])

/** Returns true for what has not ended. */
export const isRunning = ({ status }: State): boolean => status !== "completed"

/** Returns true for a failure, also one without a verdict, such as a timeout. */
export const isFailed = (state: State): boolean => roleOf(state) === "error"

export const roleOf = ({ conclusion, status }: State): Role => {
  if (status !== "completed") return "warning"
  if (conclusion === "success") return "success"
  return conclusion === null || neutral.has(conclusion) ? "muted" : "error"
}

/** Returns the mark, which is visible without colors too. */
export const mark = (state: State): Span => {
  const role = roleOf(state)
  return StyledLine.span(role === "success" ? "✓" : role === "error" ? "✗" : role === "warning" ? "●" : "○", role)
}

/** Returns the state in words: `timed out`. */
export const words = ({ conclusion, status }: State): string => (conclusion ?? status ?? "").replaceAll("_", " ")

/** Returns the time between two times as text: `12 s`, `3 min 5 s`, `2 h 10 min`. Empty before the start. */
export const duration = (from: string | null | undefined, to: string | null | undefined, now: number): string => {
  if (from === null || from === undefined) return ""
  const end = to === null || to === undefined ? now : Date.parse(to)
  const seconds = Math.max(0, Math.round((end - Date.parse(from)) / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
