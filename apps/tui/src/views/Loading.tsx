import { useSpinner } from "../hooks/useSpinner.ts"
import * as Line from "../model/Line.ts"
import { LineText } from "./LineText.tsx"

/** Milliseconds after which it is said how long it has taken, and what holds it back. */
const LONG = 1_000

/** What is being waited for. */
export const Loading = ({ what, why }: { readonly what: string; readonly why: string | undefined }) => {
  const { sign, time } = useSpinner()
  if (sign === undefined) return null
  const line = [Line.span(`  ${sign} `, "accent"), Line.span(`Reading ${what}`)]
  if (time >= LONG) line.push(Line.span(`  ${(time / 1_000).toFixed(1)} s`, "muted"))
  if (time >= LONG && why !== undefined) line.push(Line.span(`  waits: ${why}`, "warning"))
  return <LineText line={line} />
}
