import { useSpinner } from "../hooks/useSpinner.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { View } from "../model/View.ts"
import { StyledText } from "./StyledText.tsx"

/** The status line during a refresh. Shows spinner and age only if the refresh is not almost immediate. */
export const RefreshStatusLine = ({ view: { age, columns, statusLeft, statusRight } }: { readonly view: View }) => {
  const { sign } = useSpinner()
  const wait = sign === undefined ? [] : [...age, StyledLine.span(`  ${sign}`, "accent")]
  return (
    <StyledText line={StyledLine.justify([...statusLeft, ...wait], [...statusRight, StyledLine.span(" ")], columns)} />
  )
}
