import { useSpinner } from "../hooks/useSpinner.ts"
import * as Line from "../model/Line.ts"
import { LineText } from "./LineText.tsx"

interface Props {
  readonly left: Line.Line
  readonly right: Line.Line
  readonly columns: number
}

/** The status line while what is shown is read anew, or goes on. */
export const Busy = ({ left, right, columns }: Props) => {
  const { sign = "" } = useSpinner()
  return <LineText line={Line.ends([...left, Line.span(`  ${sign}`, "accent")], [...right, Line.span(" ")], columns)} />
}
