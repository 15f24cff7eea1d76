/** The lines of an answer. */
import * as Stream from "effect/Stream"
import * as Effect from "effect/Effect"

/** Maximum bytes of a line, which must have room for the matches of one file, and of an answer. */
export const MAX_LINE = 64 * 1024 * 1024
const MAX_ANSWER = 4 * 1024 * 1024 * 1024

const LINE_FEED = 10

/** Splits an answer into lines. Fails with `refuse` if a line or the answer is too long. */
export const split = <E, E2>(
  bytes: Stream.Stream<Uint8Array, E>,
  refuse: (detail: string) => E2
): Stream.Stream<string, E | E2> =>
  Stream.suspend(() => {
    /** Parts of the line that is not complete yet, and their length. */
    let parts: Array<Uint8Array> = []
    let length = 0
    let total = 0
    const read = (chunk: Uint8Array): ReadonlyArray<string> => {
      const lines: Array<string> = []
      let from = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
        parts.push(chunk.subarray(from, end))
        lines.push(Buffer.concat(parts).toString("utf8"))
        parts = []
        length = 0
        from = end + 1
      }
      if (from < chunk.length) {
        parts.push(chunk.subarray(from))
        length += chunk.length - from
      }
      return lines
    }
    return bytes.pipe(
      Stream.mapEffect((chunk) => {
        total += chunk.length
        if (total > MAX_ANSWER) return Effect.fail(refuse("sent an endless answer"))
        const lines = read(chunk)
        return length > MAX_LINE ? Effect.fail(refuse("sent an endless line")) : Effect.succeed(lines)
      }),
      Stream.flatMap(Stream.fromIterable)
    )
  })
