import * as StyledLine from "../text/StyledLine.ts"
import type { View } from "../model/View.ts"
import { RefreshStatusLine } from "./RefreshStatusLine.tsx"
import { StyledText } from "./StyledText.tsx"

/** The status line: position or prompt, age of the content, failure of the last refresh, and rate limits. */
export const StatusLine = ({ view }: { readonly view: View }) => {
  const { age, isRefreshing, columns, statusLeft, problem, statusRight } = view
  if (isRefreshing) return <RefreshStatusLine view={view} />
  return (
    <StyledText
      line={StyledLine.justify([...statusLeft, ...age, ...problem], [...statusRight, StyledLine.span(" ")], columns)}
    />
  )
}
