/** The colours of the syntax, once the worker has told them. */
import type { Extension } from "@codemirror/state"
import * as Tokens from "../Tokens.ts"
import { given, painted } from "./Painted.ts"

export const tokens = given<Tokens.Tokens>(Tokens.none)

export const colours: Extension = [
  tokens.field,
  painted((state, from, to, paint) => {
    const all = tokens.of(state)
    for (let at = Tokens.after(all, from); at < all.length; at += Tokens.WIDTH) {
      const start = all[at] ?? to
      if (start >= to) break
      paint(start, all[at + 1] ?? start, `tok-${Tokens.NAMES[all[at + 2] ?? 0]}`)
    }
  }, tokens.has)
]
