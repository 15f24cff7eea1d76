import { Fragment } from "react"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { HighlightedText } from "../components/HighlightedText.tsx"
import * as TextLines from "../model/TextLines.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"

/** Code with the colours of the file at `path`. */
export const CodeText = ({
  delay,
  matches = none,
  path,
  text
}: {
  readonly text: string
  readonly path: string
  readonly matches?: ReadonlyArray<TextRange>
  /** Milliseconds before colouring. */
  readonly delay?: number
}) => {
  const tokens = useSyntaxTokens(path, text, delay)
  return TextLines.split(text).map(({ number, start, text }) => {
    const end = start + text.length
    return (
      <Fragment key={number}>
        {number > 1 && "\n"}
        <HighlightedText
          text={text}
          matches={TextSegments.clip(matches, start, end)}
          tokens={TextSegments.clipTokens(tokens, start, end)}
        />
      </Fragment>
    )
  })
}

const none: ReadonlyArray<TextRange> = []
