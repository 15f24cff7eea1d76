/** Searches users and organizations. Both databases give the same results in the same order. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import type * as UserQuery from "@tongs/core/query/items/UserQuery"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { UserRow } from "../../accounts/UserRows.ts"
import * as Words from "../../base/Words.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as SearchedLanguages from "./SearchedLanguages.ts"
import type * as SearchInput from "./SearchInput.ts"

/** A matching account. The score is higher for words in the login than in the name, and lowest in the email address. */
export interface Hit {
  readonly row: UserRow
  readonly score: number
}

const found = decodeRows(
  Schema.Struct({
    ...Struct.map(UserRow.fields, Schema.NullOr),
    total: Schema.Int,
    score: Schema.NullOr(Schema.Finite)
  })
)
const isUser = Schema.is(UserRow)

const weights = { login: 8, name: 4, email: 1 } as const // literal names

/** Numbers of an account as expressions. */
const counts = {
  followers: "(SELECT count(*) FROM followers f WHERE f.user_id = u.id)",
  repositories: "(SELECT count(*) FROM repositories r WHERE r.owner_id = u.id AND r.private = 0)"
}

/** Creates the search. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const { among } = yield* SearchedLanguages.make
  const { hasName, isOneOf, isOneOfTexts } = SqlFragments.make(sql)
  const always = sql`1 = 1`
  const never = sql`1 = 0`

  /** Condition: one of the texts of an account has the words, one after the other. */
  const hasWords = (text: string, places: ReadonlyArray<string>): Fragment => {
    const words = Words.of(text)
    if (words.length === 0) return always
    return sql`u.id IN (SELECT t.user_id FROM user_texts t
      WHERE ${isOneOfTexts("t.place", places)} AND t.words LIKE ${`% ${words.join(" ")} %`})`
  }

  const within = (expression: string, from: number | string | undefined, to: number | string | undefined) =>
    sql.and([
      ...(from === undefined ? [] : [sql`${sql.literal(expression)} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${sql.literal(expression)} <= ${to}`]),
      always
    ])

  interface Scope {
    readonly viewer: string | undefined
    readonly places: ReadonlyArray<UserQuery.Place>
    /** The owners of repositories in a language. */
    readonly owners: ReadonlyMap<string, ReadonlyArray<number>>
  }

  const filter = (self: UserQuery.Filter, { owners, viewer }: Scope): Fragment => {
    switch (self.name) {
      case "user":
      case "org": {
        const login = self.value === "@me" ? viewer : self.value
        return login === undefined ? never : hasName("u.login", login)
      }
      case "fullname":
        return hasWords(self.value, ["name"])
      case "location":
        return hasWords(self.value, ["location"])
      case "language":
        return isOneOf("u.id", owners.get(self.value) ?? [])
      case "type":
        return sql`u.type = ${self.value === "org" ? "Organization" : "User"}`
      case "repos":
        return within(counts.repositories, self.min, self.max)
      case "followers":
        return within(counts.followers, self.min, self.max)
      case "created":
        return within("u.created_at", self.from, self.to)
    }
  }

  const condition = (self: UserQuery.Condition, scope: Scope): Fragment => {
    switch (self._tag) {
      case "And":
        return self.parts.length === 0 ? always : sql.and(self.parts.map((part) => condition(part, scope)))
      case "Or":
        return sql.or(self.parts.map((part) => condition(part, scope)))
      case "Not":
        return sql`NOT (${condition(self.part, scope)})`
      case "Text":
        return hasWords(self.text, scope.places)
      case "Filter":
        return filter(self.filter, scope)
    }
  }

  /** Finds the owners of repositories in languages that the caller can read. */
  const ownersOf = Effect.fnUntraced(function* (caller: Caller, languages: ReadonlyArray<string>) {
    const rows = languages.length === 0 ? [] : yield* roles.visible(caller, yield* registry.list)
    const { byLanguage, isIncomplete } = yield* among(rows, languages)
    const owners = [...byLanguage].map(
      ([language, found]) => [language, [...new Set(found.map(({ owner }) => owner.id))]] as const // a pair
    )
    return { owners: new Map<string, ReadonlyArray<number>>(owners), isIncomplete }
  })

  const scoreOf = (query: UserQuery.UserQuery, places: ReadonlyArray<UserQuery.Place>): Fragment => {
    const texts = ItemQuery.positiveTexts(query.condition).filter((text) => Words.of(text).length > 0)
    if (texts.length === 0) return sql`1`
    const parts = texts.flatMap((text) =>
      places.map(
        (place) => sql`CASE WHEN ${hasWords(text, [place])} THEN ${sql.literal(`${weights[place]}`)} ELSE 0 END`
      )
    )
    return parts.reduce((sum, part) => sql`${sum} + ${part}`)
  }

  const keyOf = (by: UserQuery.SortName): string => (by === "joined" ? "u.created_at" : counts[by])

  return {
    /** Returns a page of the accounts that match. */
    search: Effect.fn("UserSearch.search")(function* (
      caller: Caller,
      query: UserQuery.UserQuery,
      { limit, offset }: SearchInput.Range
    ) {
      const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
      // Callers who have not signed in do not see email addresses.
      const places = query.places.filter((place) => place !== "email" || viewer !== undefined)
      const { isIncomplete, owners } = yield* ownersOf(caller, SearchedLanguages.named(query.condition))
      const { by, order } = query.sort ?? { by: "score", order: "desc" }
      const score = query.sort === undefined ? scoreOf(query, places) : sql`1`
      const key = by === "score" ? score : sql.literal(keyOf(by))
      const direction = sql.literal(order === "asc" ? "ASC" : "DESC")
      const sorted = sql`f.sort_key ${direction}, f.created_at ${direction}, f.id ${direction}`
      const columns = sql.literal(
        Object.keys(UserRow.fields)
          .map((name) => `p.${name}`)
          .join(", ")
      )
      const rows = yield* found(sql`
        WITH found AS (
          SELECT u.*, ${score} AS score, ${key} AS sort_key FROM users u
          WHERE u.type IN ('User', 'Organization')
            AND ${condition(query.condition, { viewer, places, owners })})
        SELECT n.total, ${columns}, p.score FROM (SELECT count(*) AS total FROM found) n
        LEFT JOIN (
          SELECT f.*, row_number() OVER (ORDER BY ${sorted}) AS position FROM found f
          ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset}) p ON 1 = 1
        ORDER BY p.position`)
      return {
        items: rows.flatMap((row): ReadonlyArray<Hit> => (isUser(row) ? [{ row, score: row.score ?? 0 }] : [])),
        total: rows[0]?.total ?? 0,
        isIncomplete
      } satisfies SearchInput.Found<Hit>
    })
  }
})
