/** Generates the notes of a release from the pull requests merged since the previous one. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ApiError from "../api/ApiError.ts"
import { encodePath, type Urls } from "../api/Urls.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as RefName from "../git/values/RefName.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as NotesConfig from "./NotesConfig.ts"
import * as NotesText from "./NotesText.ts"
import { ReleaseRows } from "./ReleaseRows.ts"

/** The release whose notes are generated. */
export interface NotesRequest {
  readonly tag: string
  readonly target?: string | undefined
  readonly previousTag?: string | undefined
  readonly configurationPath?: string | undefined
}

/** Maximum number of commits between two releases whose pull requests are listed. */
const MAX_COMMITS = 10_000

/** Maximum number of listed pull requests. */
const MAX_PULLS = 1000

/** Maximum number of releases among which the previous one is looked for. */
const MAX_RELEASES = 30

const Pull = Schema.Struct({
  number: Schema.Int,
  title: Schema.String,
  author: Schema.NullOr(Schema.String),
  labels: Schema.fromJsonString(Schema.Array(Schema.String)),
  /** 0 or 1. */
  is_first: Schema.Int
})

const pullRows = decodeRows(Pull)

/** Returns the commit of a tag. */
export const commitOfTag = Effect.fnUntraced(function* (git: GitRepository, tag: string) {
  const name = RefName.tag(tag)
  return RefName.isValid(name) && (yield* git.ref(name)) !== undefined ? yield* git.resolve(name) : undefined
})

/** Returns the commit of a branch or of a full id. Undefined if it does not exist. */
export const commitOfTarget = Effect.fnUntraced(function* (git: GitRepository, target: string) {
  const branch = RefName.branch(target)
  if (RefName.isValid(branch) && (yield* git.ref(branch)) !== undefined) return yield* git.resolve(branch)
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(target)) return undefined
  return yield* git.commitById(target)
})

const invalid = (parameter: string) =>
  ApiError.invalid(`Invalid ${parameter} parameter`, [{ resource: "Release", field: parameter, code: "invalid" }])

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const fragments = SqlFragments.make(sql)
  const { isOneOfTexts, jsonArray, jsonText } = fragments
  const releases = yield* ReleaseRows
  const labels = sql.literal(`(SELECT ${jsonText(jsonArray("l.name"))} FROM (
    SELECT l.name FROM issue_labels il JOIN labels l ON l.id = il.label_id WHERE il.issue_id = i.id ORDER BY l.id) l)`)

  /** Finds the newest release whose tag the commit contains. */
  const previousOf = Effect.fnUntraced(function* ({ git, row }: ServedRepository, tag: string, head: string) {
    const { items } = yield* releases.list(row.id, false, { offset: 0, perPage: MAX_RELEASES })
    for (const { tag_name: name } of items) {
      const commit = name === tag ? undefined : yield* commitOfTag(git, name)
      if (commit !== undefined && (commit === head || (yield* git.isAncestor(commit, head)))) return { name, commit }
    }
    return undefined
  })

  const mergedBy = (repositoryId: number, commits: ReadonlyArray<string>) =>
    pullRows(sql`
      SELECT i.number, i.title, u.login AS author, ${labels} AS labels,
        CASE WHEN EXISTS (
          SELECT 1 FROM pull_requests e JOIN issues o ON o.id = e.issue_id
          WHERE e.repository_id = p.repository_id AND o.author_id = i.author_id AND e.merged_at IS NOT NULL
            AND (e.merged_at < p.merged_at OR (e.merged_at = p.merged_at AND o.number < i.number))
        ) THEN 0 ELSE 1 END AS is_first
      FROM pull_requests p JOIN issues i ON i.id = p.issue_id LEFT JOIN users u ON u.id = i.author_id
      WHERE p.repository_id = ${repositoryId} AND p.merged_at IS NOT NULL
        AND ${isOneOfTexts("p.merge_commit_sha", commits)}
      ORDER BY p.merged_at, i.number LIMIT ${MAX_PULLS}`)

  /** Generates notes. Fails with 422 for an unknown previous tag or target. */
  return Effect.fn("GeneratedNotes.generate")(function* (
    { configurationPath, previousTag, tag, target }: NotesRequest,
    repository: ServedRepository,
    urls: Urls
  ) {
    const { git, row } = repository
    const tagged = yield* commitOfTag(git, tag)
    const branch = target ?? (yield* git.head)
    const head = tagged ?? (yield* commitOfTarget(git, branch))
    if (head === undefined) return yield* invalid("target_commitish")
    const given = previousTag === undefined ? undefined : yield* commitOfTag(git, previousTag)
    if (previousTag !== undefined && given === undefined) return yield* invalid("previous_tag")
    const previous =
      previousTag === undefined || given === undefined
        ? yield* previousOf(repository, tag, head)
        : { name: previousTag, commit: given }
    const commits = yield* git.log({ from: head, exclude: previous?.commit, skip: 0, limit: MAX_COMMITS })
    const pulls = yield* mergedBy(row.id, commits)
    const body = NotesText.make({
      pulls: pulls.map(({ author, is_first: first, ...pull }) => ({
        ...pull,
        author: author ?? undefined,
        isFirst: first === 1
      })),
      found: yield* NotesConfig.read(git, head, configurationPath),
      url: `${urls.html}/${repository.fullName}`,
      tag: encodePath(tag),
      target: tagged === undefined ? branch : tag,
      previousTag: previous === undefined ? undefined : encodePath(previous.name)
    })
    return { name: tag, body }
  })
})
