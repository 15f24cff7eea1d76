/** On which lines of its file a piece stands: the contract's search says only what the piece is (`spec/3 §2.11`). */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { TextRange } from "@tongs/core/contract/CodeSearch"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as Bytes from "./Bytes.ts"
import { interactive } from "./Patience.ts"

/** Files that are read at the same time. */
const CONCURRENCY = 8

/**
 * The same hits with fragments of whole lines that know their numbers, by reading each file: for a forge where that is
 * local and free. What cannot be read stays as it is.
 */
export const locate = Effect.fn("Locate.locate")(function* (
  hits: ReadonlyArray<{ readonly hit: ExplorerApi.SearchHit; readonly blob: string }>
) {
  const forge = yield* Forge
  const options = yield* interactive
  return yield* Effect.forEach(
    hits,
    ({ blob, hit }) =>
      hit.fragments.length === 0
        ? Effect.succeed(hit)
        : forge.gitBlobs.get({ owner: hit.owner, repo: hit.repo, file_sha: blob }, options).pipe(
            Effect.map(({ content, encoding }) =>
              withLines(hit, encoding === "base64" ? Bytes.text(content) : content)
            ),
            Effect.orElseSucceed(() => hit)
          ),
    { concurrency: CONCURRENCY }
  )
})

const withLines = (hit: ExplorerApi.SearchHit, text: string | undefined): ExplorerApi.SearchHit =>
  text === undefined ? hit : { ...hit, fragments: located(text, hit.fragments) }

/** Characters that a fragment may grow by on either side. */
const MAX_GROWTH = 400

/**
 * Fragments grown to whole lines of `text`, with the line, from 1, on which each begins; one that does not occur stays
 * as it is. Equal fragments are taken for occurrences one after the other.
 */
export const located = (
  text: string,
  fragments: ReadonlyArray<ExplorerApi.Fragment>
): ReadonlyArray<ExplorerApi.Fragment> => {
  let from = 0
  const grown = fragments.map((fragment) => {
    const later = text.indexOf(fragment.text, from)
    const at = later === -1 ? text.indexOf(fragment.text) : later
    if (at === -1 || fragment.text === "") return fragment
    const end = at + fragment.text.length
    from = end
    const lineStart = text.lastIndexOf("\n", at - 1) + 1
    const before = at > 0 && at - lineStart <= MAX_GROWTH ? at - lineStart : 0
    const lineEnd = text.indexOf("\n", end)
    const after = Math.min((lineEnd === -1 ? text.length : lineEnd) - end, MAX_GROWTH)
    return {
      text: text.slice(at - before, end + after),
      line: lineAt(text, at),
      matches: fragment.matches.map(([start, end]): TextRange => [start + before, end + before])
    }
  })
  return grown.reduce(join, [])
}

/** Two pieces of one line have grown to the same: they become one. */
const join = (
  all: ReadonlyArray<ExplorerApi.Fragment>,
  next: ExplorerApi.Fragment
): ReadonlyArray<ExplorerApi.Fragment> => {
  const last = all.at(-1)
  return last !== undefined && last.line !== null && last.line === next.line && last.text === next.text
    ? [...all.slice(0, -1), { ...last, matches: [...last.matches, ...next.matches] }]
    : [...all, next]
}

/** The line, from 1, that the character at `offset` is on. */
const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) line++
  return line
}
