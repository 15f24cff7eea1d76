/** Translates conditions of a search to SQL on the table `issues` with the alias `i`. Conditions are never null. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { and, type Condition, type Filter, type Place, places as allPlaces } from "@tongs/core/query/items/IssueQuery"
import { filters, texts } from "@tongs/core/query/items/ItemQuery"
import * as BotAccount from "../accounts/BotAccount.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as RepositoryTests from "../search/RepositoryTests.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export interface Scope {
  /** The repositories whose issues the caller can read. */
  readonly repositories: ReadonlyArray<RepositoryRow>
  /** Ids of the repositories that the search is limited to. */
  readonly searched: ReadonlyArray<number>
  /** Login for `@me`. Undefined for anonymous callers, for whom `@me` matches no account. */
  readonly viewer: string | undefined
  /** Ids of the repositories by language. */
  readonly languages: ReadonlyMap<string, ReadonlyArray<number>>
  /** Names of the tables of the issues that have a text, by the text. A text without words is in every issue. */
  readonly textTables: ReadonlyMap<string, string>
}

/** Returns the test that a condition makes on the repository. Undefined if the condition depends on the issue. */
export const repositoryTest = (
  self: Condition,
  viewer: string | undefined
): RepositoryTests.RepositoryTest | undefined => {
  switch (self._tag) {
    case "And":
    case "Or": {
      const tests = self.parts.map((part) => repositoryTest(part, viewer)).filter((test) => test !== undefined)
      if (tests.length < self.parts.length || tests.length === 0) return undefined
      return self._tag === "And"
        ? (repository) => tests.every((test) => test(repository))
        : (repository) => tests.some((test) => test(repository))
    }
    case "Not": {
      const test = repositoryTest(self.part, viewer)
      return test === undefined ? undefined : (repository) => !test(repository)
    }
    case "Text":
      return undefined
    case "Filter":
      return filterTest(self.filter, viewer)
  }
}

/** Splits a condition: the repositories that it selects, and the rest, which depends on the issue. */
export const narrow = (
  self: Condition,
  repositories: ReadonlyArray<RepositoryRow>,
  viewer: string | undefined
): { readonly repositories: ReadonlyArray<RepositoryRow>; readonly rest: Condition } => {
  const parts = (self._tag === "And" ? self.parts : [self]).map((part) => ({
    part,
    test: repositoryTest(part, viewer)
  }))
  return {
    repositories: repositories.filter((row) => parts.every(({ test }) => test === undefined || test(row))),
    rest: and(parts.flatMap(({ part, test }) => (test === undefined ? [part] : [])))
  }
}

const filterTest = (filter: Filter, viewer: string | undefined): RepositoryTests.RepositoryTest | undefined => {
  switch (filter.name) {
    case "repo":
    case "user":
    case "org":
      return RepositoryTests.of({ name: filter.name, value: filter.value }, viewer)
    case "archived":
      return (row) => row.archived === 1
    case "is":
      return filter.value === "public" || filter.value === "private"
        ? RepositoryTests.of({ name: "is", value: filter.value }, viewer)
        : undefined
    default:
      return undefined
  }
}

/** Conditions without the issues of repositories whose issues are off. Their pull requests stay. */
export const withoutDisabled = (
  sql: SqlClient.SqlClient,
  repositories: ReadonlyArray<RepositoryRow>
): ReadonlyArray<Fragment> => {
  const ids = repositories.flatMap(({ has_issues, id }) => (has_issues === 1 ? [] : [id]))
  const { isOneOf } = SqlFragments.make(sql)
  return ids.length === 0 ? [] : [sql`(i.is_pull_request = 1 OR NOT ${isOneOf("i.repository_id", ids)})`]
}

/** Creates the functions that translate conditions. */
export const make = (sql: SqlClient.SqlClient) => {
  const fragments = SqlFragments.make(sql)
  const { hasName, hasWords, isOneOf, isOneOfTexts } = fragments
  const always = sql`1 = 1`
  const never = sql`1 = 0`

  /** Condition: a row of `issue_texts` has the words of a text, one after the other. */
  const hasText = (alias: string, words: ReadonlyArray<string>, places: ReadonlyArray<Place>): Fragment =>
    sql.and([
      hasWords(alias, words),
      ...(places.length === allPlaces.length ? [] : [isOneOfTexts(`${alias}.place`, places)]),
      ...(words.length === 1 ? [] : [sql`' ' || ${sql.literal(alias)}.words || ' ' LIKE ${`% ${words.join(" ")} %`}`])
    ])

  const text = (value: string, { textTables }: Scope): Fragment => {
    const table = textTables.get(value)
    return table === undefined ? always : sql`i.id IN (SELECT issue_id FROM ${sql.literal(table)})`
  }

  const within = (expression: string, from: number | string | undefined, to: number | string | undefined) =>
    sql.and([
      ...(from === undefined ? [] : [sql`${sql.literal(expression)} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${sql.literal(expression)} <= ${to}`])
    ])

  /** Condition: the account has the role in the issue. The subqueries do not depend on the issue, so each runs once. */
  const account = (name: "author" | "assignee" | "mentions" | "commenter", login: string): Fragment => {
    const isAccount = sql`IN (SELECT n.id FROM users n WHERE ${hasName("n.login", login)})`
    switch (name) {
      case "author":
        return sql`(i.author_id IS NOT NULL AND i.author_id ${isAccount})`
      case "assignee":
        return sql`i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id ${isAccount})`
      case "mentions":
        return sql`i.id IN (
          SELECT e.issue_id FROM issue_events e WHERE e.event = 'mentioned' AND e.actor_id ${isAccount})`
      case "commenter":
        return sql`i.id IN (SELECT c.issue_id FROM issue_comments c WHERE c.author_id ${isAccount})`
    }
  }

  const loginOf = (value: string, viewer: string | undefined): string | undefined =>
    value === "@me" ? viewer : value.startsWith("app/") ? BotAccount.of(value.slice(4)).login : value

  const filter = (self: Filter, { languages, repositories, searched, viewer }: Scope): Fragment => {
    switch (self.name) {
      case "author":
      case "assignee":
      case "mentions":
      case "commenter": {
        const login = loginOf(self.value, viewer)
        return login === undefined ? never : account(self.name, login)
      }
      case "involves": {
        const login = loginOf(self.value, viewer)
        const names = ["author", "assignee", "mentions", "commenter"] as const // names of accounts
        return login === undefined ? never : sql.or(names.map((name) => account(name, login)))
      }
      case "label":
        return sql`i.id IN (SELECT l.issue_id FROM labels n JOIN issue_labels l ON l.label_id = n.id
          WHERE ${hasName("n.name", self.value)} AND ${isOneOf("n.repository_id", searched)})`
      case "milestone":
        return sql`EXISTS (SELECT 1 FROM milestones m WHERE m.id = i.milestone_id
          AND lower(m.title) = ${SqlFragments.lower(self.value)})`
      case "type":
        return sql`EXISTS (SELECT 1 FROM issue_types n WHERE n.id = i.type_id AND ${hasName("n.name", self.value)})`
      case "language":
        return isOneOf("i.repository_id", languages.get(self.value) ?? [])
      case "state":
        return sql`i.state = ${self.value}`
      case "kind":
        return sql`i.is_pull_request = ${self.value === "pr" ? 1 : 0}`
      case "reason":
        return sql`(i.state = 'closed' AND coalesce(i.state_reason, 'completed') = ${self.value.replace(" ", "_")})`
      case "no":
        return {
          label: sql`NOT EXISTS (SELECT 1 FROM issue_labels l WHERE l.issue_id = i.id)`,
          assignee: sql`NOT EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`,
          milestone: sql`i.milestone_id IS NULL`,
          type: sql`i.type_id IS NULL`,
          "parent-issue": sql`NOT EXISTS (
            SELECT 1 FROM issues o WHERE o.id = i.parent_id AND ${isReadable(repositories)})`
        }[self.value]
      case "comments":
      case "reactions":
      case "interactions":
        return within(counts[self.name], self.min, self.max)
      case "created":
      case "updated":
        return within(`i.${self.name}_at`, self.from, self.to)
      case "closed":
        return sql`(i.closed_at IS NOT NULL AND ${within("i.closed_at", self.from, self.to)})`
      case "is":
        return is(self.value, repositories)
      default:
        return never
    }
  }

  /** Condition: the related issue `o` is in one of the repositories. */
  const isReadable = (repositories: ReadonlyArray<RepositoryRow>) =>
    isOneOf(
      "o.repository_id",
      repositories.map(({ id }) => id)
    )

  const is = (value: string, repositories: ReadonlyArray<RepositoryRow>): Fragment => {
    const readable = isReadable(repositories)
    switch (value) {
      case "locked":
        return sql`i.locked = 1`
      case "blocked":
        return sql`EXISTS (SELECT 1 FROM issue_dependencies d JOIN issues o ON o.id = d.blocked_by_id
          WHERE d.issue_id = i.id AND o.state = 'open' AND ${readable})`
      case "blocking":
        return sql`(i.state = 'open' AND EXISTS (SELECT 1 FROM issue_dependencies d JOIN issues o ON o.id = d.issue_id
          WHERE d.blocked_by_id = i.id AND ${readable}))`
      default:
        return never
    }
  }

  const condition = (self: Condition, scope: Scope): Fragment => {
    const test = repositoryTest(self, scope.viewer)
    if (test !== undefined) {
      return isOneOf(
        "i.repository_id",
        scope.repositories.filter(test).map(({ id }) => id)
      )
    }
    switch (self._tag) {
      case "And":
        return self.parts.length === 0 ? always : sql.and(self.parts.map((part) => condition(part, scope)))
      case "Or":
        return sql.or(self.parts.map((part) => condition(part, scope)))
      case "Not":
        return sql`NOT (${condition(self.part, scope)})`
      case "Text":
        return text(self.text, scope)
      case "Filter":
        return filter(self.filter, scope)
    }
  }

  return { condition, hasText }
}

/** Filters that only compare columns of the index of searches. */
const indexed: ReadonlySet<string> = new Set(["state", "kind", "created", "updated", "closed", "comments"])

/** True if a condition only compares columns of the index of searches, so that testing an issue twice costs little. */
export const isIndexed = (condition: Condition): boolean =>
  texts(condition).length === 0 && filters(condition).every(({ filter }) => indexed.has(filter.name))

/** The numbers of an issue as expressions. */
export const counts = {
  comments: "i.comments",
  reactions: "(SELECT count(*) FROM reactions r WHERE r.issue_id = i.id)",
  interactions: "(i.comments + (SELECT count(*) FROM reactions r WHERE r.issue_id = i.id))"
}
