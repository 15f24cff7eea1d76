import type { ReactNode } from "react"
import { useSpinner } from "../hooks/useSpinner.ts"
import * as Line from "../model/Line.ts"
import { LineText } from "./LineText.tsx"

/** Milliseconds after which it is said how long it has taken, and what holds it back. */
const LONG = 1_000

interface Props {
  readonly what: string
  readonly why: string | undefined
  /** What stays on the screen at first. */
  readonly children: ReactNode
}

/** What is being waited for. */
export const Loading = ({ children, what, why }: Props) => {
  const { sign, time } = useSpinner()
  if (sign === undefined) return children
  const line = [Line.span(`  ${sign} `, "accent"), Line.span(`Reading ${what}`)]
  if (time >= LONG) line.push(Line.span(`  ${(time / 1_000).toFixed(1)} s`, "muted"))
  if (time >= LONG && why !== undefined) line.push(Line.span(`  waits: ${why}`, "warning"))
  return <LineText line={line} />
}
