/**
 * Separates the Escape key from the input that follows it in the same read. Ink would read both as Alt and the next
 * key, and would miss a bracketed paste.
 */
import * as Effect from "effect/Effect"

/** Replaces an Escape key before an escape sequence by `KITTY_ESCAPE` until the Effect scope closes. */
export const separate = (stdin: NodeJS.ReadableStream) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const read = stdin.read.bind(stdin)
      stdin.read = (size) => {
        const chunk = read(size)
        return typeof chunk === "string" ? chunk.replace(ESCAPE_BEFORE_SEQUENCE, KITTY_ESCAPE) : chunk
      }
      return read
    }),
    (read) =>
      Effect.sync(() => {
        stdin.read = read
      })
  )

const ESCAPE_BEFORE_SEQUENCE = /\u001b(?=\u001b)/g

/** The unambiguous code of the Escape key in the Kitty keyboard protocol. */
const KITTY_ESCAPE = "\u001b[27u"
