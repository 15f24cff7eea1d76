/** Text with its syntax and its matches. Foreign text is only ever text here. */
import { memo } from "react"
import type { Range } from "../../Wire.ts"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

export const HighlightedText = memo(
  ({
    marks = none,
    text,
    tokens = none
  }: {
    readonly text: string
    readonly marks?: ReadonlyArray<Range>
    readonly tokens?: ReadonlyArray<TextSegments.SyntaxToken>
  }) =>
    TextSegments.segments(text, tokens, marks).map(({ isMatch, syntaxClass, text }, at) => {
      const className = syntaxClass === undefined ? undefined : `tok-${syntaxClass}`
      // Pieces have no identity but their place.
      if (isMatch)
        return (
          <mark key={at} className={className}>
            {displayText(text)}
          </mark>
        )
      return className === undefined ? (
        displayText(text)
      ) : (
        <span key={at} className={className}>
          {displayText(text)}
        </span>
      )
    })
)
HighlightedText.displayName = "Marked"

const none: ReadonlyArray<never> = []
