import { useSpinner } from "../hooks/useSpinner.ts"
import * as Line from "../model/Line.ts"
import type { View } from "../model/View.ts"
import { LineText } from "./LineText.tsx"

/** The status line while what is shown is read anew, or goes on. What is new in an instant was never old. */
export const Busy = ({ view: { age, columns, left, right } }: { readonly view: View }) => {
  const { sign } = useSpinner()
  const wait = sign === undefined ? [] : [...age, Line.span(`  ${sign}`, "accent")]
  return <LineText line={Line.ends([...left, ...wait], [...right, Line.span(" ")], columns)} />
}
