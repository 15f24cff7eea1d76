/** Finds the issues that references in a text mean. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { IssueReference, RepositoryName, TextReference } from "../base/TextReferences.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const ReferencedIssue = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  number: Schema.Int,
  is_pull_request: Schema.Int
})
type ReferencedIssue = typeof ReferencedIssue.Type

/** An issue, with the repository. */
export interface Target {
  readonly issue: ReferencedIssue
  readonly repository: RepositoryRow
}

/** Returns the issue of a reference in a text of `home`, if the issue exists and fulfills the condition. */
export type TargetOf = (reference: IssueReference, home: RepositoryRow) => Target | undefined

/** Maximum number of issues to look up in one statement. */
const MAX_ISSUES = 2000

const rows = decodeRows(ReferencedIssue)

/** The name of a repository as a key. */
export const keyOf = (owner: string, name: string) => `${owner}/${name}`.toLowerCase()

type Repositories = ReadonlyMap<string, RepositoryRow>

const byName = new WeakMap<ReadonlyArray<RepositoryRow>, Repositories>()

/** The served repositories by `keyOf`. The registry gives the same list until a repository changes. */
export const repositoriesByName = ({ list }: RepositoryRegistry["Service"]): Effect.Effect<Repositories> =>
  Effect.map(list, (rows) => {
    const known = byName.get(rows) ?? new Map(rows.map((row) => [keyOf(row.owner.login, row.name), row]))
    byName.set(rows, known)
    return known
  })

/** True for short references and for URLs of the website at `html`. */
export const isOfForge = (reference: TextReference, html: string): boolean => {
  const url = "url" in reference ? reference.url : undefined
  return url === undefined || url.origin === html
}

/**
 * Makes a function that finds the issues of references in one statement. `condition` is on the issues `i` of repositories
 * `r`. A missing repository takes the same statement as an issue of a private one.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const registry = yield* RepositoryRegistry
  const { numberPairs } = SqlFragments.make(sql)

  const repositories = repositoriesByName(registry)

  return Effect.fnUntraced(function* (
    references: ReadonlyArray<readonly [reference: IssueReference, home: RepositoryRow]>,
    condition: Fragment
  ): Effect.fn.Return<TargetOf> {
    if (references.length === 0) return () => undefined
    const known = yield* repositories
    const repositoryOf = (name: RepositoryName | undefined, home: RepositoryRow) =>
      name === undefined ? home : known.get(keyOf(name.owner, name.name ?? home.name))
    const pairs = new Map<string, readonly [number, number]>()
    for (const [{ number, repository }, home] of references) {
      if (pairs.size === MAX_ISSUES) break
      const id = repositoryOf(repository, home)?.id ?? 0
      pairs.set(`${id} ${number}`, [id, number])
    }
    const issues = yield* rows(sql`
      SELECT i.id, i.repository_id, i.number, i.is_pull_request FROM ${numberPairs([...pairs.values()])} wanted
      JOIN issues i ON i.repository_id = wanted.first AND i.number = wanted.second
      JOIN repositories r ON r.id = i.repository_id
      WHERE (r.has_issues = 1 OR i.is_pull_request = 1) AND ${condition}`)
    const found = new Map(issues.map((issue) => [`${issue.repository_id} ${issue.number}`, issue]))
    return ({ number, repository }, home) => {
      const row = repositoryOf(repository, home)
      const issue = row === undefined ? undefined : found.get(`${row.id} ${number}`)
      return row === undefined || issue === undefined ? undefined : { issue, repository: row }
    }
  })
})
