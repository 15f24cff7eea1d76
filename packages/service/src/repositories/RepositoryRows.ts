/** Database rows of repositories, with the paths of git data. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { timestamp } from "../base/Time.ts"
import * as DefaultLabels from "../storage/DefaultLabels.ts"
import { decodeSharedRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import { PropertyValue } from "./CustomPropertyRows.ts"
import * as RepositorySettings from "./RepositorySettings.ts"

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
  ...RepositorySettings.columns,
  /** Id of the repository whose files this one was created with. */
  template_id: Schema.NullOr(Schema.Int),
  /** Values of the repository's custom properties, by property name. */
  custom_properties: Schema.fromJsonString(Schema.Record(Schema.String, PropertyValue)),
  created_at: Schema.String,
  updated_at: Schema.String,
  open_issues: Schema.Int,
  /** Number of accounts that watch the repository. */
  watchers: Schema.Int,
  /** Number of accounts that have starred the repository. */
  stars: Schema.Int,
  /** Id of the repository of which this one is a fork. */
  parent_id: Schema.NullOr(Schema.Int),
  /** Id of the root of the network of a fork. */
  source_id: Schema.NullOr(Schema.Int),
  /** Number of direct forks. */
  forks: Schema.Int,
  /** Number of forks in the network. */
  network: Schema.Int,
  owner: Schema.fromJsonString(UserRow)
})
export type RepositoryRow = typeof RepositoryRow.Type

/** False if the settings forbid forks. They affect only private repositories of organizations. */
export const isForkable = (row: Pick<RepositoryRow, "allow_forking" | "owner" | "private">): boolean =>
  row.private === 0 || row.owner.type !== "Organization" || row.allow_forking === 1

export interface NewRepository extends RepositorySettings.Change {
  readonly ownerId: number
  readonly name: string
  readonly git: string
  readonly description?: string | undefined
  readonly homepage?: string | undefined
  readonly private?: boolean | undefined
  readonly templateId?: number | undefined
  /** The repository of which the new one is a fork. */
  readonly parent?: Pick<RepositoryRow, "id" | "source_id"> | undefined
}

/** Changed fields of a repository. Missing fields keep the stored values. */
export interface RepositoryChange extends RepositorySettings.Change {
  readonly name?: string
  readonly description?: string | null
  readonly homepage?: string | null
  readonly private?: boolean
  readonly archived?: boolean
  readonly topics?: ReadonlyArray<string>
}

/** The owner already has a repository with this name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}

export class RepositoryRows extends Context.Service<
  RepositoryRows,
  {
    find(owner: string, name: string): Effect.Effect<RepositoryRow | undefined>
    byGit(git: string): Effect.Effect<RepositoryRow | undefined>
    /** Finds the renamed repository that last had a name. */
    byFormerName(owner: string, name: string): Effect.Effect<RepositoryRow | undefined>
    /** All repositories, sorted by full name. An unchanged row is the same object as before. */
    readonly list: Effect.Effect<ReadonlyArray<RepositoryRow>>
    /** Inserts a repository. Fails with `NameTaken` if the name is taken or the folder has a row already. */
    add(repository: NewRepository): Effect.Effect<RepositoryRow, NameTaken>
    update(id: number, change: RepositoryChange): Effect.Effect<void, NameTaken>
    /** Gives a repository another owner and name. Its former name redirects, until another repository takes it. */
    transfer(id: number, ownerId: number, name: string): Effect.Effect<void, NameTaken>
    /** Deletes a repository with all related rows. Returns false for a missing repository. */
    remove(id: number): Effect.Effect<boolean>
  }
>()("@tongs/service/repositories/RepositoryRows") {
  static readonly layer = Layer.effect(
    RepositoryRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { hasName, json, jsonMembers, jsonText, name } = fragments
      const columns = sql.literal(`
        r.id, r.name, r.git, r.description, r.homepage, r.private, r.archived, r.topics, r.created_at, r.updated_at,
        ${RepositorySettings.names.map((name) => `r.${name}`).join(", ")}, r.template_id,
        (SELECT ${jsonText(jsonMembers("p.name", json('p."values"')))} FROM repository_property_values p
          WHERE p.repository_id = r.id) AS custom_properties,
        COALESCE((SELECT n.open_issues FROM issue_numbers n WHERE n.repository_id = r.id), 0) AS open_issues,
        (SELECT count(*) FROM repository_subscriptions s WHERE s.repository_id = r.id AND s.ignored = 0) AS watchers,
        (SELECT count(*) FROM stars s WHERE s.repository_id = r.id) AS stars,
        r.parent_id, r.source_id,
        (SELECT count(*) FROM repositories f WHERE f.parent_id = r.id) AS forks,
        (SELECT count(*) FROM repositories f WHERE f.source_id = COALESCE(r.source_id, r.id)) AS network,
        ${accountJson(fragments, "u")} AS owner
        FROM repositories r JOIN users u ON u.id = r.owner_id`)
      const all = decodeSharedRows(RepositoryRow)
      const one = (query: Parameters<typeof all>[0]) => Effect.map(all(query), ([first]) => first)
      const byGit = (git: string) => one(sql`SELECT ${columns} WHERE r.git = ${git}`)
      /** Ends the redirect from a name that a repository gets. */
      const take = (ownerId: number, taken: string) =>
        sql`DELETE FROM former_names WHERE owner_id = ${ownerId} AND ${hasName("name", taken)}`
      const add = Effect.fn("Repositories.add")(function* (repository: NewRepository) {
        const now = timestamp(yield* Clock.currentTimeMillis)
        const row = {
          owner_id: repository.ownerId,
          name: repository.name,
          git: repository.git,
          description: repository.description ?? null,
          homepage: repository.homepage ?? null,
          private: repository.private === true ? 1 : 0,
          ...RepositorySettings.changedColumns(repository),
          template_id: repository.templateId ?? null,
          parent_id: repository.parent?.id ?? null,
          source_id: repository.parent?.source_id ?? repository.parent?.id ?? null,
          created_at: now,
          updated_at: now
        }
        // If two concurrent calls use the same name or folder, only one inserts a row.
        const insert = Effect.gen(function* () {
          const [added] = yield* sql<{ readonly id: number }>`
            INSERT INTO repositories ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING id`
          if (added === undefined) return undefined
          yield* take(repository.ownerId, repository.name)
          yield* DefaultLabels.add(sql, added.id, now)
          return added
        })
        const added = yield* Effect.orDie(sql.withTransaction(insert))
        if (added === undefined) return yield* new NameTaken({ name: repository.name })
        return yield* requireRow(byGit(repository.git))
      })
      /** Records the former name of a repository. */
      const remember = (id: number) => sql`
        INSERT INTO former_names (owner_id, name, repository_id)
        SELECT owner_id, name, id FROM repositories WHERE id = ${id}
        ON CONFLICT (owner_id, ${name("name")}) DO UPDATE SET repository_id = excluded.repository_id`
      const update = Effect.fn("Repositories.update")(function* (id: number, change: RepositoryChange) {
        const { archived, description, homepage, name, private: isPrivate, topics } = change
        const columns = {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(homepage === undefined ? {} : { homepage }),
          ...RepositorySettings.changedColumns(change),
          ...(isPrivate === undefined ? {} : { private: isPrivate ? 1 : 0 }),
          ...(archived === undefined ? {} : { archived: archived ? 1 : 0 }),
          ...(topics === undefined ? {} : { topics: JSON.stringify(topics) }),
          updated_at: timestamp(yield* Clock.currentTimeMillis)
        }
        const { name: newName } = change
        if (newName === undefined) {
          yield* Effect.orDie(sql`UPDATE repositories SET ${sql.update(columns)} WHERE id = ${id}`)
        } else yield* move(id, sql`owner_id`, newName, columns)
      })
      /** Changes a repository whose name or owner changes, if the new name is free. */
      const move = (id: number, ownerId: Fragment, newName: string, columns: Readonly<Record<string, unknown>>) =>
        Effect.gen(function* () {
          const [moved] = yield* Effect.orDie(sql<{ readonly id: number }>`
            SELECT r.id FROM (SELECT id, ${ownerId} AS new_owner_id FROM repositories WHERE id = ${id}) r
            WHERE NOT EXISTS (SELECT 1 FROM repositories other WHERE other.owner_id = r.new_owner_id
              AND ${hasName("other.name", newName)} AND other.id <> r.id)`)
          if (moved === undefined) return yield* new NameTaken({ name: newName })
          yield* Effect.orDie(remember(id))
          yield* Effect.orDie(sql`UPDATE repositories SET ${sql.update(columns)} WHERE id = ${id}`)
          yield* Effect.orDie(sql`DELETE FROM former_names WHERE EXISTS (
            SELECT 1 FROM repositories r WHERE r.id = ${id} AND r.owner_id = former_names.owner_id
            AND ${hasName("former_names.name", newName)})`)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      return RepositoryRows.of({
        find: (owner, repository) =>
          one(sql`SELECT ${columns} WHERE ${hasName("u.login", owner)} AND ${hasName("r.name", repository)}`),
        byGit,
        byFormerName: (owner, former) =>
          one(sql`
            SELECT ${columns} JOIN former_names f ON f.repository_id = r.id
            JOIN users o ON o.id = f.owner_id WHERE ${hasName("o.login", owner)} AND ${hasName("f.name", former)}`),
        list: all(sql`SELECT ${columns} ORDER BY ${name("u.login")}, ${name("r.name")}`),
        add,
        update,
        transfer: Effect.fn("Repositories.transfer")(function* (id, ownerId, newName) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          yield* move(id, sql`${ownerId}`, newName, { owner_id: ownerId, name: newName, updated_at })
        }),
        remove: (id) =>
          Effect.gen(function* () {
            yield* sql`DELETE FROM settings WHERE subject = 'repository' AND subject_id = ${id}`
            // The other tables refer to the repository with ON DELETE CASCADE.
            const removed = yield* sql`DELETE FROM repositories WHERE id = ${id} RETURNING id`
            return removed.length > 0
          }).pipe(sql.withTransaction, Effect.orDie)
      })
    })
  )
}
