/** Finds the commits of a comparison, also in other repositories of the network of forks. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

/** A commit, and the repository in which the comparison names it. */
export interface ComparedVersion {
  readonly repository: ServedRepository
  readonly oid: string
}

const networkOf = ({ id, source_id }: RepositoryRow) => source_id ?? id

const isEqual = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * Creates the function that resolves `BRANCH`, `OWNER:BRANCH` or `OWNER:REPO:BRANCH`. Undefined for a repository outside
 * of the network, or one whose files the caller cannot read.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  /** Without a name: the repository itself if the account owns it, otherwise the oldest one of the account. */
  const findRepository = Effect.fnUntraced(function* (
    own: ServedRepository,
    login: string,
    name: string | undefined,
    caller: Caller
  ) {
    const isWanted = (row: RepositoryRow) =>
      isEqual(row.owner.login, login) && (name === undefined || isEqual(row.name, name))
    if (isWanted(own.row)) return own
    const network = networkOf(own.row)
    const rows = (yield* registry.list).filter((row) => networkOf(row) === network && isWanted(row))
    const readable = yield* roles.readable(caller, rows)
    const [found] = yield* registry.open(readable.toSorted((one, other) => one.id - other.id).slice(0, 1))
    return found
  })

  return Effect.fnUntraced(function* (own: ServedRepository, name: string, caller: Caller) {
    const parts = name.split(":", 4)
    const version = parts.at(-1) ?? ""
    const [login, repositoryName] = parts.slice(0, -1)
    if (parts.length > 3) return undefined
    const repository = login === undefined ? own : yield* findRepository(own, login, repositoryName, caller)
    const oid = yield* repository?.git.resolve(version) ?? Effect.undefined
    return repository === undefined || oid === undefined ? undefined : ({ repository, oid } satisfies ComparedVersion)
  })
})
