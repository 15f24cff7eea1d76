/** Small parts of runs: states and durations. */
import type * as RunApi from "../../RunApi.ts"
import { formatRemaining } from "../hooks/useNow.ts"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"

/** A run, job or step. */
type Timed = Pick<RunApi.Job, "completedAt" | "conclusion" | "startedAt" | "status">

/** The status or conclusion in words. */
export const stateText = ({ conclusion, status }: Pick<Timed, "conclusion" | "status">): string =>
  displayText(CheckResults.words(conclusion ?? status))

/** How long something took, or has taken until `now`. Undefined before its start. */
export const durationText = ({ completedAt, startedAt, status }: Timed, now: number): string | undefined => {
  if (startedAt === null) return undefined
  const end = completedAt === null ? (status === "completed" ? undefined : now) : Date.parse(completedAt)
  return end === undefined ? undefined : formatRemaining(end, Date.parse(startedAt))
}

/** True for a run or job that has not ended. */
export const isRunning = ({ status }: Pick<Timed, "status">): boolean => status !== "completed"
