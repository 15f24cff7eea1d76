import * as Line from "../model/Line.ts"
import type { View } from "../model/View.ts"
import { Busy } from "./Busy.tsx"
import { LineText } from "./LineText.tsx"

/** Where one is, what is being typed or was just done, how old it is, and the budget. */
export const Status = ({ view }: { readonly view: View }) => {
  const { age, busy, columns, left, right } = view
  if (busy) return <Busy view={view} />
  return <LineText line={Line.ends([...left, ...age], [...right, Line.span(" ")], columns)} />
}
