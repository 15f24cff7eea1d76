/**
 * Remembers the results of a search as digests, and finds new results.
 *
 * **Details**
 *
 * A line has two digests: of the text in the repository, and of the text, path and repository. If a text now has more
 * lines than before, the difference is the number of new lines: a line that moved within a file or to another file is
 * not new. Digests need no commits, which a force push can delete, and work for every query, also over work in several
 * repositories.
 */
import { createHash } from "node:crypto"

/** A result: a matching line, a matching path, or a commit. */
export interface Result {
  /** Identifies the repository, also after a renaming. */
  readonly repository: number
  /** Empty for a commit. */
  readonly path: string
  /** Text of the line, `path` for a matching path, or the id of the commit. */
  readonly text: string
}

/** Length of a digest, and of the digests of a result, in bytes. */
const DIGEST_LENGTH = 8
const RECORD_LENGTH = 2 * DIGEST_LENGTH

interface Digests {
  readonly text: string
  readonly place: string
}

const digest = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\0")).digest().toString("latin1", 0, DIGEST_LENGTH)

const digestsOf = ({ path, repository, text }: Result): Digests => {
  // Moving a line into a block changes the indentation.
  const trimmed = text.trim()
  return { text: digest(String(repository), trimmed), place: digest(String(repository), trimmed, path) }
}

/** Returns the digests of results, independent of the order. */
export const encode = (results: ReadonlyArray<Result>): Uint8Array<ArrayBuffer> => {
  const records = results.map((result) => {
    const { place, text } = digestsOf(result)
    return text + place
  })
  return Buffer.from(records.sort().join(""), "latin1")
}

/** Returns a short identifier of encoded results. */
export const version = (encoded: Uint8Array): string => createHash("sha256").update(encoded).digest("hex").slice(0, 32)

/** Returns the results that are new since `seen`. */
export const newOf = <A extends Result>(seen: Uint8Array, results: ReadonlyArray<A>): ReadonlyArray<A> => {
  const texts = new Counts()
  const places = new Counts()
  const bytes = Buffer.from(seen).toString("latin1")
  for (let at = 0; at < bytes.length; at += RECORD_LENGTH) {
    texts.add(bytes.slice(at, at + DIGEST_LENGTH))
    places.add(bytes.slice(at + DIGEST_LENGTH, at + RECORD_LENGTH))
  }
  // Lines at former places first, so that of two equal lines, the line in another file is new.
  const others = results.flatMap((result) => {
    const digests = digestsOf(result)
    if (!places.take(digests.place)) return [{ result, digests }]
    texts.take(digests.text)
    return []
  })
  return others.flatMap(({ digests, result }) => (texts.take(digests.text) ? [] : [result]))
}

class Counts {
  readonly #counts = new Map<string, number>()

  add(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  /** Removes one occurrence. Returns false if there was none. */
  take(value: string): boolean {
    const count = this.#counts.get(value) ?? 0
    if (count > 0) this.#counts.set(value, count - 1)
    return count > 0
  }
}
