/** Collects the event stream of an index search. */
import type { CommitHit, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import { searchEvents } from "../api/SearchEvents.ts"
import * as ContextLines from "./ContextLines.ts"
import { empty, type FileResult, type SearchResults } from "./SearchResults.ts"

const fileResult = ({ chunks, in_path: inPath, match_count: matchCount, ...hit }: FileHit): FileResult => ({
  ...hit,
  chunks: ContextLines.withoutRepetition(chunks.map(ContextLines.trim)),
  inPath,
  matchCount
})

/**
 * Collects the results of a stream, and calls `onProgress` at most once per `interval` milliseconds. A stream that ends
 * without `Done` was cut off, so its results are incomplete.
 */
export const collectResults = async (
  body: ReadableStream<Uint8Array>,
  interval: number,
  onProgress: (results: SearchResults) => void
): Promise<SearchResults> => {
  const files: Array<FileResult> = []
  const commits: Array<CommitHit> = []
  const withCommits = () => (commits.length === 0 ? {} : { commits: [...commits] })
  let results = empty
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    onProgress({ ...results, ...withCommits(), files: [...files] })
  }
  try {
    for await (const event of searchEvents(body)) {
      if (event._tag === "Done") {
        const { cursor, facets, facets_complete: hasAllFacets, incomplete, matches, notes, took } = event
        const explained = notes.length === 0 ? {} : { notes }
        return {
          files,
          ...withCommits(),
          ...explained,
          ...(cursor === undefined ? {} : { cursor }),
          total: { files: event.files, matches },
          incomplete,
          facets,
          hasAllFacets,
          took,
          isDone: true
        }
      }
      if (event._tag === "File") files.push(fileResult(event))
      else if (event._tag === "Commit") commits.push(event)
      else if (event._tag === "Progress")
        results = { ...results, total: { files: event.files, matches: event.matches } }
      timer ??= setTimeout(flush, interval)
    }
  } finally {
    clearTimeout(timer)
  }
  return { ...results, ...withCommits(), files, incomplete: ["deadline"], isDone: true }
}
