/** Labels content that may be out of date. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { LoadedContent } from "./ContentSource.ts"

/** Minimum age to label in milliseconds, for content from the cache and for other content. */
const MIN_STALE_AGE = 1_000
const MIN_AGE = 60_000

/** Returns the age of content as text, for example `2 minutes ago`; undefined for recent content. */
export const label = (
  { confirmedAt, isStale }: Pick<LoadedContent, "confirmedAt" | "isStale">,
  now: number
): string | undefined =>
  now - confirmedAt < (isStale ? MIN_STALE_AGE : MIN_AGE) ? undefined : RelativeTime.format(confirmedAt, now)
