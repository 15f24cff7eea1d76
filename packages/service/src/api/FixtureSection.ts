/** A section of the fixture file: a top-level key, the schema of the rows, and the effect that adds rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OrganizationRows } from "../accounts/OrganizationRows.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { RepositoryRows, type RepositoryRow } from "../repositories/RepositoryRows.ts"
import { type UserRow, UserRows } from "../accounts/UserRows.ts"

/** The fixture file has an invalid value at `path`, for example `repositories[2].git`. */
export class FixtureError extends Schema.TaggedError<FixtureError>()("FixtureError", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.detail}`
  }
}

/**
 * Identifies a record that a fixture row writes. Two rows with the same identity would overwrite each other. `path` is
 * the member of the row with the identity. An identity with an undefined part never equals another one.
 */
export interface FixtureIdentity {
  readonly path: string
  readonly parts: ReadonlyArray<string | number | undefined>
}

/** Creates the identity of a record. If a row writes several kinds of records, include the kind in `parts`. */
export const identity = (path: string, ...parts: FixtureIdentity["parts"]): FixtureIdentity => ({ path, parts })

/** Normalizes a name for case-insensitive comparison. */
export const foldCase = (name: string): string => name.toLowerCase()

/** A section of the fixture file: one of the top-level keys. */
export interface FixtureSection<R> {
  readonly key: string
  readonly row: Schema.Codec<unknown, unknown>
  /** Fails if a record is written by two rows, or twice by the same row. */
  readonly distinct: (rows: ReadonlyArray<unknown>) => Effect.Effect<void, FixtureError>
  /** Adds the rows. Paths in errors start with the key and the index of the row. */
  readonly apply: (rows: ReadonlyArray<unknown>) => Effect.Effect<void, FixtureError, R>
}

/** Creates a section. Errors of `add` have a path relative to the row; `""` means the whole row. */
export const make = <A, I, R>(
  key: string,
  row: Schema.Codec<A, I>,
  things: (row: A) => ReadonlyArray<FixtureIdentity>,
  add: (row: A) => Effect.Effect<unknown, FixtureError, R>
): FixtureSection<R> => {
  const at = (index: number, path: string) => `${key}[${index}]${path === "" ? "" : `.${path}`}`
  const typed = (rows: ReadonlyArray<unknown>) => rows as ReadonlyArray<A> // oxlint-disable-line typescript/no-unsafe-type-assertion -- `row` has decoded them
  return {
    key,
    row,
    distinct: Effect.fnUntraced(function* (rows) {
      const seen = new Map<string, string>()
      for (const [index, one] of typed(rows).entries()) {
        for (const { parts, path } of things(one)) {
          if (parts.includes(undefined)) continue
          const name = JSON.stringify(parts)
          const first = seen.get(name)
          if (first !== undefined) {
            return yield* new FixtureError({
              path: at(index, path),
              detail: `duplicate of ${first}. Remove one of them`
            })
          }
          seen.set(name, at(index, path))
        }
      }
    }),
    apply: (rows) =>
      Effect.forEach(
        typed(rows),
        (one, index) =>
          Effect.mapError(add(one), ({ detail, path }) => new FixtureError({ path: at(index, path), detail })),
        { discard: true }
      )
  }
}

/** Returns the identity of a row that has no unique member: only equal rows are duplicates. */
export const wholeRow = (row: unknown): ReadonlyArray<FixtureIdentity> => [identity("", JSON.stringify(row))]

/** Fails with a `FixtureError` at a member of the row. */
export const failAt = (path: string, detail: string) => Effect.fail(new FixtureError({ path, detail }))

/** Finds an account by login. Fails at `path` if there is no such account. */
export const user = (path: string, login: string): Effect.Effect<UserRow, FixtureError, UserRows> =>
  Effect.flatMap(UserRows, (users) =>
    Effect.flatMap(users.byLogin(login), (found) =>
      found === undefined ? failAt(path, `no account ${JSON.stringify(login)}`) : Effect.succeed(found)
    )
  )

/** Finds an organization by login. Fails at `path` if there is no such organization. */
export const organization = (path: string, login: string) =>
  Effect.flatMap(OrganizationRows, (organizations) =>
    Effect.flatMap(organizations.byLogin(login), (found) =>
      found === undefined ? failAt(path, `no organization ${JSON.stringify(login)}`) : Effect.succeed(found)
    )
  )

/** Finds a repository by full name. Fails at `path` if there is no such repository. */
export const repository = (
  path: string,
  fullName: string
): Effect.Effect<RepositoryRow, FixtureError, RepositoryRows> =>
  Effect.flatMap(RepositoryRows, (repositories) => {
    const [owner = "", name = ""] = fullName.split("/", 2)
    return Effect.flatMap(repositories.find(owner, name), (found) =>
      found === undefined ? failAt(path, `no repository ${JSON.stringify(fullName)}`) : Effect.succeed(found)
    )
  })

/**
 * Returns the default branch of a repository and the newest commit of that branch. Fails at `path` if the repository is
 * empty.
 */
export const tip = Effect.fnUntraced(function* (path: string, fullName: string) {
  const [owner = "", name = ""] = fullName.split("/", 2)
  const registry = yield* RepositoryRegistry
  const found = yield* Effect.orElseSucceed(registry.find(owner, name), () => undefined)
  if (found === undefined) return yield* failAt("repository", `${fullName} cannot be opened`)
  const { git } = found
  const read = Effect.all({ branch: git.head, commit: git.resolve("HEAD") })
  const { branch, commit } = yield* Effect.mapError(read, ({ message }) => new FixtureError({ path, detail: message }))
  return commit === undefined ? yield* failAt(path, `${fullName} has no commits. Set ${path}`) : { branch, commit }
})
