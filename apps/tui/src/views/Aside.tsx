import { Box } from "ink"
import { use } from "react"
import * as Line from "../model/Line.ts"
import { ThemeContext } from "../Theme.ts"
import { LineText } from "./LineText.tsx"

/** More about the selected row, behind a rule as high as the list. */
export const Aside = ({ lines, columns }: { readonly lines: ReadonlyArray<Line.Line>; readonly columns: number }) => {
  const { color } = use(ThemeContext).muted
  return (
    <Box
      flexDirection="column"
      width={columns}
      height="100%"
      paddingLeft={1}
      borderStyle="single"
      {...(color === undefined ? {} : { borderColor: color })}
      borderTop={false}
      borderRight={false}
      borderBottom={false}
    >
      {lines.map((line, index) => (
        <LineText key={index} line={Line.fit(line, columns - 3)} />
      ))}
    </Box>
  )
}
