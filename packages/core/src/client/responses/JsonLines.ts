/** Parses a stream of JSON texts, one per line, as the chunks arrive. */

/** Values of consecutive lines. */
export interface Lines {
  readonly values: ReadonlyArray<unknown>
  /** False if the line after these values is not JSON or is too long. */
  readonly isValid: boolean
}

/** A parser of one stream. */
export interface JsonLines {
  /** Parses the lines that a chunk completes. */
  readonly push: (chunk: Uint8Array) => Lines
  /** Parses a last line without a line feed. */
  readonly end: () => Lines
}

/** Creates a parser of lines with at most `maxLength` characters. Ignores empty lines. */
export const make = (maxLength: number): JsonLines => {
  const decoder = new TextDecoder()
  let pending = ""
  const read = (text: string): Lines => {
    const values: Array<unknown> = []
    const lines = text.split("\n")
    lines[0] = pending + (lines[0] ?? "")
    pending = lines.pop() ?? ""
    for (const line of lines) {
      if (line.length > maxLength) return { values, isValid: false }
      if (line.trim() === "") continue
      try {
        values.push(JSON.parse(line))
      } catch {
        return { values, isValid: false }
      }
    }
    return { values, isValid: pending.length <= maxLength }
  }
  return {
    push: (chunk) => read(decoder.decode(chunk, { stream: true })),
    end: () => read(`${decoder.decode()}\n`)
  }
}
