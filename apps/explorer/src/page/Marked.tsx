/** Text with its syntax and its matches. Foreign text is only ever text here. */
import { memo } from "react"
import type { Range } from "../Wire.ts"
import { shown } from "./Shown.ts"
import * as Spans from "./Spans.ts"

export const Marked = memo(
  ({
    marks = none,
    text,
    tokens = none
  }: {
    readonly text: string
    readonly marks?: ReadonlyArray<Range>
    readonly tokens?: ReadonlyArray<Spans.Token>
  }) =>
    Spans.pieces(text, tokens, marks).map(({ marked, name, text }, at) => {
      const className = name === undefined ? undefined : `tok-${name}`
      // Pieces have no identity but their place.
      if (marked)
        return (
          <mark key={at} className={className}>
            {shown(text)}
          </mark>
        )
      return className === undefined ? (
        shown(text)
      ) : (
        <span key={at} className={className}>
          {shown(text)}
        </span>
      )
    })
)
Marked.displayName = "Marked"

const none: ReadonlyArray<never> = []
