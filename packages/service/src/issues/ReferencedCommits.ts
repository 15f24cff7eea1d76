/** Finds the commits that references in texts mean. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { contentsRead } from "@tongs/core/contract/Operation"
import type { Caller } from "../access/Caller.ts"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import type { CommitReference } from "../base/TextReferences.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as ReferencedIssues from "./ReferencedIssues.ts"

/** A commit, with the repository. */
export interface Target {
  readonly oid: string
  readonly repository: ServedRepository
}

/** Maximum number of commits, and of other repositories, to look up for one response. More stay plain text. */
const MAX_COMMITS = 2000
const MAX_REPOSITORIES = 50

/** Maximum commits to look up concurrently. */
const CONCURRENCY = 32

const rows = decodeRows(Schema.Struct({ id: Schema.Int }))

/**
 * Makes a function that finds the commits of references in the repositories of the texts and in others that the caller
 * can read. A missing repository takes the same statement as a private one.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const registry = yield* RepositoryRegistry
  const known = ReferencedIssues.repositoriesByName(registry)
  const { isOneOf } = SqlFragments.make(sql)

  return Effect.fnUntraced(function* (
    references: ReadonlyArray<readonly [reference: CommitReference, home: ServedRepository]>,
    caller: Caller
  ): Effect.fn.Return<(reference: CommitReference, home: ServedRepository) => Target | undefined> {
    const repositories = new Map(references.map(([, home]) => [keyOf(home), home]))
    const others = Arr.dedupe(references.map(([reference, home]) => nameOf(reference, home))).filter(
      (name) => !repositories.has(name)
    )
    if (others.length > 0) {
      const byName = yield* known
      const wanted = others.slice(0, MAX_REPOSITORIES).map((name) => byName.get(name))
      const named = wanted.map((row) => row?.id ?? 0)
      const readable = yield* rows(sql`
        SELECT r.id FROM repositories r
        WHERE ${isOneOf("r.id", named)} AND ${ReadableRepositories.byCaller(sql, caller, contentsRead, "r")}`)
      const ids = new Set(readable.map(({ id }) => id))
      const opened = yield* registry.open(wanted.flatMap((row) => (row !== undefined && ids.has(row.id) ? [row] : [])))
      for (const one of opened) repositories.set(keyOf(one), one)
    }
    const keys = Arr.dedupe(references.map(([reference, home]) => `${nameOf(reference, home)} ${reference.id}`)).slice(
      0,
      MAX_COMMITS
    )
    const found = yield* Effect.forEach(
      keys,
      (key) => {
        const [name = "", id = ""] = key.split(" ")
        const repository = repositories.get(name)
        return repository === undefined
          ? Effect.undefined
          : repository.git.commitById(id).pipe(
              Effect.map((oid) => (oid === undefined ? undefined : { oid, repository })),
              Effect.orElseSucceed(() => undefined)
            )
      },
      { concurrency: CONCURRENCY }
    )
    const targets = new Map(keys.map((key, index) => [key, found[index]]))
    return (reference, home) => targets.get(`${nameOf(reference, home)} ${reference.id}`)
  })
})

const keyOf = ({ row }: ServedRepository) => ReferencedIssues.keyOf(row.owner.login, row.name)

/** Returns the key of the repository that a reference in a text of `home` means. */
const nameOf = ({ repository }: CommitReference, home: ServedRepository) =>
  repository === undefined ? keyOf(home) : ReferencedIssues.keyOf(repository.owner, repository.name ?? home.row.name)
