import { memo } from "react"
import type { TextRange } from "@tongs/core/contract/CodeSearch"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

/** Text with syntax colours and highlighted matches. It renders foreign text as text only, never as markup. */
export const HighlightedText = memo(
  ({
    matches = none,
    text,
    tokens = none
  }: {
    readonly text: string
    readonly matches?: ReadonlyArray<TextRange>
    readonly tokens?: ReadonlyArray<TextSegments.SyntaxToken>
  }) =>
    TextSegments.segments(text, tokens, matches).map(({ isMatch, syntaxClass, text }, index) => {
      const className = syntaxClass === undefined ? undefined : `tok-${syntaxClass}`
      if (isMatch)
        return (
          <mark key={index} className={className}>
            {displayText(text)}
          </mark>
        )
      return className === undefined ? (
        displayText(text)
      ) : (
        <span key={index} className={className}>
          {displayText(text)}
        </span>
      )
    })
)
HighlightedText.displayName = "HighlightedText"

const none: ReadonlyArray<never> = []
