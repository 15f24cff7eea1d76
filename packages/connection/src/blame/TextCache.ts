/** The texts that were read last, up to a total size. A text at a commit never changes. */
export interface TextCache {
  readonly get: (key: string) => string | undefined
  readonly set: (key: string, text: string) => void
}

/** Creates a cache of at most `limit` characters. */
export const make = (limit: number): TextCache => {
  const texts = new Map<string, string>()
  let size = 0
  const remove = (key: string) => {
    size -= texts.get(key)?.length ?? 0
    texts.delete(key)
  }
  return {
    get: (key) => {
      const text = texts.get(key)
      // Moves the text to the end, because eviction starts at the front.
      if (text !== undefined && texts.delete(key)) texts.set(key, text)
      return text
    },
    set: (key, text) => {
      remove(key)
      if (text.length > limit) return
      texts.set(key, text)
      size += text.length
      for (const oldest of texts.keys()) {
        if (size <= limit) break
        remove(oldest)
      }
    }
  }
}
