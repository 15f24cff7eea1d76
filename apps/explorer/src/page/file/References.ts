/** Where a name is used, by the index: whole words, in the repository that the reader is in. */
import type { Line } from "@tongs/core/explore/Explore"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { searchEvents } from "../search/SearchStream.ts"

export interface Reference extends Wire.Place {
  readonly path: string
  readonly commit: string
  readonly line: number
  readonly text: string
  readonly marks: ReadonlyArray<Wire.Range>
}

export interface ReferenceResults {
  readonly references: ReadonlyArray<Reference>
  /** All matches, in all files, also those that are not among the references. */
  readonly count: number
  readonly files: number
  readonly more: boolean
}

/** Milliseconds that an answer of the index is taken for the newest. */
export const FRESH = 10_000

/** Files that are asked for, and places that are listed. */
const MAX_FILES = 30
const MAX_LISTED = 60

/** The search that finds them. */
export const query = ({ owner, repo }: Wire.Place, word: string): string =>
  `"${word}" word:yes case:yes repo:${owner}/${repo}`

export const find = async (place: Wire.Place, word: string, signal: AbortSignal): Promise<ReferenceResults> => {
  const url = Api.url("api/tongs/search", { q: query(place, word), limit: MAX_FILES, context: 0 })
  const { body } = await Api.ask(url, signal)
  const references: Array<Reference> = []
  let found = { count: 0, files: 0, more: false }
  if (body !== null) {
    for await (const event of searchEvents(body)) {
      if (event._tag === "Done") {
        found = { count: event.matches, files: event.files, more: event.incomplete.length > 0 }
      } else if (event._tag === "File") {
        const { chunks, commit, owner, path, repo } = event
        const lines = chunks.flatMap(({ lines }) => lines.filter(({ matches }) => matches.length > 0))
        references.push(...lines.map((line) => ({ owner, repo, path, commit, ...reference(line) })))
      }
    }
  }
  return { ...found, references: references.slice(0, MAX_LISTED) }
}

const reference = ({ matches, number, text }: Line) => ({ line: number, text, marks: matches })

/** A line without its indentation. */
export const trimmed = ({ marks, text }: Reference): Pick<Reference, "marks" | "text"> => {
  const start = text.length - text.trimStart().length
  return { text: text.trim(), marks: marks.map(([from, to]): Wire.Range => [from - start, to - start]) }
}
