/** Relations of authors to a repository. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../accounts/UserRows.ts"
import * as Shapes from "../api/Shapes.ts"
import * as Contributors from "../git/history/Contributors.ts"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The relation of an author that the database knows. */
export const Standing = Schema.Literals(["OWNER", "MEMBER", "COLLABORATOR", "MANNEQUIN", "NONE"])
type Standing = typeof Standing.Type

/** Relation of an author to a repository, from most to least privileged. */
export type AuthorAssociation = Standing | "CONTRIBUTOR"

/** Author of a comment. */
export interface Author {
  /** Undefined if the account was deleted. */
  readonly user: UserRow | undefined
  readonly association: AuthorAssociation
}

const nobody: Author = { user: undefined, association: "NONE" }

/** SQL of the standing of the account in table `author` in the repository in table `repository`. */
export const standing = (author: string, repository: string): string => `CASE
  WHEN ${author}.id = ${repository}.owner_id THEN 'OWNER'
  WHEN ${author}.type = 'Mannequin' THEN 'MANNEQUIN'
  WHEN EXISTS (SELECT 1 FROM memberships s
    WHERE s.organization_id = ${repository}.owner_id AND s.user_id = ${author}.id) THEN 'MEMBER'
  WHEN EXISTS (SELECT 1 FROM collaborators s
    WHERE s.repository_id = ${repository}.id AND s.user_id = ${author}.id) THEN 'COLLABORATOR'
  ELSE 'NONE' END`

const authors = decodeRows(Schema.Struct({ ...UserRow.fields, standing: Standing }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { isOneOf } = SqlFragments.make(sql)
  const contributors = Contributors.make(yield* Git)

  /** The e-mail addresses of the commits of the default branch. */
  const emails = Effect.fnUntraced(function* ({ git }: ServedRepository) {
    const tip = yield* git.resolve("HEAD")
    if (tip === undefined) return new Set<string>()
    return new Set((yield* contributors(git.gitDir, tip)).map(({ email }) => email))
  })

  const contributor = Effect.fnUntraced(function* (repository: ServedRepository, user: UserRow) {
    const { email } = yield* Shapes.personOf(user)
    return (yield* emails(repository)).has(email) ? ("CONTRIBUTOR" as const) : ("NONE" as const) // literal types
  })

  /** Returns the relation of an author, from the standing. Runs git at most once after a change of the default branch. */
  const association = (
    repository: ServedRepository,
    user: UserRow | null,
    known: Standing
  ): Effect.Effect<AuthorAssociation, GitError> =>
    user === null || known !== "NONE" ? Effect.succeed(known) : contributor(repository, user)

  /** Reads the authors of a repository's comments by account id, in one statement. */
  const byIds = Effect.fnUntraced(function* (repository: ServedRepository, ids: ReadonlyArray<number | null>) {
    const wanted = [...new Set(ids)].filter((id) => id !== null)
    const found =
      wanted.length === 0
        ? []
        : yield* authors(sql`
            SELECT u.*, ${sql.literal(standing("u", "r"))} AS standing FROM users u
            JOIN repositories r ON r.id = ${repository.row.id} WHERE ${isOneOf("u.id", wanted)}`)
    const known = new Map<number, Author>()
    for (const { standing, ...user } of found)
      known.set(user.id, { user, association: yield* association(repository, user, standing) })
    return (id: number | null): Author => (id === null ? nobody : (known.get(id) ?? nobody))
  })

  return { association, byIds }
})

/** Finds the relations of authors. */
export class AuthorAssociations extends Context.Service<AuthorAssociations, Effect.Success<typeof make>>()(
  "@tongs/service/issues/AuthorAssociations"
) {
  static readonly layer = Layer.effect(AuthorAssociations, make)
}
