import { useSpinner } from "../hooks/useSpinner.ts"
import * as StyledLine from "../text/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

/** Milliseconds before the waiting time appears. */
const LONG_WAIT = 1_000

/** A line with an animated sign while content loads. Shows the sign only if loading is not almost immediate. */
export const BusyLine = ({ line }: { readonly line: StyledLine.Line }) => {
  const { sign, time } = useSpinner()
  const text = sign === undefined ? "" : `  ${sign}${time < LONG_WAIT ? "" : ` ${(time / 1_000).toFixed(1)} s`}`
  return <StyledText line={StyledLine.withSpinner(line, text)} />
}
