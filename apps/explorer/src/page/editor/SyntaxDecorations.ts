import type { Extension } from "@codemirror/state"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import { externalField } from "./ExternalField.ts"
import { viewportDecorations } from "./ViewportDecorations.ts"

/** The syntax tokens of the text. */
export const tokens = externalField<SyntaxTokens.SyntaxTokens>(SyntaxTokens.empty)

export const syntaxDecorations: Extension = [
  tokens.field,
  viewportDecorations((state, from, to, add) => {
    const all = tokens.of(state)
    for (let at = SyntaxTokens.firstEndingAfter(all, from); at < all.length; at += SyntaxTokens.STRIDE) {
      const start = all[at] ?? to
      if (start >= to) break
      add(start, all[at + 1] ?? start, `tok-${SyntaxTokens.syntaxClasses[all[at + 2] ?? 0]}`)
    }
  }, tokens.hasChanged)
]
