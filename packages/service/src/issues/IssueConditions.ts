/** Translates conditions of a search to statements that select the ids of issues. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import * as Words from "../base/Words.ts"
import * as BotAccount from "../accounts/BotAccount.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import * as RepositoryTests from "../search/RepositoryTests.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import type { Expression } from "./IssueMatches.ts"
import * as TextId from "./TextId.ts"

type Condition = IssueQuery.Condition
type Filter = IssueQuery.Filter
type Place = IssueQuery.Place

export interface Scope {
  /** The repositories whose issues the caller can read. */
  readonly repositories: ReadonlyArray<RepositoryRow>
  /** Ids of the repositories that the search is limited to. */
  readonly searched: ReadonlyArray<number>
  /** Login for `@me`. Undefined for anonymous callers, for whom `@me` matches no account. */
  readonly viewer: string | undefined
  /** Ids of the repositories by language. */
  readonly languages: ReadonlyMap<string, ReadonlyArray<number>>
  readonly places: ReadonlyArray<Place>
}

/** An expression, and the statements of its sets. Each selects one row with the column `ids`, a list of numbers. */
export interface Plan {
  readonly expression: Expression
  readonly sets: ReadonlyArray<Fragment>
  /** The sets of texts, with numbers of `TextId.value`. */
  readonly texts: ReadonlyMap<string, number>
}

/**
 * Maximum number of repositories whose issues are read as a set. Of more repositories, the issues of the others are
 * read, which are few for most callers.
 */
const MAX_SEARCHED = 100

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
    rest: IssueQuery.and(parts.flatMap(({ part, test }) => (test === undefined ? [part] : [])))
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

const and = (...parts: ReadonlyArray<Expression>): Expression => ({ _tag: "And", parts })
const or = (...parts: ReadonlyArray<Expression>): Expression => ({ _tag: "Or", parts })
const not = (part: Expression): Expression => ({ _tag: "Not", part })
const always = and()
const never = or()

/** Creates the functions that translate conditions. */
export const make = (sql: SqlClient.SqlClient) => {
  const fragments = SqlFragments.make(sql)
  const { hasName, hasWords, idsWithWords, indexedBy, isOneOf, numberList } = fragments

  const isIn = (places: ReadonlyArray<Place>) =>
    places.length === IssueQuery.places.length ? [] : [sql`(${sql.literal(TextId.isIn("t.id", places))})`]

  /** Condition: the row `t` of `issue_texts` has the words of a text, one after the other. */
  const hasText = (words: ReadonlyArray<string>, places: ReadonlyArray<Place>): Fragment =>
    sql.and([
      hasWords("t", words),
      ...isIn(places),
      ...(words.length === 1 ? [] : [sql`' ' || t.words || ' ' LIKE ${`% ${words.join(" ")} %`}`])
    ])

  /** The texts that have the words, after FROM. A single word is found without reading the rows. */
  const textsWith = (words: ReadonlyArray<string>, places: ReadonlyArray<Place>): Fragment =>
    words.length === 1
      ? sql`${idsWithWords(words)} t WHERE ${sql.and([sql`true`, ...isIn(places)])}`
      : sql`issue_texts t WHERE ${hasText(words, places)}`

  /** Returns the plan of a condition on the issues of the repositories in the scope. */
  const plan = (condition: Condition, { languages, places, repositories, searched, viewer }: Scope): Plan => {
    const sets: Array<Fragment> = []
    const texts = new Map<string, number>()

    /** Adds a set. `from` has the tables and conditions after SELECT. */
    const set = (from: Fragment, number = "i.id"): Expression => {
      sets.push(sql`SELECT ${sql.literal(numberList(number))} AS ids FROM ${from}`)
      return { _tag: "Set", index: sets.length - 1 }
    }
    const indexed = (index: string, where: Fragment) => set(sql`issues i ${indexedBy(index)} WHERE ${where}`)

    const text = (value: string): Expression => {
      const words = Words.of(value)
      if (words.length === 0) return always
      const index = texts.get(value) ?? sets.length
      if (!texts.has(value)) {
        texts.set(value, index)
        set(textsWith(words, places), TextId.value("t.id"))
      }
      return { _tag: "Set", index }
    }

    const within = (expression: string, from: number | string | undefined, to: number | string | undefined) =>
      sql.and([
        ...(from === undefined ? [] : [sql`${sql.literal(expression)} >= ${from}`]),
        ...(to === undefined ? [] : [sql`${sql.literal(expression)} <= ${to}`])
      ])

    /** The issues with a number of reactions. Issues without reactions are not read. */
    const reactions = (min = 0, max: number | undefined): Expression => {
      const having = (bounds: Fragment) =>
        set(
          sql`(SELECT issue_id FROM reactions WHERE issue_id IS NOT NULL GROUP BY issue_id HAVING ${bounds}) r`,
          "r.issue_id"
        )
      if (min > 0) return having(within("count(*)", min, max))
      if (max === undefined) return always
      return max < 0 ? never : not(having(sql`count(*) > ${max}`))
    }

    /** The issues in which an account has a role. */
    const account = (name: "author" | "assignee" | "mentions" | "commenter", login: string): Expression => {
      const isAccount = sql`IN (SELECT n.id FROM users n WHERE ${hasName("n.login", login)})`
      switch (name) {
        case "author":
          return set(sql`issues i WHERE i.author_id ${isAccount}`)
        case "assignee":
          return set(sql`issue_assignees a WHERE a.user_id ${isAccount}`, "a.issue_id")
        case "mentions":
          return set(sql`issue_events e WHERE e.event = 'mentioned' AND e.actor_id ${isAccount}`, "e.issue_id")
        case "commenter":
          return set(sql`issue_comments c WHERE c.author_id ${isAccount}`, "c.issue_id")
      }
    }

    /** The pull requests that an account has reviewed, or is asked to review. */
    const reviewer = (
      name: "review-requested" | "user-review-requested" | "reviewed-by",
      login: string
    ): Expression => {
      const isAccount = sql`IN (SELECT n.id FROM users n WHERE ${hasName("n.login", login)})`
      switch (name) {
        case "reviewed-by":
          return set(sql`pull_request_reviews v WHERE v.user_id ${isAccount} AND v.state <> 'PENDING'`, "v.issue_id")
        case "user-review-requested":
          return set(sql`review_requests q WHERE q.user_id ${isAccount}`, "q.issue_id")
        case "review-requested":
          return set(
            sql`review_requests q WHERE q.user_id ${isAccount} OR q.team_id IN (
              SELECT a.ancestor_id FROM team_members m JOIN team_ancestors a ON a.team_id = m.team_id
              WHERE m.user_id ${isAccount})`,
            "q.issue_id"
          )
      }
    }

    /** The pull requests for which a team, as `organization/team`, is asked. Only those who see the team find any. */
    const requestedTeam = (team: string, viewer: string): Expression => {
      const [organization = "", slug = ""] = team.split("/")
      const viewers = (table: string) => sql`${sql.literal(table)} m JOIN users n ON n.id = m.user_id`
      return set(
        sql`review_requests q JOIN teams t ON t.id = q.team_id JOIN users o ON o.id = t.organization_id
          WHERE ${hasName("o.login", organization)} AND ${hasName("t.slug", slug)} AND (
            EXISTS (SELECT 1 FROM ${viewers("team_members")} WHERE m.team_id = t.id AND ${hasName("n.login", viewer)})
            OR EXISTS (SELECT 1 FROM ${viewers("memberships")} WHERE m.organization_id = o.id
              AND (t.privacy = 'closed' OR m.role = 'owner') AND ${hasName("n.login", viewer)}))`,
        "q.issue_id"
      )
    }

    /** The pull requests with an opinion that counts: the latest one of an account that may write. */
    const withOpinion = (state: "APPROVED" | "CHANGES_REQUESTED"): Expression =>
      set(
        sql`pull_request_reviews v JOIN issues i ON i.id = v.issue_id
          WHERE v.state = ${state} AND NOT EXISTS (
            SELECT 1 FROM pull_request_reviews later WHERE later.issue_id = v.issue_id AND later.user_id = v.user_id
              AND later.state IN ('APPROVED', 'CHANGES_REQUESTED', 'DISMISSED')
              AND (later.submitted_at > v.submitted_at OR (later.submitted_at = v.submitted_at AND later.id > v.id)))
          AND EXISTS (
            SELECT 1 FROM repository_roles g WHERE g.repository_id = i.repository_id AND g.user_id = v.user_id
              AND g.permission IN ('write', 'maintain', 'admin'))`,
        "v.issue_id"
      )

    const reviewed = (value: Extract<Filter, { readonly name: "review" }>["value"]): Expression => {
      switch (value) {
        case "none":
          return and(
            indexed("issues_of_pulls", sql`i.is_pull_request = 1`),
            not(set(sql`pull_request_reviews v WHERE v.state <> 'PENDING'`, "v.issue_id"))
          )
        case "approved":
          return and(withOpinion("APPROVED"), not(withOpinion("CHANGES_REQUESTED")))
        case "changes_requested":
          return withOpinion("CHANGES_REQUESTED")
      }
    }

    /** Condition: the related issue `o` is in a repository that the caller can read. */
    const isReadable = () =>
      isOneOf(
        "o.repository_id",
        repositories.map(({ id }) => id)
      )

    const isOpen = () => indexed("open_issues", sql`i.state = 'open'`)

    const filter = (self: Filter): Expression => {
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
          return login === undefined ? never : or(...names.map((name) => account(name, login)))
        }
        case "label": {
          const inSearched = searched.length > MAX_SEARCHED ? [] : [isOneOf("n.repository_id", searched)]
          return set(
            sql`labels n CROSS JOIN issue_labels l WHERE l.label_id = n.id
              AND ${sql.and([hasName("n.name", self.value), ...inSearched])}`,
            "l.issue_id"
          )
        }
        case "milestone":
          return set(sql`milestones m CROSS JOIN issues i WHERE i.milestone_id = m.id
            AND lower(m.title) = ${SqlFragments.lower(self.value)}`)
        case "type":
          return set(sql`issue_types n CROSS JOIN issues i ${indexedBy("issues_of_type")}
            WHERE i.type_id = n.id AND i.type_id IS NOT NULL AND ${hasName("n.name", self.value)}`)
        case "language":
          return ofRepositories(languages.get(self.value) ?? [])
        case "base":
          return set(sql`pull_requests p WHERE p.base_ref = ${self.value}`, "p.issue_id")
        case "head":
          return set(sql`pull_requests p WHERE p.head_ref = ${self.value}`, "p.issue_id")
        case "review":
          return reviewed(self.value)
        case "team-review-requested":
          return viewer === undefined ? never : requestedTeam(self.value, viewer)
        case "review-requested":
        case "user-review-requested":
        case "reviewed-by": {
          const login = loginOf(self.value, viewer)
          return login === undefined ? never : reviewer(self.name, login)
        }
        case "state":
          return self.value === "open" ? isOpen() : not(isOpen())
        case "kind": {
          const pulls = indexed("issues_of_pulls", sql`i.is_pull_request = 1`)
          return self.value === "pr" ? pulls : not(pulls)
        }
        case "reason":
          return indexed(
            "issues_of_reason",
            sql`i.state = 'closed' AND i.is_pull_request = 0 AND coalesce(i.state_reason, 'completed') = ${self.value.replace(" ", "_")}`
          )
        case "no":
          return not(metadata(self.value))
        case "comments":
          return self.min === undefined && self.max === undefined
            ? always
            : set(sql`issues i WHERE ${within("i.comments", self.min, self.max)}`)
        case "reactions":
          return reactions(self.min, self.max)
        case "interactions":
          return self.min === undefined && self.max === undefined
            ? always
            : set(sql`issues i WHERE ${within(counts.interactions, self.min, self.max)}`)
        case "created":
        case "updated":
          return self.from === undefined && self.to === undefined
            ? always
            : set(sql`issues i WHERE ${within(`i.${self.name}_at`, self.from, self.to)}`)
        case "closed":
          return indexed(
            "issues_of_closing",
            sql.and([sql`i.closed_at IS NOT NULL`, within("i.closed_at", self.from ?? "", self.to)])
          )
        case "merged":
          return set(
            sql`pull_requests p WHERE ${sql.and([sql`p.merged_at IS NOT NULL`, within("p.merged_at", self.from ?? "", self.to)])}`,
            "p.issue_id"
          )
        case "is":
          return is(self.value)
        default:
          return never
      }
    }

    /** The issues with metadata. */
    const metadata = (name: Extract<Filter, { readonly name: "no" }>["value"]): Expression => {
      switch (name) {
        case "label":
          return set(sql`issue_labels l`, "l.issue_id")
        case "assignee":
          return set(sql`issue_assignees a`, "a.issue_id")
        case "milestone":
          return set(sql`issues i WHERE i.milestone_id IS NOT NULL`)
        case "type":
          return indexed("issues_of_type", sql`i.type_id IS NOT NULL`)
        case "parent-issue":
          return set(
            sql`issues i JOIN issues o ON o.id = i.parent_id WHERE i.parent_id IS NOT NULL AND ${isReadable()}`
          )
      }
    }

    const is = (value: string): Expression => {
      switch (value) {
        case "draft":
          return set(sql`pull_requests p WHERE p.draft = 1`, "p.issue_id")
        case "merged":
          return set(sql`pull_requests p WHERE p.merged_at IS NOT NULL`, "p.issue_id")
        case "locked":
          return indexed("locked_issues", sql`i.locked = 1`)
        case "blocked":
          return set(
            sql`issue_dependencies d JOIN issues o ON o.id = d.blocked_by_id WHERE o.state = 'open' AND ${isReadable()}`,
            "d.issue_id"
          )
        case "blocking":
          return and(
            isOpen(),
            set(sql`issue_dependencies d JOIN issues o ON o.id = d.issue_id WHERE ${isReadable()}`, "d.blocked_by_id")
          )
        default:
          return never
      }
    }

    const translate = (self: Condition): Expression => {
      const test = repositoryTest(self, viewer)
      if (test !== undefined) return ofRepositories(repositories.filter(test).map(({ id }) => id))
      switch (self._tag) {
        case "And":
          return and(...self.parts.map(translate))
        case "Or":
          return or(...self.parts.map(translate))
        case "Not":
          return not(translate(self.part))
        case "Text":
          return text(self.text)
        case "Filter":
          return filter(self.filter)
      }
    }

    /** The issues of repositories, read from the smaller side. */
    const ofRepositories = (ids: ReadonlyArray<number>): Expression =>
      ids.length <= MAX_SEARCHED
        ? set(sql`issues i WHERE ${isOneOf("i.repository_id", ids)}`)
        : not(
            set(sql`repositories r CROSS JOIN issues i
              WHERE i.repository_id = r.id AND NOT ${isOneOf("r.id", ids)}`)
          )

    const withoutIssues = repositories.flatMap(({ has_issues, id }) => (has_issues === 1 ? [] : [id]))
    const enabled =
      withoutIssues.length === 0
        ? []
        : [not(set(sql`issues i WHERE i.is_pull_request = 0 AND ${isOneOf("i.repository_id", withoutIssues)}`))]
    const expression = and(translate(condition), ofRepositories(searched), ...enabled)
    return { expression, sets, texts }
  }

  return { hasText, plan }
}

const loginOf = (value: string, viewer: string | undefined): string | undefined =>
  value === "@me" ? viewer : value.startsWith("app/") ? BotAccount.of(value.slice(4)).login : value

/** The numbers of an issue as expressions. */
export const counts = {
  comments: "i.comments",
  reactions: "(SELECT count(*) FROM reactions r WHERE r.issue_id = i.id)",
  interactions: "(i.comments + (SELECT count(*) FROM reactions r WHERE r.issue_id = i.id))"
}
