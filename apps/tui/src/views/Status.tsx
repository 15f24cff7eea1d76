import * as Line from "../model/Line.ts"
import type { View } from "../model/View.ts"
import { Busy } from "./Busy.tsx"
import { LineText } from "./LineText.tsx"

/** Where one is, what is being typed or was just done, how old it is, what went wrong, and the budget. */
export const Status = ({ view }: { readonly view: View }) => {
  const { age, busy, columns, left, problem, right } = view
  if (busy) return <Busy view={view} />
  return <LineText line={Line.ends([...left, ...age, ...problem], [...right, Line.span(" ")], columns)} />
}
