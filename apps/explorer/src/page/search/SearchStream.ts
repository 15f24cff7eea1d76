/** A search of the index as it comes: one JSON text a line. */
import type * as Explore from "@tongs/core/explore/Explore"
import { empty, type SearchResults } from "./SearchResults.ts"

/** The events of an answer, in order. Who wants no more of them ends the answer. */
export async function* searchEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Explore.SearchEvent> {
  const decoder = new TextDecoder()
  // Not every browser lets one walk through a stream as it is.
  const reader = body.getReader()
  let rest = ""
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = `${rest}${decoder.decode(next.value, { stream: true })}`.split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) if (line !== "") yield JSON.parse(line)
    }
  } finally {
    await reader.cancel()
  }
}

/**
 * What is known after each pause of `pause` milliseconds in which something came, and at the end. What ends without
 * `Done` was cut off: it counts as incomplete.
 */
export const collectResults = async (
  body: ReadableStream<Uint8Array>,
  pause: number,
  report: (outcome: SearchResults) => void
): Promise<SearchResults> => {
  const files: Array<Explore.FileHit> = []
  let outcome = empty
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    report({ ...outcome, files: [...files] })
  }
  try {
    for await (const event of searchEvents(body)) {
      if (event._tag === "Done") {
        const { facets, incomplete, matches, took } = event
        return { files, total: { files: event.files, matches }, incomplete, facets, took, isDone: true }
      }
      if (event._tag === "File") files.push(event)
      else outcome = { ...outcome, total: { files: event.files, matches: event.matches } }
      timer ??= setTimeout(flush, pause)
    }
  } finally {
    clearTimeout(timer)
  }
  return { ...outcome, files, incomplete: ["deadline"], isDone: true }
}
