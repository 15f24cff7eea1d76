import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Artifact } from "@tongs/core/contract/groups/Artifacts"
import { Branch } from "@tongs/core/contract/groups/Branches"
import { CommitComment } from "@tongs/core/contract/groups/CommitComments"
import { Commit, Comparison } from "@tongs/core/contract/groups/Commits"
import { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import { Repository } from "@tongs/core/contract/groups/Repository"
import { RepositoryHook } from "@tongs/core/contract/groups/RepositoryHooks"
import { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import { Tag } from "@tongs/core/contract/groups/Tags"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { DEFAULT_TOKENS } from "../answer/Answer.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as Stub from "./StubForge.test-support.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const time = (number: number) => new Date(Date.UTC(2026, 0, 31) - number * 1_000).toISOString()

const names = (items: ReadonlyArray<object>, member: string): ReadonlyArray<unknown> =>
  items.map((item) => Object(item)[member])

const commits = numbers(250).map((number) =>
  Stub.commit(number, { message: `Subject ${number} ${"word ".repeat(20)}` })
)
const branches = numbers(230).map((number) =>
  Stub.resource(Branch, {
    name: `branch-${number}`,
    protected: number === 3,
    commit: { sha: Stub.sha(number), url: "u" }
  })
)
const tags = numbers(120).map((number) =>
  Stub.resource(Tag, { name: `v${number}`, commit: { sha: Stub.sha(number), url: "u" } })
)
const repository = (number: number) =>
  Stub.resource(Repository, {
    full_name: `octo/repository-${number}`,
    default_branch: "branch-1",
    visibility: "public",
    updated_at: time(number),
    description: "About it. ".repeat(30)
  })
const repositories = numbers(130).map(repository)
const artifacts = numbers(230).map((number) =>
  Stub.resource(Artifact, {
    id: number,
    name: `artifact-${number}`,
    size_in_bytes: 10,
    expired: number % 10 === 0,
    expires_at: time(number)
  })
)
const body = (number: number) => `Comment ${number}. ${"It has many words. ".repeat(number % 7 === 0 ? 100 : 10)}`
const paths = ["src/a.ts", "src/b.ts", "README.md"]
const commitComments = numbers(130).map((number) =>
  Stub.resource(CommitComment, {
    id: number,
    path: paths[number % 3],
    line: number,
    commit_id: Stub.sha(number),
    body: body(number),
    user: Samples.user("mona"),
    author_association: "MEMBER",
    created_at: time(number)
  })
)
const reviewComments = numbers(130).map((number) =>
  Stub.resource(ReviewComment, {
    id: number,
    path: paths[number % 3],
    commit_id: Stub.sha(number),
    body: body(number),
    user: Samples.user("mona"),
    created_at: time(number)
  })
)
const hooks = numbers(4).map((number) =>
  Stub.resource(RepositoryHook, { id: number, config: { url: `https://hooks.example/${number}` }, last_response: null })
)
/** Each webhook has more than one page; the times of the webhooks' deliveries alternate. The last webhook has none. */
const deliveries = (hook: number) =>
  numbers(hook === 3 ? 0 : 40 + hook * 30).map((number) =>
    Stub.resource(HookDeliverySummary, {
      id: hook * 1_000 + number,
      delivered_at: time(number * (hook + 1) * 10 + hook),
      status_code: number % 4 === 0 ? 502 : 200,
      action: null
    })
  )
const sortedDeliveries = (isWanted: (code: unknown) => boolean): ReadonlyArray<unknown> =>
  names(
    numbers(4)
      .flatMap(deliveries)
      .filter((one) => isWanted(Object(one)["status_code"]))
      .toSorted((one, other) => Date.parse(Object(other)["delivered_at"]) - Date.parse(Object(one)["delivered_at"])),
    "id"
  )
const files = numbers(300).map((number) =>
  Stub.change(`folder-${number % 9}/sub-${number % 5}/file-${number}.ts`, {
    patch: `@@ -1 +1 @@\n${`+line of file ${number}\n`.repeat(40)}`
  })
)

const respond = (url: URL): Stub.Answer | undefined => {
  const path = url.pathname.replace("/repos/octo/hello", "")
  const [, hook] = /^\/hooks\/(\d+)\/deliveries$/.exec(path) ?? []
  if (hook !== undefined) {
    const isFailure = url.searchParams.get("status") === "failure"
    return Stub.cursorPage(
      url,
      deliveries(Number(hook)).filter((one) => !isFailure || Object(one)["status_code"] === 502)
    )
  }
  switch (path) {
    case "":
      return { body: repository(0) }
    case "/commits":
      return Stub.page(url, commits)
    case "/branches":
      return Stub.page(url, branches)
    case "/tags":
      return Stub.page(url, tags)
    case "/user/repos":
    case "/orgs/octo/repos":
      return Stub.page(url, repositories)
    case "/users/octo":
      return { body: { ...Samples.user("octo"), type: "Organization" } }
    case "/actions/artifacts":
      return Stub.page(url, artifacts, (items) => ({ total_count: artifacts.length, artifacts: items }))
    case "/comments":
      return Stub.page(url, commitComments)
    case "/pulls/comments":
      return Stub.page(url, reviewComments)
    case "/hooks/1":
      return { body: hooks[1] }
    case "/hooks":
      return Stub.page(url, hooks)
    case "/commits/main":
    case `/commits/${Stub.sha(7)}`:
      return { body: Stub.resource(Commit, { ...Stub.commit(7, { message: "Long\n\nstory. ".repeat(400) }), files }) }
    case "/compare/main...topic":
    case `/compare/${Stub.sha(999)}...${Stub.sha(0)}`:
      return {
        body: Stub.resource(Comparison, {
          status: "ahead",
          ahead_by: 400,
          base_commit: Stub.commit(999),
          merge_base_commit: Stub.commit(999),
          commits: commits.toReversed(),
          files
        })
      }
    default:
      return undefined
  }
}

/** Every list: tool and arguments, and the identity of the items in the answer and in the forge. */
const lists: ReadonlyArray<
  readonly [
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shown: (item: Readonly<Record<string, unknown>>) => unknown,
    expected: ReadonlyArray<unknown>
  ]
> = [
  ["list_commits", {}, ({ sha }) => sha, names(commits, "sha")],
  ["list_commits", { limit: 7 }, ({ sha }) => sha, names(commits, "sha")],
  ["list_commits", { limit: 1_000 }, ({ sha }) => sha, names(commits, "sha")],
  ["list_refs", {}, ({ branch }) => branch, names(branches, "name")],
  ["list_refs", { kind: "tags", limit: 9 }, ({ tag }) => tag, names(tags, "name")],
  [
    "list_refs",
    { kind: "all" },
    ({ branch, tag }) => branch ?? tag,
    [...names(branches, "name"), ...names(tags, "name")]
  ],
  [
    "list_refs",
    { kind: "all", prefix: "v1", limit: 5 },
    ({ tag }) => tag,
    names(tags, "name").filter((name) => String(name).startsWith("v1"))
  ],
  ["list_repositories", {}, ({ name }) => name, names(repositories, "full_name")],
  ["list_repositories", { owner: "octo", limit: 40 }, ({ name }) => name, names(repositories, "full_name")],
  ["list_artifacts", {}, ({ id }) => id, names(artifacts, "id")],
  ["list_artifacts", { expired: true }, ({ id }) => id, numbers(23).map((number) => number * 10)],
  ["list_comments", { kind: "commit" }, ({ id }) => id, names(commitComments, "id")],
  ["list_comments", { kind: "review", limit: 17 }, ({ id }) => id, names(reviewComments, "id")],
  [
    "list_comments",
    { kind: "commit", path: "src", limit: 3 },
    ({ id }) => id,
    numbers(130).filter((number) => number % 3 !== 2)
  ],
  ["list_deliveries", {}, ({ id }) => id, sortedDeliveries(() => true)],
  ["list_deliveries", { limit: 100 }, ({ id }) => id, sortedDeliveries(() => true)],
  ["list_deliveries", { failed: true, limit: 7 }, ({ id }) => id, sortedDeliveries((code) => code === 502)],
  ["list_deliveries", { hook: 1 }, ({ id }) => id, names(deliveries(1), "id")],
  ["read_commit", { ref: "main" }, ({ path }) => path, names(files, "filename")],
  ["compare", { base: "main", head: "topic" }, ({ sha }) => sha, names(commits, "sha")],
  ["compare", { base: "main", head: "topic" }, ({ path }) => path, names(files, "filename")]
]

describe("a list", () => {
  for (const [tool, args, shown, expected] of lists) {
    it.effect(`${tool} ${JSON.stringify(args)} continues to its end without losing items`, () =>
      Effect.gen(function* () {
        const { walk } = yield* Stub.connect(respond, { structured: true })
        const { calls, items } = yield* walk(tool, args)
        assert.deepStrictEqual(
          items.map(shown).filter((identity) => identity !== undefined),
          expected
        )
        assert.isAbove(calls, expected.length > 30 ? 1 : 0)
      }).pipe(Effect.scoped)
    )

    if (!("limit" in args) && expected.length > 30) {
      it.effect(`${tool} ${JSON.stringify(args)} has at most ${DEFAULT_TOKENS} tokens`, () =>
        Effect.gen(function* () {
          const { read } = yield* Stub.connect(respond)
          const text = yield* read(tool, args)
          assert.isAtMost(estimateTokens(text), DEFAULT_TOKENS)
          assert.match(text, /^More: call again with /m)
        }).pipe(Effect.scoped)
      )
    }
  }

  for (const [tool, args] of [
    ["read_commit", { ref: "main", patch: "full" }],
    ["compare", { base: "main", head: "topic", patch: "full" }]
  ] as const) {
    it.effect(`${tool} has every line of every patch`, () =>
      Effect.gen(function* () {
        const { walk } = yield* Stub.connect(respond, { structured: true })
        const { items } = yield* walk(tool, args)
        const patches = new Map<unknown, string>()
        for (const { patch, path } of items) {
          const before = patches.get(path)
          if (typeof patch === "string") patches.set(path, before === undefined ? patch : `${before}\n${patch}`)
        }
        assert.deepStrictEqual(
          [...patches],
          files.map((file): [unknown, string] => [Object(file)["filename"], String(Object(file)["patch"]).trimEnd()])
        )
      }).pipe(Effect.scoped)
    )
  }

  for (const [tool, args] of [
    ["list_commits", { counts: true }],
    ["list_refs", { prefix: "branch-2", limit: 100 }],
    ["list_artifacts", {}],
    ["list_comments", { kind: "commit", path: "src", limit: 100 }],
    ["list_deliveries", { limit: 100 }]
  ] as const) {
    it.effect(`${tool} has what it read if the forge does not answer any more`, () =>
      Effect.gen(function* () {
        const { read } = yield* Stub.connect((url) =>
          ["page", "cursor"].some((name) => url.searchParams.has(name)) ? "never" : respond(url)
        )
        const call = yield* Effect.forkChild(read(tool, args))
        yield* TestClock.adjust("1 minute")
        const text = yield* Fiber.join(call)
        assert.include(text, "Incomplete: the call ended after 45 s.")
        assert.match(text, /^octo\/hello.*\n<untrusted/)
        assert.match(text, /^More: call again with /m)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("counts every commit once, over several calls", () =>
    Effect.gen(function* () {
      const people = numbers(250).map((number) =>
        Stub.commit(number, { name: `Person ${number % 70}`, email: `person-${number % 70}@example.com` })
      )
      const { walk } = yield* Stub.connect(
        (url) => (url.pathname.endsWith("/commits") ? Stub.page(url, people) : undefined),
        { structured: true }
      )
      for (const limit of [30, 110, 1_000]) {
        const { items } = yield* walk("list_commits", { counts: true, limit })
        assert.strictEqual(
          items.reduce((sum, { commits }) => sum + Number(commits), 0),
          250,
          String(limit)
        )
      }
    }).pipe(Effect.scoped)
  )
})
