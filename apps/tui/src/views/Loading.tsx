import type { ReactNode } from "react"
import { useSpinner } from "../hooks/useSpinner.ts"
import * as StyledLine from "../text/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

/** Milliseconds before the waiting time and its reason appear. */
const LONG_WAIT = 1_000

interface Props {
  readonly subject: string
  readonly waitReason: string | undefined
  /** The previous content, shown until the spinner appears. */
  readonly children: ReactNode
}

/** A spinner with the name of the content that loads. */
export const Loading = ({ children, subject, waitReason }: Props) => {
  const { sign, time } = useSpinner()
  if (sign === undefined) return children
  const line = [StyledLine.span(`  ${sign} `, "accent"), StyledLine.span(`Loading ${subject}`)]
  if (time >= LONG_WAIT) line.push(StyledLine.span(`  ${(time / 1_000).toFixed(1)} s`, "muted"))
  if (time >= LONG_WAIT && waitReason !== undefined) line.push(StyledLine.span(`  waiting: ${waitReason}`, "warning"))
  return <StyledText line={line} />
}
