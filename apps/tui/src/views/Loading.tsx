import type { ReactNode } from "react"
import { useSpinner } from "../hooks/useSpinner.ts"
import * as StyledLine from "../model/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

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
  const line = [StyledLine.span(`  ${sign} `, "accent"), StyledLine.span(`Reading ${what}`)]
  if (time >= LONG) line.push(StyledLine.span(`  ${(time / 1_000).toFixed(1)} s`, "muted"))
  if (time >= LONG && why !== undefined) line.push(StyledLine.span(`  waits: ${why}`, "warning"))
  return <StyledText line={line} />
}
