/** Translates conditions of a search to SQL on the table `issues` with the alias `i`. Conditions are never null. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { and, type Condition, type Filter, type Place } from "@tongs/core/query/issues/IssueQuery"
import * as BotAccount from "../accounts/BotAccount.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as Words from "./Words.ts"

export interface Scope {
  /** The repositories whose issues the caller can read. */
  readonly repositories: ReadonlyArray<RepositoryRow>
  /** Login for `@me`. Undefined for anonymous callers, for whom `@me` matches no account. */
  readonly viewer: string | undefined
  readonly places: ReadonlyArray<Place>
}

/** A test of repositories. */
export type RepositoryTest = (repository: RepositoryRow) => boolean

/** Returns the test that a condition makes on the repository. Undefined if the condition depends on the issue. */
export const repositoryTest = (self: Condition, viewer: string | undefined): RepositoryTest | undefined => {
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

/** Returns the tests of the repositories and accounts that a condition names, without negated ones. */
export const targetTests = (self: Condition, viewer: string | undefined): ReadonlyArray<RepositoryTest> => {
  switch (self._tag) {
    case "And":
    case "Or":
      return self.parts.flatMap((part) => targetTests(part, viewer))
    case "Filter": {
      const { name } = self.filter
      const test = name === "repo" || name === "user" || name === "org" ? filterTest(self.filter, viewer) : undefined
      return test === undefined ? [] : [test]
    }
    default:
      return []
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

const filterTest = (filter: Filter, viewer: string | undefined): RepositoryTest | undefined => {
  switch (filter.name) {
    case "repo": {
      const name = filter.value.toLowerCase()
      return (row) => `${row.owner.login}/${row.name}`.toLowerCase() === name
    }
    case "user":
    case "org": {
      const login = (filter.value === "@me" ? (viewer ?? "") : filter.value).toLowerCase()
      return (row) => row.owner.login.toLowerCase() === login
    }
    case "archived":
      return (row) => row.archived === 1
    case "is":
      if (filter.value === "public") return (row) => row.private === 0
      if (filter.value === "private") return (row) => row.private === 1
      return undefined
    default:
      return undefined
  }
}

/** Returns the texts of a condition that are not negated. */
export const positiveTexts = (self: Condition): ReadonlyArray<string> => {
  switch (self._tag) {
    case "And":
    case "Or":
      return self.parts.flatMap(positiveTexts)
    case "Text":
      return [self.text]
    default:
      return []
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
      isOneOfTexts(`${alias}.place`, places),
      ...(words.length === 1 ? [] : [sql`' ' || ${sql.literal(alias)}.words || ' ' LIKE ${`% ${words.join(" ")} %`}`])
    ])

  const text = (value: string, places: ReadonlyArray<Place>): Fragment => {
    const words = Words.of(value)
    return words.length === 0
      ? always
      : sql`i.id IN (SELECT t.issue_id FROM issue_texts t WHERE ${hasText("t", words, places)})`
  }

  const within = (expression: string, from: number | string | undefined, to: number | string | undefined) =>
    sql.and([
      ...(from === undefined ? [] : [sql`${sql.literal(expression)} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${sql.literal(expression)} <= ${to}`])
    ])

  const account = (name: "author" | "assignee" | "mentions" | "commenter", login: string): Fragment => {
    const [rows, id] = {
      author: ["users u WHERE u.id = i.author_id", "u.id"],
      assignee: ["issue_assignees a WHERE a.issue_id = i.id", "a.user_id"],
      mentions: ["issue_events e WHERE e.issue_id = i.id AND e.event = 'mentioned'", "e.actor_id"],
      commenter: ["issue_comments c WHERE c.issue_id = i.id", "c.author_id"]
    }[name]
    return sql`EXISTS (SELECT 1 FROM ${sql.literal(rows ?? "")}
      AND ${sql.literal(id ?? "")} IN (SELECT n.id FROM users n WHERE ${hasName("n.login", login)}))`
  }

  const loginOf = (value: string, viewer: string | undefined): string | undefined =>
    value === "@me" ? viewer : value.startsWith("app/") ? BotAccount.of(value.slice(4)).login : value

  const filter = (self: Filter, { repositories, viewer }: Scope): Fragment => {
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
        return sql`EXISTS (SELECT 1 FROM issue_labels l JOIN labels n ON n.id = l.label_id
          WHERE l.issue_id = i.id AND ${hasName("n.name", self.value)})`
      case "milestone":
        return sql`EXISTS (SELECT 1 FROM milestones m WHERE m.id = i.milestone_id
          AND lower(m.title) = ${SqlFragments.lower(self.value)})`
      case "type":
        return sql`EXISTS (SELECT 1 FROM issue_types n WHERE n.id = i.type_id AND ${hasName("n.name", self.value)})`
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
        return text(self.text, scope.places)
      case "Filter":
        return filter(self.filter, scope)
    }
  }

  return { condition, hasText }
}

/** The numbers of an issue as expressions. */
export const counts = {
  comments: "i.comments",
  reactions: "(SELECT count(*) FROM reactions r WHERE r.issue_id = i.id)",
  interactions: "(i.comments + (SELECT count(*) FROM reactions r WHERE r.issue_id = i.id))"
}
