/** Reads the event stream of an index search: JSON Lines. */
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"

/** Parses the events of a response body. Cancels the body when the consumer stops. */
export async function* searchEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SearchEvent> {
  const decoder = new TextDecoder()
  // Not every browser supports async iteration of streams.
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
