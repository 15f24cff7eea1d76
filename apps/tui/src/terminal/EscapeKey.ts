/**
 * Escape, and what came with it in one read. Ink takes it for Alt and the next key, and does not see that text was pasted
 * whose mark came next; nothing here is on Alt. So it is told of such an Escape by its other name, which is whole in itself.
 */
import * as Effect from "effect/Effect"

/** Reads the keys so for as long as the scope is open. */
export const separate = (stdin: NodeJS.ReadableStream) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const read = stdin.read.bind(stdin)
      stdin.read = (size) => {
        const chunk = read(size)
        return typeof chunk === "string" ? chunk.replace(BEFORE_ANOTHER, ESCAPE) : chunk
      }
      return read
    }),
    (read) =>
      Effect.sync(() => {
        stdin.read = read
      })
  )

const BEFORE_ANOTHER = /\u001b(?=\u001b)/g

/** Escape as the keyboard protocol of Kitty has it. */
const ESCAPE = "\u001b[27u"
