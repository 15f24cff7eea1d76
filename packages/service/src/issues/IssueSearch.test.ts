import { assert, layer } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as IssueQuery from "@tongs/core/query/items/IssueQuery"
import { type Caller, Callers } from "../access/Caller.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { Owner } from "../main/Owner.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { IssueCommentRows } from "./IssueCommentRows.ts"
import { IssueRows } from "./IssueRows.ts"
import { IssueSearch } from "./IssueSearch.ts"

const texts = [
  "Crash in the parser",
  "the log file is empty",
  "log-file: Größe",
  "A grösse crash",
  "CAFÉ menu",
  "cafe's file log",
  "Parser: crash!",
  "日本語の検索",
  "snake_case(x)",
  ""
] as const // literal types
const people = ["keeper", "Ann", "bob", "robot[bot]"] as const // literal types
const labels = ["flaky", "needs review", "Docs"] as const // literal types
const Person = Schema.Literals(people)
const Time = Schema.Literals(["2026-01-30", "2026-01-31", "2026-02-01"])

/** An issue of the model. */
const Issue = Schema.Struct({
  repository: Schema.Literals(["one", "two", "hidden"]),
  title: Schema.Literals(texts),
  body: Schema.NullOr(Schema.Literals(texts)),
  author: Schema.NullOr(Person),
  isOpen: Schema.Boolean,
  reason: Schema.Literals(["completed", "not_planned"]),
  locked: Schema.Boolean,
  isPull: Schema.Literals([false, false, true]),
  labels: Schema.Array(Schema.Literals(labels)),
  assignees: Schema.Array(Person),
  mentions: Schema.Array(Person),
  milestone: Schema.NullOr(Schema.Literals(["v1", "Next Step"])),
  type: Schema.NullOr(Schema.Literals(["Bug", "new feature"])),
  comments: Schema.Array(Schema.Struct({ author: Person, text: Schema.Literals(texts) })),
  reactions: Schema.Array(Schema.Literals(["+1", "heart", "laugh"])),
  created: Time,
  updated: Time,
  closed: Time,
  blockedBy: Schema.NullOr(Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
  parent: Schema.NullOr(Schema.Literals([0, 1]))
})
type Issue = typeof Issue.Type

const NUMBER = 80
const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

class Model extends Context.Service<
  Model,
  { readonly ids: ReadonlyMap<number, Issue>; readonly issues: ReadonlyArray<Issue> }
>()("@tongs/service/issues/Model") {}

/** Generates issues and writes them to the database. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { owner, user } = yield* Forge.TestForge
  const rows = yield* IssueRows
  const comments = yield* IssueCommentRows
  const repositories = yield* RepositoryRows
  const issues = yield* Arbitrary.sampleEffect(Arbitrary.schema(Issue), { count: NUMBER, seed: 33 })
  const users = new Map<string | null, number>()
  for (const login of people) users.set(login, yield* user({ login }))
  const repositoryIds = new Map<string, number>()
  const added = (table: string, row: Record<string, unknown>) =>
    Effect.map(
      sql<{ readonly id: number }>`INSERT INTO ${sql(table)} ${sql.insert(row)} RETURNING id`,
      ([one]) => one?.id
    )
  const dates = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" }
  const ids = new Map<string, number | undefined>()
  for (const name of ["one", "two", "hidden"]) {
    const row = yield* repositories.find(owner, name)
    if (row === undefined) return yield* Effect.die(new Error(`No repository ${name}`))
    repositoryIds.set(name, row.id)
    for (const label of labels) {
      ids.set(
        `${name} ${label}`,
        yield* added("labels", { repository_id: row.id, name: label, color: "aaaaaa", ...dates })
      )
    }
    for (const [index, title] of ["v1", "Next Step"].entries()) {
      ids.set(
        `${name} ${title}`,
        yield* added("milestones", { repository_id: row.id, number: index + 1, title, ...dates })
      )
    }
  }
  const organization = users.get("keeper")
  for (const name of ["Bug", "new feature"]) {
    ids.set(name, yield* added("issue_types", { organization_id: organization, name, is_enabled: 1, ...dates }))
  }
  const hidden = repositoryIds.get("hidden") ?? 0
  yield* Effect.orDie(repositories.update(hidden, { private: true }))
  yield* Effect.orDie(repositories.update(repositoryIds.get("two") ?? 0, { archived: true }))
  const found = new Map<number, Issue>()
  for (const issue of issues) {
    const repository_id = repositoryIds.get(issue.repository) ?? 0
    const idOf = (name: string | null) => ids.get(`${issue.repository} ${name}`) ?? null
    const at = (day: string) => `${day}T12:00:00Z`
    const id = yield* rows.add({
      repository_id,
      title: "before",
      body: "before",
      author_id: users.get(issue.author) ?? null,
      state: issue.isOpen ? "open" : "closed",
      state_reason: issue.isOpen ? null : issue.reason,
      closed_at: issue.isOpen ? null : at(issue.closed),
      locked: issue.locked ? 1 : 0,
      milestone_id: idOf(issue.milestone),
      type_id: ids.get(issue.type ?? "") ?? null,
      created_at: at(issue.created),
      updated_at: at(issue.updated)
    })
    yield* rows.update(id, { title: issue.title, body: issue.body })
    if (issue.isPull) yield* sql`UPDATE issues SET is_pull_request = 1 WHERE id = ${id}`
    yield* rows.setLabels(
      id,
      unique(issue.labels).map((label) => idOf(label) ?? 0)
    )
    yield* rows.setAssignees(
      id,
      unique(issue.assignees).map((login) => users.get(login) ?? 0)
    )
    for (const login of issue.mentions) {
      yield* added("issue_events", {
        repository_id,
        issue_id: id,
        actor_id: users.get(login),
        event: "mentioned",
        created_at: at(issue.created)
      })
    }
    for (const { author, text } of issue.comments) {
      const author_id = users.get(author) ?? null
      const comment = yield* comments.add({ repository_id, issue_id: id, author_id, body: "before", ...dates })
      yield* comments.setBody(comment, text, dates.updated_at)
      yield* rows.countComment(id, 1, at(issue.updated))
    }
    for (const content of unique(issue.reactions)) {
      yield* added("reactions", { user_id: users.get("Ann"), content, issue_id: id, created_at: dates.created_at })
    }
    found.set(id, issue)
  }
  const order = [...found.keys()]
  for (const [id, issue] of found) {
    const blocker = order[issue.blockedBy ?? -1]
    if (blocker !== undefined && blocker !== id) yield* rows.addBlocker(id, blocker, dates.created_at)
    const parent = order[issue.parent ?? -1]
    if (parent !== undefined) yield* rows.update(id, { parent_id: parent })
  }
  return Model.of({ ids: found, issues })
})

/** Words as a reader of English, French and German compares them, without characters of other scripts. */
const plain = (text: string) =>
  ` ${text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .split(/[^a-z0-9日本語の検索]+/)
    .join(" ")} `

type Place = "title" | "body" | "comments"
const partsOf = (issue: Issue, places: ReadonlyArray<Place>): ReadonlyArray<string> => [
  ...(places.includes("title") ? [issue.title] : []),
  ...(places.includes("body") ? [issue.body ?? ""] : []),
  ...(places.includes("comments") ? issue.comments.map(({ text }) => text) : [])
]

interface World {
  readonly issues: ReadonlyArray<Issue>
  readonly places: ReadonlyArray<Place>
}
type Test = (issue: Issue, world: World) => boolean

const contains =
  (words: string): Test =>
  (issue, { places }) =>
    partsOf(issue, places).some((part) => plain(part).includes(` ${words} `))
const involves =
  (login: string): Test =>
  (issue) =>
    issue.author === login ||
    issue.assignees.some((one) => one === login) ||
    issue.mentions.some((one) => one === login) ||
    issue.comments.some(({ author }) => author === login)
const interactions = ({ comments, reactions }: Issue) => comments.length + unique(reactions).length

/** Terms of queries with their documented meaning. */
const terms = {
  crash: contains("crash"),
  '"the parser"': contains("the parser"),
  "log-file": contains("log file"),
  '"file log"': contains("file log"),
  GROSSE: contains("grosse"),
  café: contains("cafe"),
  検索: (issue, { places }) => partsOf(issue, places).some((part) => part.includes("検索")),
  snake_case: contains("snake case"),
  nothing: () => false,
  "is:open": ({ isOpen }) => isOpen,
  "state:closed": ({ isOpen }) => !isOpen,
  "is:issue": ({ isPull }) => !isPull,
  "type:pr": ({ isPull }) => isPull,
  "type:bug": ({ type }) => type === "Bug",
  'type:"New Feature"': ({ type }) => type === "new feature",
  "is:locked": ({ locked }) => locked,
  "is:unlocked": ({ locked }) => !locked,
  "is:private": ({ repository }) => repository === "hidden",
  "is:public": ({ repository }) => repository !== "hidden",
  "archived:true": ({ repository }) => repository === "two",
  "archived:false": ({ repository }) => repository !== "two",
  "reason:completed": ({ isOpen, isPull, reason }) => !isOpen && !isPull && reason === "completed",
  'reason:"not planned"': ({ isOpen, isPull, reason }) => !isOpen && !isPull && reason === "not_planned",
  "author:ann": ({ author }) => author === "Ann",
  "author:@me": ({ author }) => author === "keeper",
  "author:app/robot": ({ author }) => author === "robot[bot]",
  "assignee:bob": ({ assignees }) => assignees.includes("bob"),
  "assignee:*": ({ assignees }) => assignees.length > 0,
  "mentions:ANN": ({ mentions }) => mentions.includes("Ann"),
  "commenter:bob": ({ comments }) => comments.some(({ author }) => author === "bob"),
  "involves:ann": involves("Ann"),
  "involves:@me": involves("keeper"),
  "label:flaky": ({ labels }) => labels.includes("flaky"),
  'label:docs,"needs review"': ({ labels }) => labels.includes("Docs") || labels.includes("needs review"),
  'milestone:"next step"': ({ milestone }) => milestone === "Next Step",
  "no:label": ({ labels }) => labels.length === 0,
  "no:milestone": ({ milestone }) => milestone === null,
  "no:assignee": ({ assignees }) => assignees.length === 0,
  "no:type": ({ type }) => type === null,
  "no:parent-issue": ({ parent }) => parent === null,
  "comments:>1": ({ comments }) => comments.length > 1,
  "reactions:1..2": ({ reactions }) => [1, 2].includes(unique(reactions).length),
  "interactions:<=2": (issue) => interactions(issue) <= 2,
  "created:2026-01-31": ({ created }) => created === "2026-01-31",
  "updated:>2026-01-30": ({ updated }) => updated > "2026-01-30",
  "closed:<2026-02-01": ({ closed, isOpen }) => !isOpen && closed < "2026-02-01",
  "closed:2026-01-31T12:00:00Z..*": ({ closed, isOpen }) => !isOpen && closed >= "2026-01-31",
  "is:blocked": (issue, { issues }) => {
    const blocker = issues[issue.blockedBy ?? -1]
    return blocker !== undefined && blocker !== issue && blocker.isOpen
  },
  "is:blocking": (issue, { issues }) =>
    issue.isOpen && issues.some((other) => other !== issue && issues[other.blockedBy ?? -1] === issue),
  "repo:keeper/ONE": ({ repository }) => repository === "one",
  "repo:keeper/two": ({ repository }) => repository === "two",
  "user:keeper": () => true
} satisfies Readonly<Record<string, Test>>

type Term = keyof typeof terms
const names = Object.keys(terms) as ReadonlyArray<Term> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the keys
const Term = Schema.Struct({ not: Schema.Boolean, term: Schema.Literals(names) })
const Group = Schema.Struct({
  not: Schema.Boolean,
  operator: Schema.Literals(["", "AND", "OR"]),
  parts: Schema.Array(Term).check(Schema.isMinLength(1), Schema.isMaxLength(3))
})
const Query = Schema.Struct({
  operator: Schema.Literals(["", "OR"]),
  parts: Schema.Array(Schema.Union([Term, Group])).check(Schema.isMinLength(1), Schema.isMaxLength(3)),
  places: Schema.Literals(["title,body,comments", "title", "body,comments", "comments"]),
  sort: Schema.Literals(["created-asc", "updated-desc", "comments", "reactions-asc", "reactions-heart", "interactions"])
})
type Part = (typeof Query.Type)["parts"][number]

const written = (part: Part): string =>
  `${part.not ? "-" : ""}${"term" in part ? part.term : `(${part.parts.map(written).join(` ${part.operator} `)})`}`

/** Adjacent repositories are alternatives, and so are people that are involved. */
const matchesAll = (parts: ReadonlyArray<Part>, issue: Issue, world: World): boolean => {
  const flat = parts.flatMap((part): ReadonlyArray<Part> => {
    const isPlainGroup = "parts" in part && !part.not && (part.operator !== "OR" || part.parts.length === 1)
    return isPlainGroup ? part.parts : [part]
  })
  const isIn = (part: Part, ...prefixes: ReadonlyArray<string>) =>
    "term" in part && !part.not && prefixes.some((prefix) => part.term.startsWith(prefix))
  const groups = [flat.filter((part) => isIn(part, "repo:", "user:")), flat.filter((part) => isIn(part, "involves:"))]
  const others = flat.filter((part) => !groups.flat().includes(part))
  return (
    groups.every((group) => group.length === 0 || group.some((part) => matches(part, issue, world))) &&
    others.every((part) => matches(part, issue, world))
  )
}
const matches = (part: Part, issue: Issue, world: World): boolean => {
  if ("term" in part) return terms[part.term](issue, world) !== part.not
  const isMatch =
    part.operator === "OR" ? part.parts.some((one) => matches(one, issue, world)) : matchesAll(part.parts, issue, world)
  return isMatch !== part.not
}

const keys: Readonly<Record<(typeof Query.Type)["sort"], (issue: Issue) => number | string>> = {
  "created-asc": ({ created }) => created,
  "updated-desc": ({ updated }) => updated,
  comments: ({ comments }) => comments.length,
  "reactions-asc": ({ reactions }) => unique(reactions).length,
  "reactions-heart": ({ reactions }) => (reactions.includes("heart") ? 1 : 0),
  interactions
}

const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

layer(
  Layer.provideMerge(
    Layer.effect(Model, fill),
    Forge.layer((repos) => {
      for (const name of ["one", "two", "hidden"]) Forge.repository(repos, name)
    })
  )
)("a search for issues", (it) => {
  const run = (text: string, caller: Caller, page = { offset: 0, limit: NUMBER }) =>
    Effect.gen(function* () {
      const search = yield* IssueSearch
      return yield* search.search(caller, Result.getOrThrow(IssueQuery.parse(text)), page, new Map())
    })
  const owner = Effect.gen(function* () {
    const { token } = yield* Owner
    return yield* (yield* Callers).identify("GET /", `Bearer ${Redacted.value(token)}`)
  })

  it.effect.prop(
    "agrees with a filter of the issues",
    [Query],
    ([{ operator, parts, places, sort }]) =>
      Effect.gen(function* () {
        const model = yield* Model
        const text = `(${parts.map(written).join(` ${operator} `)}) in:${places} sort:${sort}`
        const operators = text.match(/ (?:AND|OR) /g)?.length ?? 0
        if (operators > 5) {
          assert.isTrue(Result.isFailure(IssueQuery.parse(text)), text)
          return
        }
        const world: World = {
          issues: model.issues,
          places: (["title", "body", "comments"] as const).filter((place) => places.includes(place)) // names of places
        }
        const expected = [...model.ids].filter(([, issue]) =>
          operator === "OR" ? parts.some((part) => matches(part, issue, world)) : matchesAll(parts, issue, world)
        )
        const direction = sort.endsWith("-asc") ? 1 : -1
        const sorted = expected.toSorted(
          ([a, one], [b, other]) =>
            direction *
            (compare(keys[sort](one), keys[sort](other)) || compare(one.created, other.created) || compare(a, b))
        )
        const ids = sorted.map(([id]) => id)
        const all = yield* run(text, yield* owner)
        assert.deepStrictEqual(
          all.hits.map(({ id }) => id),
          ids,
          text
        )
        assert.strictEqual(all.total, ids.length)
        const page = yield* run(text, yield* owner, { offset: 2, limit: 3 })
        assert.deepStrictEqual(
          page.hits.map(({ id }) => id),
          ids.slice(2, 5)
        )
        assert.strictEqual(page.total, ids.length)
      }),
    { arbitrary: { runs: 400, seed: 33 }, timeout: 60_000 }
  )
})
