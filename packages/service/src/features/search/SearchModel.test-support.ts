/**
 * A forge with random data, and a model of its searches, written from GitHub's documentation without the code of the
 * forge: every search tests all items, one after the other. "Decision" marks a rule about which the documentation says
 * nothing or two things; the model then follows the forge.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Rights from "../../access/RightsModel.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import { TestForge } from "../../main/Forge.test-support.ts"
import * as Terms from "./SearchTerms.test-support.ts"

// No word is a part of another one, as GitHub does not say whether parts match.
const words = [
  "parser",
  "crash",
  "größe",
  "café",
  "naïve",
  "検索",
  "timeout",
  "node_gyp",
  "v8",
  "Ωmega",
  "queue",
  "fix"
]
const texts = [
  ...words,
  "検索機能",
  "parser.crash()",
  "foo-queue:timeout",
  "CAFE",
  "Grosse",
  "http://x.example/fix?a=v8",
  "**timeout**"
]
const labelNames = ["bug", "help wanted", "Größe", "c++", "area: queue", "good first issue"]
const milestoneNames = ["v1", "Next step", "検索"]
const typeNames = ["Bug", "Feature", "Deep task"]
const reactionNames = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const // literal types
const languages = { TypeScript: "main.ts", Python: "main.py", "C++": "main.cpp" } as const // literal types
const languageNames = ["TypeScript", "Python", "C++", undefined] as const // literal types
const topicNames = ["compiler", "storage-engine", "ui", "search"]
const locations = ["Oslo, Norway", "São Paulo", "New York"]
const logins = ["ann", "ben", "cat", "dan", "eve", "fay"]
const realNames = ["Ännchen Berg", "Benoît Lefort", "Cat Berg", "Dan Ōta", "Eve Lefort", "Fay"]

type Json = any // oxlint-disable-line typescript/no-explicit-any -- JSON of any search

export interface Caller {
  readonly name: string
  readonly login: string | undefined
  readonly token: string | null
  readonly sees: (repository: Repository) => boolean
}

export interface Repository extends Rights.Repository {
  readonly id: number
  readonly fullName: string
  readonly description: string
  readonly topics: ReadonlyArray<string>
  readonly archived: boolean
  readonly language: string | undefined
  readonly readme: string
  readonly stars: ReadonlyArray<string>
  readonly size: number
  readonly pushed: number
  readonly updated: number
  readonly created: number
}

interface Issue {
  readonly repository: Repository
  readonly number: number
  readonly title: string
  readonly body: string
  readonly author: string
  readonly labels: ReadonlyArray<string>
  readonly assignees: ReadonlyArray<string>
  readonly milestone: string | undefined
  readonly type: string | undefined
  readonly reason: string | undefined
  readonly isLocked: boolean
  readonly mentioned: ReadonlyArray<string>
  readonly reactions: Readonly<Partial<Record<(typeof reactionNames)[number], ReadonlyArray<string>>>>
  readonly comments: ReadonlyArray<{ readonly user: string; readonly body: string; readonly created_at: string }>
  readonly created: number
  readonly updated: number
  readonly closed: number | undefined
}

interface Commit {
  readonly repository: Repository
  readonly sha: string
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly message: string
  readonly author: string
  readonly committer: string
  readonly authored: number
  readonly committed: number
}

interface Account {
  readonly login: string
  readonly name: string
  readonly email: string
  readonly location: string
  readonly isOrganization: boolean
  readonly repositories: number
  readonly followers: number
  readonly created: number
}

interface Options<Item> {
  readonly path: string
  readonly keyOf: (json: Json) => string
  readonly items: ReadonlyArray<Item>
  readonly keyOfItem: (item: Item) => string
  readonly sees: (caller: Caller, item: Item) => boolean
  readonly query: (random: Rights.Random, isSignedIn: boolean) => Terms.Query<Item>
  /** Values by which the documented orders sort. */
  readonly sorts: Readonly<Record<string, (item: Item) => number>>
}

/** A search with random queries. */
export interface Search {
  readonly path: string
  readonly sorts: ReadonlyArray<string>
  /** The key of a result. */
  readonly keyOf: (json: Json) => string
  /** A random query for a caller, with the keys of its results. */
  readonly query: (random: Rights.Random, caller: Caller) => Query
  /** The value by which an order sorts. */
  readonly valueOf: (sort: string, key: string) => number
  /** What the model knows of an item. */
  readonly describe: (key: string) => string
}

interface Query {
  readonly q: string
  readonly scopes: ReadonlyArray<string>
  readonly expected: ReadonlyArray<string>
}

const searchOf = <Item>({ items, keyOf, keyOfItem, path, query, sees, sorts }: Options<Item>): Search => {
  const byKey = new Map(items.map((item) => [keyOfItem(item), item]))
  return {
    path,
    sorts: Object.keys(sorts),
    keyOf,
    query: (random, caller) => {
      const { q, scopes, test } = query(random, caller.login !== undefined)
      const expected = items.filter((item) => sees(caller, item) && test(item, caller.login)).map(keyOfItem)
      return { q, scopes, expected }
    },
    valueOf: (sort, key) => {
      const item = byKey.get(key)
      return item === undefined ? 0 : (sorts[sort]?.(item) ?? 0)
    },
    describe: (key) => (JSON.stringify(byKey.get(key)) ?? "").slice(0, 900)
  }
}

export interface World {
  readonly callers: ReadonlyArray<Caller>
  readonly repositories: ReadonlyArray<Repository>
  readonly searches: ReadonlyArray<Search>
  /** False if the caller may read none of the owners and repositories, which is an error. */
  readonly hasAccess: (caller: Caller, scopes: ReadonlyArray<string>) => boolean
}

const start = Date.parse("2026-01-01T00:00:00Z")
const DAY = 86_400_000
const iso = (time: number) => new Date(time).toISOString().replace(".000Z", "Z")
const dateOf = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text))

const sample = <A>(random: Rights.Random, values: ReadonlyArray<A>, share: number): ReadonlyArray<A> =>
  values.filter(() => random.chance(share))

const sentence = (random: Rights.Random, count: number): string => {
  const parts = Array.from({ length: random.below(count + 1) }, () => random.one(texts) ?? "")
  return parts.join(" ")
}

const mentions = ({ mentioned }: Issue, login: string): boolean => mentioned.includes(login)

/** A repository of random commits on `main`, with merges and a branch that no search reads. */
const source = (random: Rights.Random, path: string, files: Readonly<Record<string, string>>): void => {
  git(process.cwd(), ["init", "--quiet", "--initial-branch=main", path])
  const person = (role: string, at: number) => {
    const login = random.one(logins) ?? ""
    return `${role} ${realNames[logins.indexOf(login)]} <${login}@people.example> ${at / 1000} ${random.one(["+0000", "-0500", "+0930"])}`
  }
  const count = 6 + random.below(12)
  const lines: Array<string> = []
  for (let mark = 1; mark <= count; mark++) {
    // A commit can be older than its parents.
    const at = start + 3_600_000 * random.below(30 * count)
    const message = `${mark} ${sentence(random, 3)}\n\n${sentence(random, 2)}`
    lines.push(
      `commit refs/heads/${mark === count ? "aside" : "main"}`,
      `mark :${mark}`,
      person("author", at - random.below(5) * DAY),
      person("committer", at),
      `data ${Buffer.byteLength(message)}`,
      message,
      ...(mark > 1 ? [`from :${mark - 1}`] : []),
      ...(mark > 3 && random.chance(0.2) ? [`merge :${mark - 2 - random.below(mark - 3)}`] : []),
      ...Object.entries(mark === 1 ? files : { [`file-${mark}.txt`]: String(mark) }).flatMap(([name, text]) => [
        `M 100644 inline ${name}`,
        `data ${Buffer.byteLength(text)}`,
        text
      ]),
      ""
    )
  }
  git(path, ["fast-import", "--quiet"], `${lines.join("\n")}\n`)
}

const commitsOf = (path: string, repository: Repository): ReadonlyArray<Commit> =>
  git(path, ["log", "-z", "--format=%H%x01%T%x01%P%x01%ae%x01%ce%x01%at%x01%ct%x01%B", "main"])
    .split("\0")
    .filter((one) => one !== "")
    .map((text) => {
      const [sha = "", tree = "", parents = "", author = "", committer = "", authored, committed, message = ""] =
        text.split("\u0001")
      return {
        repository,
        sha,
        tree,
        parents: parents.split(" ").filter((one) => one !== ""),
        message,
        author: author.split("@")[0] ?? "",
        committer: committer.split("@")[0] ?? "",
        authored: Number(authored) * 1000,
        committed: Number(committed) * 1000
      }
    })

/** Adds accounts, 14 repositories, issues and commits to the forge. */
export const prepare = Effect.fnUntraced(function* (seed: number, issueCount: number) {
  const { ask, get, owner: keeper, repos } = yield* TestForge
  const random = Rights.randomOf(seed)
  const organizations: ReadonlyArray<Rights.Organization> = [
    { login: "acme", base: "read", members: new Map([["ann", "admin"], ["ben", "member"], ["eve", "member"]]), invited: new Map() }, // prettier-ignore
    {
      login: "nova",
      base: "none",
      members: new Map([
        ["ben", "admin"],
        ["fay", "member"]
      ]),
      invited: new Map()
    }
  ]
  const owners = [
    "acme",
    "acme",
    "acme",
    "acme",
    "nova",
    "nova",
    "nova",
    "ann",
    "ann",
    "ben",
    "cat",
    "dan",
    "eve",
    "fay"
  ]
  const drafts = owners.map((owner, index) => {
    const language = random.one(languageNames)
    return {
      owner,
      name: `${random.one(["lamp", "horn", "pier"]) ?? ""}-${random.one(["tool", "core"]) ?? ""}${index}`,
      isPrivate: index % 2 === 1 || random.chance(0.2),
      collaborators: new Map<string, Rights.Role>(
        sample(random, logins, 0.2).flatMap((login) => (login === owner ? [] : [[login, "read" as const]]))
      ),
      invited: new Map(),
      description: sentence(random, 3),
      topics: sample(random, topicNames, 0.3),
      archived: random.chance(0.2),
      language,
      readme: sentence(random, 2),
      stars: sample(random, logins, 0.3)
    }
  })
  mkdirSync(join(repos, "../sources"))
  const pathOf = ({ name }: { readonly name: string }) => join(repos, "../sources", name)
  for (const draft of drafts) {
    const code = draft.language === undefined ? {} : { [languages[draft.language]]: "x = 1\n".repeat(30) }
    source(random, pathOf(draft), { "README.md": draft.readme, ...code })
  }
  const fullNameOf = ({ name, owner }: { readonly owner: string; readonly name: string }) => `${owner}/${name}`
  const labelsOf = new Map(drafts.map((one) => [fullNameOf(one), sample(random, labelNames, 0.8)]))
  const numbers = new Map<string, number>()
  const issues = Array.from({ length: issueCount }, () => {
    const draft = drafts[random.below(drafts.length)] ?? drafts[0]
    if (draft === undefined) throw new Error("no repository")
    const fullName = fullNameOf(draft)
    const number = (numbers.get(fullName) ?? 0) + 1
    numbers.set(fullName, number)
    const created = start + random.below(20) * DAY + random.below(8) * 10_800_000
    const isClosed = random.chance(0.4)
    const readers = logins.filter(
      (login) => Rights.roleOf({ people: [], organizations, teams: [], repositories: [] }, { login, siteAdmin: false }, draft) !== "none" // prettier-ignore
    )
    const issue = {
      repository: fullName,
      number,
      user: random.one(readers) ?? draft.owner,
      title: `${sentence(random, 2)} ${random.one(texts) ?? ""}`.trim(),
      body: sentence(random, 4),
      labels: sample(random, labelsOf.get(fullName) ?? [], 0.25),
      assignees: sample(random, readers, 0.15),
      ...(random.chance(0.4) ? { milestone: random.one(milestoneNames) ?? "" } : {}),
      ...(draft.owner === "acme" && random.chance(0.5) ? { type: random.one(typeNames) ?? "" } : {}),
      ...(isClosed
        ? {
            state: "closed" as const,
            state_reason: random.one(["completed", "not_planned", "duplicate"] as const) ?? "completed",
            closed_at: iso(created + random.below(9) * DAY + 3_600_000)
          }
        : {}),
      ...(random.chance(0.15) ? { lock_reason: "resolved" as const } : {}),
      created_at: iso(created),
      reactions: Object.fromEntries(
        sample(random, reactionNames, 0.15).map((name) => [name, sample(random, readers, 0.5)])
      ),
      comments: Array.from({ length: random.chance(0.5) ? random.below(4) : 0 }, (_, index) => ({
        user: random.one(readers) ?? draft.owner,
        body: `${sentence(random, 3)} ${random.one(texts) ?? ""}`,
        created_at: iso(created + (index + 1) * 5_400_000)
      }))
    }
    // Added by the API after the import, which records no mentions.
    const mentioned = random.chance(0.2) ? sample(random, readers, 0.4) : []
    return { issue, mentioned }
  })
  const follows = logins.flatMap((user) =>
    sample(random, logins, 0.3).flatMap((follower) => (follower === user ? [] : [{ user, follower }]))
  )
  const openRepository = drafts.find((one) => one.isPrivate && one.owner === "ann") ?? drafts[0]
  yield* Effect.orDie(
    Fixtures.add(
      {
        users: logins.map((login, index) => ({
          login,
          name: realNames[index] ?? "",
          email: `${login}@people.example`,
          location: random.one(locations) ?? ""
        })),
        organizations: organizations.map((one) => ({
          login: one.login,
          name: `The ${one.login} club`,
          base_permission: one.base,
          members: [...one.members].map(([login, role]) => ({ login, role: role === "admin" ? "owner" : "member" }))
        })),
        followers: follows,
        repositories: drafts.map((one) => ({
          full_name: fullNameOf(one),
          git: pathOf(one),
          private: one.isPrivate,
          description: one.description,
          topics: one.topics,
          archived: one.archived
        })),
        collaborators: drafts.flatMap((one) =>
          [...one.collaborators].map(([login, permission]) => ({ repository: fullNameOf(one), login, permission }))
        ),
        stars: drafts.flatMap((one) => one.stars.map((user) => ({ user, repository: fullNameOf(one) }))),
        issue_types: typeNames.map((name) => ({ organization: "acme", name })),
        labels: drafts.flatMap((one) =>
          (labelsOf.get(fullNameOf(one)) ?? []).map((name) => ({ repository: fullNameOf(one), name, color: "ededed" }))
        ),
        milestones: drafts.flatMap(
          (one) =>
          milestoneNames.map((title) => ({ repository: fullNameOf(one), creator: one.owner === "acme" || one.owner === "nova" ? "ann" : one.owner, title })) // prettier-ignore
        ),
        issues: issues.map(({ issue }) => issue),
        tokens: [
          ...logins.map((login) => ({ token: `token-of-${login}`, user: login, scopes: ["repo", "user"] })),
          { token: "public-token-of-ann", user: "ann", scopes: ["public_repo"] },
          {
            token: "narrow-token-of-ann",
            user: "ann",
            kind: "fine_grained",
            permissions: { issues: "read", contents: "read", metadata: "read" },
            repositories: openRepository === undefined ? [] : [fullNameOf(openRepository)]
          }
        ]
      },
      repos
    )
  )
  const isArchived = (fullName: string) => drafts.some((one) => one.archived && fullNameOf(one) === fullName)
  const writable = issues.map(({ issue, mentioned }) => {
    const logins = isArchived(issue.repository) ? [] : mentioned
    return { issue, mentioned: logins, body: [issue.body, ...logins.map((login) => `@${login},`)].join(" ") }
  })
  for (const { body, issue, mentioned } of writable) {
    if (mentioned.length === 0) continue
    const { status, text } = yield* ask("PATCH", `/repos/${issue.repository}/issues/${issue.number}`, {
      body: { body }
    })
    if (status !== 200) throw new Error(text)
  }
  const repositories: Array<Repository> = []
  const found: Array<Issue> = []
  const commits: Array<Commit> = []
  for (const draft of drafts) {
    const fullName = fullNameOf(draft)
    const { json, status, text } = yield* get(`/repos/${fullName}`)
    if (status !== 200) throw new Error(text)
    const repository: Repository = {
      ...draft,
      fullName,
      id: json.id,
      size: json.size,
      pushed: Date.parse(json.pushed_at),
      updated: Date.parse(json.updated_at),
      created: Date.parse(json.created_at)
    }
    repositories.push(repository)
    commits.push(...commitsOf(pathOf(draft), repository))
    for (let page = 1, isLast = false; !isLast; page++) {
      const list = yield* get(`/repos/${fullName}/issues?state=all&per_page=100&page=${page}`)
      isLast = list.json.length < 100
      for (const one of list.json) {
        const made = writable.find(({ issue }) => issue.repository === fullName && issue.number === one.number)
        if (made === undefined) throw new Error("unknown issue")
        const row = made.issue
        found.push({
          ...row,
          body: made.body,
          mentioned: made.mentioned,
          repository,
          author: row.user,
          milestone: row.milestone,
          type: row.type,
          reason: row.state_reason,
          isLocked: row.lock_reason !== undefined,
          created: Date.parse(row.created_at),
          updated: Date.parse(one.updated_at),
          closed: dateOf(one.closed_at)
        })
      }
    }
  }
  const situation: Rights.Situation = { people: [], organizations, teams: [], repositories }
  const canRead = (login: string, repository: Repository) =>
    Rights.roleOf(situation, { login, siteAdmin: false }, repository) !== "none"
  const callers: ReadonlyArray<Caller> = [
    ...logins.map((login) => ({
      name: login,
      login,
      token: `token-of-${login}`,
      sees: (one: Repository) => canRead(login, one)
    })),
    { name: "ann without scope", login: "ann", token: "public-token-of-ann", sees: (one) => !one.isPrivate },
    {
      name: "ann in one repository",
      login: "ann",
      token: "narrow-token-of-ann",
      sees: (one) => !one.isPrivate || (openRepository !== undefined && one.fullName === fullNameOf(openRepository))
    },
    { name: "anonymous", login: undefined, token: null, sees: (one) => !one.isPrivate }
  ]
  const accounts: Array<Account> = []
  for (const login of [keeper, ...logins, "acme", "nova"]) {
    const { json } = yield* get(`/users/${login}`, { token: "token-of-fay" })
    accounts.push({
      login,
      name: json.name ?? "",
      email: json.email ?? "",
      location: json.location ?? "",
      isOrganization: json.type === "Organization",
      repositories: json.public_repos,
      followers: json.followers,
      created: Date.parse(json.created_at)
    })
  }

  const world: World = {
    callers,
    repositories,
    searches: [
      issueSearch(repositories, found),
      repositorySearch(repositories),
      commitSearch(repositories, commits),
      userSearch(accounts),
      topicSearch(repositories)
    ],
    hasAccess: (caller, scopes) =>
      scopes.length === 0 ||
      scopes.some((scope) => {
        const repository = repositories.find(({ fullName }) => fullName === scope)
        // Decision: an owner without a repository that the caller may read is an error, too.
        return repository === undefined
          ? repositories.some((one) => one.owner === scope && caller.sees(one))
          : caller.sees(repository)
      })
  }
  return world
})

const owned = <Item>(
  random: Rights.Random,
  repositories: ReadonlyArray<Repository>,
  repositoryOf: (item: Item) => Repository
): Terms.Term<Item> => {
  const { fullName, owner } = repositories[random.below(repositories.length)] ?? { fullName: "", owner: "" }
  if (random.chance(0.6)) return Terms.qualifier(`repo:${fullName}`, (item) => repositoryOf(item).fullName === fullName)
  return Terms.qualifier(
    `${owner === "acme" || owner === "nova" ? "org" : "user"}:${owner}`,
    (item) => repositoryOf(item).owner === owner
  )
}

/** A qualifier of an account, sometimes with `@me`. */
const person = <Item>(
  random: Rights.Random,
  isSignedIn: boolean,
  name: string,
  test: (item: Item, login: string) => boolean
): Terms.Term<Item> => {
  if (isSignedIn && random.chance(0.3)) {
    return Terms.qualifier(`${name}:@me`, (item, { login }) => login !== undefined && test(item, login))
  }
  const login = random.one(logins) ?? ""
  return Terms.qualifier(`${name}:${random.chance(0.2) ? login.toUpperCase() : login}`, (item) => test(item, login))
}

const reactionCount = ({ reactions }: Issue): number =>
  Object.values(reactions).reduce((sum, people) => sum + people.length, 0)

const issueSearch = (repositories: ReadonlyArray<Repository>, items: ReadonlyArray<Issue>): Search => {
  type Leaf = Terms.Term<Issue>
  const times = items.flatMap(({ closed, created, updated }) => [created, updated, ...(closed === undefined ? [] : [closed])]) // prettier-ignore
  const places = {
    title: (one: Issue) => [one.title],
    body: (one: Issue) => [one.body],
    comments: (one: Issue) => one.comments.map(({ body }) => body)
  }
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
  const plain = (text: string, test: (one: Issue) => boolean): Leaf => Terms.qualifier(text, test)
  const leaf = (random: Rights.Random, isSignedIn: boolean): Leaf => {
    if (random.chance(0.4)) return Terms.word(random, words, places, ["title", "body", "comments"])
    const by = (name: string, test: (one: Issue, login: string) => boolean) => person(random, isSignedIn, name, test)
    const isInvolved = (one: Issue, login: string) =>
      one.author === login ||
      one.assignees.includes(login) ||
      mentions(one, login) ||
      one.comments.some(({ user }) => user === login)
    const label = random.one(labelNames) ?? ""
    const other = random.one(labelNames) ?? ""
    const milestone = random.one(milestoneNames) ?? ""
    const type = random.one(typeNames) ?? ""
    const isOpen = (one: Issue) => one.closed === undefined
    const choices: ReadonlyArray<() => Leaf> = [
      () => plain("is:issue", () => true),
      () => plain("type:issue", () => true),
      () => plain("is:pr", () => false),
      () => plain("type:pr", () => false),
      () => plain("is:open", isOpen),
      () => plain("state:open", isOpen),
      () => plain("is:closed", (one) => !isOpen(one)),
      () => plain("state:closed", (one) => !isOpen(one)),
      () => plain("reason:completed", (one) => one.reason === "completed"),
      () => plain('reason:"not planned"', (one) => one.reason === "not_planned"),
      () => plain("is:public", (one) => !one.repository.isPrivate),
      () => plain("is:private", (one) => one.repository.isPrivate),
      () => by("author", (one, login) => one.author === login),
      () => by("assignee", (one, login) => one.assignees.includes(login)),
      () => plain("assignee:*", (one) => one.assignees.length > 0),
      () => by("mentions", mentions),
      () => by("commenter", (one, login) => one.comments.some(({ user }) => user === login)),
      () => by("involves", isInvolved),
      () => plain(`label:"${label}"`, (one) => one.labels.includes(label)),
      () =>
        plain(`label:${Terms.quoted(label.toLowerCase())}`, (one) => one.labels.some((name) => isSame(name, label))),
      () => plain(`label:"${label}","${other}"`, (one) => one.labels.includes(label) || one.labels.includes(other)),
      () => plain(`milestone:${Terms.quoted(milestone)}`, (one) => one.milestone === milestone),
      () => plain(`type:"${type}"`, (one) => one.type === type),
      () => plain("archived:true", (one) => one.repository.archived),
      () => plain("archived:false", (one) => !one.repository.archived),
      () => plain("is:locked", (one) => one.isLocked),
      () => plain("is:unlocked", (one) => !one.isLocked),
      () => plain("no:label", (one) => one.labels.length === 0),
      () => plain("no:milestone", (one) => one.milestone === undefined),
      () => plain("no:assignee", (one) => one.assignees.length === 0),
      () => plain("no:type", (one) => one.type === undefined),
      () => Terms.number(random, "comments", 3, (one: Issue) => one.comments.length),
      () => Terms.number(random, "reactions", 4, reactionCount),
      () => Terms.number(random, "interactions", 5, (one: Issue) => reactionCount(one) + one.comments.length),
      () => Terms.date(random, "created", times, (one: Issue) => one.created),
      () => Terms.date(random, "updated", times, (one: Issue) => one.updated),
      () => Terms.date(random, "closed", times, (one: Issue) => one.closed)
    ]
    return (random.one(choices) ?? (() => plain("is:issue", () => true)))()
  }
  const countOf = (name: (typeof reactionNames)[number]) => (one: Issue) => one.reactions[name]?.length ?? 0
  return searchOf({
    path: "issues",
    items,
    keyOf: ({ number, repository_url: url }) => `${String(url).split("/repos/")[1] ?? ""}#${number}`,
    keyOfItem: ({ number, repository }: Issue) => `${repository.fullName}#${number}`,
    sees: (caller, { repository }: Issue) => caller.sees(repository),
    query: (random, isSignedIn) =>
      Terms.query(random, {
        leaf: () => leaf(random, isSignedIn),
        scope: () => owned(random, repositories, ({ repository }: Issue) => repository),
        places: Object.keys(places)
      }),
    sorts: {
      created: (one: Issue) => one.created,
      updated: (one: Issue) => one.updated,
      comments: (one: Issue) => one.comments.length,
      reactions: reactionCount,
      interactions: (one: Issue) => reactionCount(one) + one.comments.length,
      "reactions-+1": countOf("+1"),
      "reactions--1": countOf("-1"),
      "reactions-smile": countOf("laugh"),
      "reactions-thinking_face": countOf("confused"),
      "reactions-heart": countOf("heart"),
      "reactions-tada": countOf("hooray")
    }
  })
}

const repositorySearch = (items: ReadonlyArray<Repository>): Search => {
  type Leaf = Terms.Term<Repository>
  const places = {
    name: (one: Repository) => [one.name],
    description: (one: Repository) => [one.description],
    topics: (one: Repository) => one.topics,
    readme: (one: Repository) => [one.readme]
  }
  const plain = (text: string, test: (one: Repository) => boolean): Leaf => Terms.qualifier(text, test)
  const leaf = (random: Rights.Random): Leaf => {
    const vocabulary = [...words, "lamp", "horn", "pier", ...topicNames]
    if (random.chance(0.45)) return Terms.word(random, vocabulary, places, ["name", "description", "topics"])
    const topic = random.one(topicNames) ?? ""
    const language = random.one(Object.keys(languages)) ?? ""
    const times = items.flatMap(({ created, pushed }) => [created, pushed])
    const choices: ReadonlyArray<() => Leaf> = [
      () => plain("is:public", (one) => !one.isPrivate),
      () => plain("is:private", (one) => one.isPrivate),
      () => plain("archived:true", (one) => one.archived),
      () => plain("archived:false", (one) => !one.archived),
      () => plain("template:false", () => true),
      () => plain("mirror:true", () => false),
      () => plain(`topic:${topic}`, (one) => one.topics.includes(topic)),
      () => plain(`language:${Terms.quoted(language)}`, (one) => one.language === language),
      () => Terms.number(random, "topics", 3, (one: Repository) => one.topics.length),
      () => Terms.number(random, "stars", 4, (one: Repository) => one.stars.length),
      () => Terms.number(random, "forks", 2, () => 0),
      () => Terms.number(random, "size", 40, (one: Repository) => one.size),
      () => Terms.date(random, "created", times, (one: Repository) => one.created),
      () => Terms.date(random, "pushed", times, (one: Repository) => one.pushed)
    ]
    return (random.one(choices) ?? (() => plain("is:public", (one) => !one.isPrivate)))()
  }
  return searchOf({
    path: "repositories",
    items,
    keyOf: ({ full_name: name }) => String(name),
    keyOfItem: ({ fullName }: Repository) => fullName,
    sees: (caller, one: Repository) => caller.sees(one),
    query: (random) =>
      Terms.query(random, {
        leaf: () => leaf(random),
        scope: () => owned(random, items, (one: Repository) => one),
        places: Object.keys(places)
      }),
    sorts: {
      stars: (one: Repository) => one.stars.length,
      forks: () => 0,
      updated: (one: Repository) => one.updated
    }
  })
}

const commitSearch = (repositories: ReadonlyArray<Repository>, items: ReadonlyArray<Commit>): Search => {
  type Leaf = Terms.Term<Commit>
  const nameOf = (login: string) => realNames[logins.indexOf(login)] ?? ""
  const plain = (text: string, test: (one: Commit) => boolean): Leaf => Terms.qualifier(text, test)
  const times = items.flatMap(({ authored, committed }) => [authored, committed])
  const leaf = (random: Rights.Random, isSignedIn: boolean): Leaf => {
    // Decision: accents count in messages, which `git log` searches.
    const plainWords = words.filter((one) => /^[\w検索]+$/.test(one))
    const places = { message: (one: Commit) => [one.message] }
    if (random.chance(0.5)) return Terms.word(random, plainWords, places, ["message"])
    const by = (name: string, test: (one: Commit, login: string) => boolean) => person(random, isSignedIn, name, test)
    const known = items[random.below(items.length)] ?? { author: "", parents: [], sha: "", tree: "" }
    const parent = known.parents[0] ?? known.sha
    const name = random.one(["Berg", "Lefort", "Benoit"]) ?? ""
    const choices: ReadonlyArray<() => Leaf> = [
      () => plain("is:public", (one) => !one.repository.isPrivate),
      () => plain("is:private", (one) => one.repository.isPrivate),
      () => by("author", (one, login) => one.author === login),
      () => by("committer", (one, login) => one.committer === login),
      () => plain(`author-name:${name}`, (one) => Terms.has(nameOf(one.author), name)),
      () => plain(`committer-name:${name}`, (one) => Terms.has(nameOf(one.committer), name)),
      () => plain(`author-email:${known.author}@people.example`, (one) => one.author === known.author),
      () => plain("merge:true", (one) => one.parents.length > 1),
      () => plain("merge:false", (one) => one.parents.length < 2),
      () => plain(`hash:${known.sha}`, (one) => one.sha === known.sha),
      () => plain(`parent:${parent}`, (one) => one.parents.includes(parent)),
      () => plain(`tree:${known.tree.slice(0, 8)}`, (one) => one.tree.startsWith(known.tree.slice(0, 8))),
      () => Terms.date(random, "author-date", times, (one: Commit) => one.authored),
      () => Terms.date(random, "committer-date", times, (one: Commit) => one.committed)
    ]
    return (random.one(choices) ?? (() => plain("merge:false", (one) => one.parents.length < 2)))()
  }
  return searchOf({
    path: "commits",
    items,
    keyOf: ({ repository, sha }) => `${repository.full_name} ${sha}`,
    keyOfItem: ({ repository, sha }: Commit) => `${repository.fullName} ${sha}`,
    sees: (caller, { repository }: Commit) => caller.sees(repository),
    query: (random, isSignedIn) => {
      const made = Terms.query(random, {
        leaf: () => leaf(random, isSignedIn),
        scope: () => owned(random, repositories, ({ repository }: Commit) => repository),
        places: []
      })
      return made
    },
    sorts: {
      "author-date": (one: Commit) => one.authored,
      "committer-date": (one: Commit) => one.committed
    }
  })
}

const userSearch = (items: ReadonlyArray<Account>): Search => {
  type Leaf = Terms.Term<Account>
  const places = {
    login: (one: Account) => [one.login],
    name: (one: Account) => [one.name],
    email: (one: Account) => [one.email]
  }
  const plain = (text: string, test: (one: Account) => boolean): Leaf => Terms.qualifier(text, test)
  const leaf = (random: Rights.Random): Leaf => {
    // Decision: the default includes names, as one of two sentences of GitHub's page says.
    if (random.chance(0.5)) {
      return Terms.word(random, ["berg", "lefort", "ann", "cat", "acme", "benoit", "ota"], places, Object.keys(places))
    }
    const login = random.one([...logins, "acme"]) ?? ""
    const choices: ReadonlyArray<() => Leaf> = [
      () => plain("type:user", (one) => !one.isOrganization),
      () => plain("type:org", (one) => one.isOrganization),
      () => plain(`${login === "acme" ? "org" : "user"}:${login}`, (one) => one.login === login),
      () => plain("location:oslo", (one) => one.location.startsWith("Oslo")),
      () => plain('location:"sao paulo"', (one) => one.location.startsWith("São")),
      () => plain('fullname:"cat berg"', (one) => one.name === "Cat Berg"),
      () => Terms.number(random, "repos", 3, (one: Account) => one.repositories),
      () => Terms.number(random, "followers", 4, (one: Account) => one.followers),
      () => Terms.date(random, "created", [items[0]?.created ?? 0], (one: Account) => one.created)
    ]
    return (random.one(choices) ?? (() => plain("type:user", (one) => !one.isOrganization)))()
  }
  return searchOf({
    path: "users",
    items,
    keyOf: ({ login }) => String(login),
    keyOfItem: ({ login }: Account) => login,
    sees: () => true,
    query: (random) => Terms.query(random, { leaf: () => leaf(random), scope: undefined, places: Object.keys(places) }),
    sorts: {
      followers: (one: Account) => one.followers,
      repositories: (one: Account) => one.repositories,
      joined: (one: Account) => one.created
    }
  })
}

/** A topic is visible if a repository with it is. */
const topicSearch = (repositories: ReadonlyArray<Repository>): Search =>
  searchOf<string>({
    path: "topics",
    items: topicNames,
    keyOf: ({ name }) => String(name),
    keyOfItem: (name: string) => name,
    sees: (caller, name: string) => repositories.some((one) => one.topics.includes(name) && caller.sees(one)),
    query: (random) => {
      const places = { name: (name: string) => [name] }
      const vocabulary = ["compiler", "storage", "engine", "ui", "search", "lamp"]
      return Terms.query(random, {
        leaf: () => Terms.word(random, vocabulary, places, ["name"]),
        scope: undefined,
        places: []
      })
    },
    sorts: {}
  })
