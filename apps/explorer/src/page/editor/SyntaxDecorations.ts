/** The colours of the syntax, once the worker has told them. */
import type { Extension } from "@codemirror/state"
import * as SyntaxTokens from "../syntax/SyntaxTokens.ts"
import { externalField, viewportDecorations } from "./ViewportDecorations.ts"

export const tokens = externalField<SyntaxTokens.SyntaxTokens>(SyntaxTokens.empty)

export const syntaxDecorations: Extension = [
  tokens.field,
  viewportDecorations((state, from, to, paint) => {
    const all = tokens.of(state)
    for (let at = SyntaxTokens.firstEndingAfter(all, from); at < all.length; at += SyntaxTokens.STRIDE) {
      const start = all[at] ?? to
      if (start >= to) break
      paint(start, all[at + 1] ?? start, `tok-${SyntaxTokens.SYNTAX_CLASSES[all[at + 2] ?? 0]}`)
    }
  }, tokens.has)
]
