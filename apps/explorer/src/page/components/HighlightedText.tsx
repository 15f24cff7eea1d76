import { memo, type ReactNode } from "react"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"

interface Props {
  readonly text: string
  readonly matches?: ReadonlyArray<TextRange>
  readonly tokens?: ReadonlyArray<TextSegments.SyntaxToken>
}

/** Text with syntax colours and highlighted matches. Renders foreign text as text only, never as markup. */
export const HighlightedText = memo((props: Props) => highlight(props))
HighlightedText.displayName = "HighlightedText"

/** Like the component, as a function, for lists of many short texts that render together. */
export const highlight = ({ matches = none, text, tokens = none }: Props): ReactNode => {
  if (matches.length === 0 && tokens.length === 0) return displayText(text)
  return TextSegments.segments(text, tokens, matches).map(({ isMatch, syntaxClass, text }, index) => {
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
}

const none: ReadonlyArray<never> = []
