/** The references to a name: whole-word matches of the index in one repository. */
import type { Line } from "@tongs/core/explore/Explore"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { searchEvents } from "../search/SearchStream.ts"

/** A line with references. */
export interface Reference extends Wire.Place {
  readonly path: string
  readonly commit: string
  readonly line: number
  readonly text: string
  readonly matches: ReadonlyArray<Wire.Range>
}

/** The references to a name. */
export interface ReferenceResults {
  /** At most `MAX_LISTED`. */
  readonly references: ReadonlyArray<Reference>
  /** The count of all matches and of their files, as far as searched. */
  readonly count: number
  readonly files: number
  readonly isIncomplete: boolean
}

/** Milliseconds before a response of the index is stale. */
export const STALE_TIME = 10_000

const MAX_FILES = 30
const MAX_LISTED = 60

/** The query for all references to a name in a repository. */
export const query = ({ owner, repo }: Wire.Place, word: string): string =>
  `"${word}" word:yes case:yes repo:${owner}/${repo}`

/** Searches for references. Rejects with a `Refusal`. */
export const find = async (repository: Wire.Place, word: string, signal: AbortSignal): Promise<ReferenceResults> => {
  const url = Api.url("api/tongs/search", { q: query(repository, word), limit: MAX_FILES, context: 0 })
  const { body } = await Api.ask(url, signal)
  const references: Array<Reference> = []
  let totals = { count: 0, files: 0, isIncomplete: false }
  if (body !== null) {
    for await (const event of searchEvents(body)) {
      if (event._tag === "Done") {
        totals = { count: event.matches, files: event.files, isIncomplete: event.incomplete.length > 0 }
      } else if (event._tag === "File") {
        const { chunks, commit, owner, path, repo } = event
        const lines = chunks.flatMap(({ lines }) => lines.filter(({ matches }) => matches.length > 0))
        references.push(...lines.map((line) => ({ owner, repo, path, commit, ...reference(line) })))
      }
    }
  }
  return { ...totals, references: references.slice(0, MAX_LISTED) }
}

const reference = ({ matches, number, text }: Line) => ({ line: number, text, matches })

/** The line without its indentation. */
export const trimmed = ({ matches, text }: Reference): Pick<Reference, "matches" | "text"> => {
  const start = text.length - text.trimStart().length
  return { text: text.trim(), matches: matches.map(([from, to]): Wire.Range => [from - start, to - start]) }
}
