/** How old what is shown is, in words, where that matters. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { Reading } from "./Sources.ts"

/** Milliseconds from which on it is told of what nobody has confirmed since it was kept, and of anything else. */
const KEPT = 1_000
const READ = 60_000

/** `2 minutes ago`; nothing for what is as good as new. */
export const of = ({ at, kept }: Pick<Reading, "at" | "kept">, now: number): string | undefined =>
  now - at < (kept ? KEPT : READ) ? undefined : RelativeTime.format(at, now)
