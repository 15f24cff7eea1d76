/**
 * The JSON of a search on the embedded forge: the members of the contract's response (`total_count`,
 * `incomplete_results`, `items`), and the members of the rich search.
 */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Forge } from "@tongs/core/client/Forge"
import type { Chunk, FileHit } from "@tongs/core/contract/groups/CodeSearch"
import { type Repository, RepositorySummary } from "@tongs/core/contract/groups/Repository"
import * as PathText from "@tongs/core/text/PathText"
import type { EmbeddedResults } from "./EmbeddedSearch.ts"

/** Number of repositories that are read at the same time. */
const CONCURRENCY = 4

/** Returns the results as JSON. Reads the repositories of the files, whose URLs are part of the contract's response. */
export const make = Effect.fnUntraced(function* (found: EmbeddedResults) {
  const forge = yield* Forge
  const { commits, done, files, noun, reasons } = found
  const names = new Map(files.map(({ owner, repo }) => [`${owner}/${repo}`, { owner, repo }]))
  const repositories = new Map(
    yield* Effect.forEach(
      names,
      ([name, target]) =>
        Effect.map(
          forge.repositories.get(target, { priority: "interactive" }),
          (repository) => [name, repository] as const
        ),
      { concurrency: CONCURRENCY }
    )
  )
  const counted = done?.facets.repo.reduce((sum, { count }) => sum + count, 0) ?? 0
  const sent = Math.max(done?.files ?? 0, files.length, commits.length)
  return {
    total_count: noun === "file" ? Math.max(sent, counted) : sent,
    // As in the contract, more results than the limit are not missing results.
    incomplete_results: reasons.some((reason) => reason !== "limit"),
    items: files.flatMap((hit) => {
      const repository = repositories.get(`${hit.owner}/${hit.repo}`)
      return repository === undefined ? [] : [itemOf(hit, repository)]
    }),
    ...(noun === "commit" ? { commits: commits.map(({ _tag, ...commit }) => commit) } : {}),
    total_is_minimum: noun === "file" ? done?.facets_complete !== true : reasons.length > 0,
    match_count: done?.matches ?? files.reduce((sum, { match_count: count }) => sum + count, 0),
    incomplete: reasons,
    notes: done?.notes ?? [],
    ...(done?.cursor === undefined ? {} : { cursor: done.cursor })
  }
})

const itemOf = (hit: FileHit, repository: Repository) => {
  const { chunks, commit, language, match_count, oid, path, rank, revisions, size, uncommitted } = hit
  const ref = revisions === undefined ? repository.default_branch : commit
  const encoded = path.split("/").map(encodeURIComponent).join("/")
  const url = `${repository.url}/contents/${encoded}?ref=${encodeURIComponent(ref)}`
  return {
    name: PathText.nameOf(path),
    path,
    sha: oid,
    url,
    git_url: `${repository.url}/git/blobs/${oid}`,
    html_url: `${repository.html_url}/blob/${ref.split("/").map(encodeURIComponent).join("/")}/${encoded}`,
    repository: Struct.pick(repository, Struct.keys(RepositorySummary.fields)),
    score: rank,
    text_matches: textMatches(hit, url),
    commit,
    language,
    size,
    match_count,
    lines: chunks.flatMap(({ lines }) => lines),
    ...(revisions === undefined ? {} : { revisions }),
    ...(uncommitted === true ? { uncommitted } : {})
  }
}

/** Returns the matches in the form of the contract: fragments without line numbers. */
const textMatches = ({ chunks, in_path: inPath, path }: FileHit, url: string) => {
  const object = { object_url: url, object_type: "FileContent" }
  const matches = inPath.map(([start, end]) => ({ text: path.slice(start, end), indices: [start, end] }))
  return [
    ...(matches.length === 0 ? [] : [{ ...object, property: "path", fragment: path, matches }]),
    ...chunks.map((chunk) => ({ ...object, property: "content", ...fragmentOf(chunk) }))
  ]
}

const fragmentOf = ({ lines }: Chunk) => {
  let at = 0
  const matches = lines.flatMap((line) => {
    const from = at
    at += line.text.length + 1
    return line.matches.map(([start, end]) => ({
      text: line.text.slice(start, end),
      indices: [from + start, from + end]
    }))
  })
  return { fragment: lines.map(({ text }) => text).join("\n"), matches }
}
