/** One key of the fixture file: what its rows look like, and what each becomes. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OrganizationRows } from "../accounts/OrganizationRows.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { RepositoryRows, type RepositoryRow } from "../repositories/RepositoryRows.ts"
import { type UserRow, UserRows } from "../accounts/UserRows.ts"

/** What is wrong, and where: `repositories[2].git`. */
export class FixtureError extends Schema.TaggedError<FixtureError>()("FixtureError", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.detail}`
  }
}

/**
 * A thing that a row sets: two rows of a file that set the same one would overwrite each other. `path` is the member of
 * the row that names it. A thing with an undefined part has no name of its own.
 */
export interface FixtureIdentity {
  readonly path: string
  readonly parts: ReadonlyArray<string | number | undefined>
}

export const identity = (path: string, ...parts: FixtureIdentity["parts"]): FixtureIdentity => ({ path, parts })

/** Names that differ only in case are one. */
export const foldCase = (name: string): string => name.toLowerCase()

export interface FixtureSection<R> {
  readonly key: string
  readonly row: Schema.Codec<unknown, unknown>
  /** Fails where a row sets a thing that an earlier row, or the same one, sets too. */
  readonly distinct: (rows: ReadonlyArray<unknown>) => Effect.Effect<void, FixtureError>
  /** Adds the rows; a failure's path begins at the row. */
  readonly apply: (rows: ReadonlyArray<unknown>) => Effect.Effect<void, FixtureError, R>
}

/** `add` fails with the path within its row, or `""`. */
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
              detail: `${first} names the same; remove one of the two`
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

/** A row that has no name: a second one that is equal would be taken for the first. */
export const wholeRow = (row: unknown): ReadonlyArray<FixtureIdentity> => [identity("", JSON.stringify(row))]

/** Fails at a member of the row. */
export const failAt = (path: string, detail: string) => Effect.fail(new FixtureError({ path, detail }))

/** The account of a login that a member of the row names. */
export const user = (path: string, login: string): Effect.Effect<UserRow, FixtureError, UserRows> =>
  Effect.flatMap(UserRows, (users) =>
    Effect.flatMap(
      users.byLogin(login),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => failAt(path, `there is no account ${JSON.stringify(login)}`)
      })
    )
  )

/** The organization of a login that a member of the row names. */
export const organization = (path: string, login: string) =>
  Effect.flatMap(OrganizationRows, (organizations) =>
    Effect.flatMap(
      organizations.byLogin(login),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => failAt(path, `there is no organization ${JSON.stringify(login)}`)
      })
    )
  )

/** The repository of a full name that a member of the row names. */
export const repository = (
  path: string,
  fullName: string
): Effect.Effect<RepositoryRow, FixtureError, RepositoryRows> =>
  Effect.flatMap(RepositoryRows, (repositories) => {
    const [owner = "", name = ""] = fullName.split("/", 2)
    return Effect.flatMap(
      repositories.find(owner, name),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => failAt(path, `there is no repository ${JSON.stringify(fullName)}`)
      })
    )
  })

/** The default branch of a repository and its newest commit. Without a commit, fails at the member that would name one. */
export const tip = Effect.fnUntraced(function* (path: string, fullName: string) {
  const [owner = "", name = ""] = fullName.split("/", 2)
  const registry = yield* RepositoryRegistry
  const found = yield* Effect.orElseSucceed(registry.find(owner, name), Option.none)
  if (Option.isNone(found)) return yield* failAt("repository", `${fullName} cannot be opened`)
  const { git } = found.value
  const read = Effect.all({ branch: git.head, commit: git.resolve("HEAD") })
  const { branch, commit } = yield* Effect.mapError(read, ({ message }) => new FixtureError({ path, detail: message }))
  return commit === undefined ? yield* failAt(path, `${fullName} has no commit; name one`) : { branch, commit }
})
