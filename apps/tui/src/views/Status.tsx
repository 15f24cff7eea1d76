import * as Line from "../model/Line.ts"
import type { View } from "../model/View.ts"
import { Busy } from "./Busy.tsx"
import { LineText } from "./LineText.tsx"

/** Where one is, what is being typed or was just done, and the budget. */
export const Status = ({ view: { busy, columns, left, right } }: { readonly view: View }) =>
  busy ? (
    <Busy left={left} right={right} columns={columns} />
  ) : (
    <LineText line={Line.ends(left, [...right, Line.span(" ")], columns)} />
  )
