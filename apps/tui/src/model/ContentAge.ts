/** How old what is shown is, in words, where that matters. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { LoadedContent } from "./ContentSource.ts"

/** Milliseconds from which on it is told of what nobody has confirmed since it was kept, and of anything else. */
const KEPT = 1_000
const READ = 60_000

/** `2 minutes ago`; nothing for what is as good as new. */
export const label = (
  { confirmedAt, isStale }: Pick<LoadedContent, "confirmedAt" | "isStale">,
  now: number
): string | undefined =>
  now - confirmedAt < (isStale ? KEPT : READ) ? undefined : RelativeTime.format(confirmedAt, now)
