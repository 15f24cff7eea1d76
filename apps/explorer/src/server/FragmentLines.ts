/** Finds the line numbers of fragments: the documented code search returns only the text of fragments. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as FileBytes from "./FileBytes.ts"
import { interactive } from "./RequestOptions.ts"

/** Files that are read concurrently. */
const CONCURRENCY = 8

/**
 * Reads the file of each hit, extends the fragments to whole lines, and adds line numbers. For forges where a read is
 * free. Hits of unreadable files stay unchanged.
 */
export const locateFragments = Effect.fn("FragmentLines.locateFragments")(function* (
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
              withLines(hit, encoding === "base64" ? FileBytes.text(content) : content)
            ),
            Effect.orElseSucceed(() => hit)
          ),
    { concurrency: CONCURRENCY }
  )
})

const withLines = (hit: ExplorerApi.SearchHit, text: string | undefined): ExplorerApi.SearchHit =>
  text === undefined ? hit : { ...hit, fragments: locateInText(text, hit.fragments) }

/** Maximum number of characters that a fragment grows by on either side. */
const MAX_GROWTH = 400

/**
 * Extends fragments to whole lines of `text`, with the number of the first line, from 1. A fragment that does not occur
 * stays unchanged. Equal fragments count as consecutive occurrences.
 */
export const locateInText = (
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

/** Merges fragments that were extended to the same line. */
const join = (
  all: ReadonlyArray<ExplorerApi.Fragment>,
  next: ExplorerApi.Fragment
): ReadonlyArray<ExplorerApi.Fragment> => {
  const last = all.at(-1)
  return last !== undefined && last.line !== null && last.line === next.line && last.text === next.text
    ? [...all.slice(0, -1), { ...last, matches: [...last.matches, ...next.matches] }]
    : [...all, next]
}

/** Number of the line of the character at `offset`, from 1. */
const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) line++
  return line
}
