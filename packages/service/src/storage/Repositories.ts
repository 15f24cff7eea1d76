/** Which repositories there are, and where their git data lies. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../http/Time.ts"
import { stored, storedRows } from "./Stored.ts"
import { UserRow } from "./Users.ts"

export const RepositoryRow = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  /** Absolute path of the git repository. */
  git: Schema.String,
  description: Schema.NullOr(Schema.String),
  homepage: Schema.NullOr(Schema.String),
  private: Schema.Int,
  archived: Schema.Int,
  topics: Schema.fromJsonString(Schema.Array(Schema.String)),
  created_at: Schema.String,
  updated_at: Schema.String,
  owner: Schema.fromJsonString(UserRow)
})
export type RepositoryRow = typeof RepositoryRow.Type

export interface NewRepository {
  readonly ownerId: number
  readonly name: string
  readonly git: string
  readonly description?: string | undefined
  readonly homepage?: string | undefined
  readonly private?: boolean | undefined
}

/** Why a repository could not be added. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}

const one = stored(RepositoryRow)
const all = storedRows(RepositoryRow)

export class Repositories extends Context.Service<
  Repositories,
  {
    find(owner: string, name: string): Effect.Effect<Option.Option<RepositoryRow>>
    byGit(git: string): Effect.Effect<Option.Option<RepositoryRow>>
    /** Every repository, by full name. */
    readonly list: Effect.Effect<ReadonlyArray<RepositoryRow>>
    add(repository: NewRepository): Effect.Effect<RepositoryRow, NameTaken>
    /** Forgets a repository; its git data is left alone. */
    forget(id: number): Effect.Effect<void>
  }
>()("@tongs/service/storage/Repositories") {
  static readonly layer = Layer.effect(
    Repositories,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(`
        r.id, r.name, r.git, r.description, r.homepage, r.private, r.archived, r.topics, r.created_at, r.updated_at,
        json_object('id', u.id, 'login', u.login, 'type', u.type, 'name', u.name, 'email', u.email,
          'site_admin', u.site_admin, 'created_at', u.created_at, 'updated_at', u.updated_at) AS owner
        FROM repositories r JOIN users u ON u.id = r.owner_id`)
      const byGit = (git: string) => one(sql`SELECT ${columns} WHERE r.git = ${git}`)
      const add = Effect.fn("Repositories.add")(function* (repository: NewRepository) {
        const now = timestamp(yield* Clock.currentTimeMillis)
        const row = {
          owner_id: repository.ownerId,
          name: repository.name,
          git: repository.git,
          description: repository.description ?? null,
          homepage: repository.homepage ?? null,
          private: repository.private === true ? 1 : 0,
          created_at: now,
          updated_at: now
        }
        yield* Effect.orDie(sql`INSERT INTO repositories ${sql.insert(row)} ON CONFLICT DO NOTHING`)
        const added = yield* byGit(repository.git)
        return yield* Option.isSome(added)
          ? Effect.succeed(added.value)
          : Effect.fail(new NameTaken({ name: repository.name }))
      })
      return Repositories.of({
        find: (owner, name) => one(sql`SELECT ${columns} WHERE u.login = ${owner} AND r.name = ${name}`),
        byGit,
        list: all(sql`SELECT ${columns} ORDER BY u.login COLLATE NOCASE, r.name`),
        add,
        forget: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM repositories WHERE id = ${id}`))
      })
    })
  )
}
