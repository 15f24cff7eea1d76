import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import * as McpSchema from "effect/ai/McpSchema"
import { Forge } from "@tongs/core/client/Forge"
import { Repository } from "@tongs/core/contract/groups/Repository"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { entryOf, type Tool } from "../call/Tool.ts"
import type { Arguments } from "../answer/Answer.ts"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as Tools from "../Tools.ts"
import * as Support from "./Writes.test-support.ts"

const deletion = entryOf("gitRefs.delete")
const input = { owner: "octo", repo: "hello", ref: "heads/old" }
const write = { tool: "change", call: Support.call }

type Guard = WriteGuard["Service"]
type Request = Partial<McpSchema.McpRequestContext["Service"]>

const check = (guard: Guard, given: Request = {}, args: Arguments = input, entry = deletion, tool = "change") =>
  guard.check(entry, args, { ...write, tool }).pipe(
    Effect.map((decision) => decision._tag),
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provideService(McpSchema.McpRequestContext, Support.request(given))
  )

/** Asks for a confirmation and returns its state. */
const ask = Effect.fnUntraced(
  function* (guard: Guard, args: Arguments = input, entry = deletion, tool = "change") {
    const decision = yield* guard.check(entry, args, { ...write, tool })
    assert.strictEqual(decision._tag, "InputRequired")
    return decision._tag === "InputRequired" ? (decision.requestState ?? "") : ""
  },
  Effect.provideService(McpSchema.McpRequestContext, Support.request())
)

const accepted = (requestState: string): Request => ({
  requestState,
  inputResponses: { confirm: { action: "accept", content: {} } }
})

describe("a confirmation without a session", () => {
  it.effect("runs the call once", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const state = yield* ask(guard)
      assert.strictEqual(yield* check(guard, accepted(state)), "Run")
      assert.include(yield* check(guard, accepted(state)), "it was already used")
    })
  )

  it.effect("is refused if the user does not agree, and cannot be used afterwards", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const responses: ReadonlyArray<Request["inputResponses"]> = [
        { confirm: { action: "decline" } },
        { confirm: { action: "cancel" } },
        { confirm: { content: {} } },
        { confirm: {} },
        { other: { action: "accept" } },
        {},
        undefined
      ]
      for (const inputResponses of responses) {
        const state = yield* ask(guard)
        const answer = yield* check(guard, { inputResponses, requestState: state })
        assert.include(answer, "the user did not agree")
        assert.notInclude(answer, "--confirm=never")
        assert.include(yield* check(guard, accepted(state)), "it was already used")
      }
      assert.include(yield* check(guard, { inputResponses: { confirm: { action: "accept" } } }), "is invalid")
    })
  )

  it.effect("expires after five minutes", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const [early, late] = [yield* ask(guard), yield* ask(guard)]
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(yield* check(guard, accepted(early)), "Run")
      yield* TestClock.adjust("1 second")
      assert.include(yield* check(guard, accepted(late)), "it has expired")
    })
  )

  it.effect("is refused if any character of its state changed", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const state = yield* ask(guard)
      const tampered = [
        ...Array.from(state, (character, index) => {
          const other = character === "A" || character === "1" ? "2" : character === "." ? "-" : "1"
          return state.slice(0, index) + other + state.slice(index + 1)
        }),
        state.slice(0, -1),
        `${state}=`,
        `${state}.`,
        ` ${state}`,
        ""
      ]
      for (const one of tampered) assert.include(yield* check(guard, accepted(one)), "is invalid", one)
      assert.strictEqual(yield* check(guard, accepted(state)), "Run")
    })
  )

  it.effect("is refused for another call, server, forge or credential", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const invalid = "it was changed, or belongs to another call"
      const state = yield* ask(guard)
      for (const other of [{ ref: "heads/main" }, { repo: "other" }, { owner: "other" }])
        assert.include(yield* check(guard, accepted(state), { ...input, ...other }), invalid)
      const hook = { owner: "octo", repo: "hello", hook_id: 1 }
      const update = entryOf("repositoryHooks.update")
      const changed = yield* ask(guard, { ...hook, config: { url: "https://a.test" } }, update)
      assert.include(
        yield* check(guard, accepted(changed), { ...hook, config: { url: "https://b.test" } }, update),
        invalid
      )
      const config = entryOf("repositoryHooks.updateConfig")
      assert.include(yield* check(guard, accepted(changed), { ...hook, url: "https://a.test" }, config), invalid)
      assert.include(yield* check(guard, accepted(state), input, deletion, "git_refs_delete"), invalid)
      assert.include(yield* check(Support.guard(forge), accepted(state)), invalid)
    })
  )

  it.effect("is not accepted from a session that cannot ask", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const guard = Support.guard(forge)
      const state = yield* ask(guard)
      const { client } = Support.session(Effect.never, new McpSchema.ClientCapabilities({}))
      const answer = yield* Effect.provideService(check(guard, accepted(state)), McpSchema.McpServerClient, client)
      assert.include(answer, "this client cannot ask")
    })
  )
})

describe("a confirmation in a session", () => {
  it.effect("runs the call, and does not count the user's time", () =>
    Effect.gen(function* () {
      const { forge } = yield* Support.recordingForge()
      const answer = Effect.as(TestClock.adjust("4 minutes"), new McpSchema.ElicitAcceptResult({ action: "accept" }))
      const { client, questions } = Support.session(answer)
      const decision = yield* Support.guard(forge)
        .check(deletion, input, write)
        .pipe(
          Effect.provideService(McpSchema.McpServerClient, client),
          Effect.provideService(McpSchema.McpRequestContext, Support.request())
        )
      assert.deepStrictEqual(decision, {
        _tag: "Run",
        deadline: Support.call.deadline + 240_000,
        isRestricted: false
      })
      assert.strictEqual(questions.length, 1)
    })
  )
})

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

/** Every tool, with arguments of every write. */
const attempts: ReadonlyArray<{ readonly tool: Tool; readonly args: Arguments }> = [
  undefined,
  Tools.toolsets()
].flatMap((toolsets) => {
  const selection = { allowWrites: true, confirm: "ask", dryRun: false } as const
  const tools = Tools.select(toolsets === undefined ? selection : { ...selection, toolsets }, undefined)
  return tools.flatMap((tool) => Support.argumentsOf(tool, Support.writeEntries).map((args) => ({ tool, args })))
})

const attempt = Effect.fnUntraced(function* (
  { args, tool }: (typeof attempts)[number],
  client: Support.TestClient,
  forge: Forge["Service"],
  guard: Guard
) {
  const run = tool
    .run(args, { ...Support.call, ...client.call })
    .pipe(
      Effect.provideService(McpSchema.McpRequestContext, client.request),
      Effect.provideService(Forge, forge),
      Effect.provideService(WriteGuard, guard),
      Effect.exit
    )
  return yield* client.session === undefined
    ? run
    : Effect.provideService(run, McpSchema.McpServerClient, client.session)
})

describe("every operation that writes", () => {
  it.effect("sends nothing irreversible, and gives nothing to others, without the user's confirmation", () =>
    Effect.gen(function* () {
      const clients = Object.entries(Support.unconfirmed)
      let sent = 0
      for (const [turn, [name, client]] of clients.entries()) {
        const { forge, writes } = yield* Support.recordingForge()
        const guard = Support.guard(forge)
        // A long run gives every attempt to every client, a short one takes turns.
        for (const one of attempts.filter((_, index) => isLong || index % clients.length === turn))
          yield* attempt(one, client, forge, guard)
        assert.deepStrictEqual(writes().filter(Support.isRisky), [], name)
        sent += writes().length
      }
      assert.isAbove(sent, 100)
    })
  )

  it.effect("sends what the user confirms, once", () =>
    Effect.gen(function* () {
      let confirmed = 0
      for (const one of attempts) {
        // A separate client, because all attempts together exceed the rate limit of writes.
        const { forge, writes } = yield* Support.recordingForge()
        const guard = Support.guard(forge)
        const asked = yield* attempt(one, { request: Support.request() }, forge, guard)
        const required = Option.getOrUndefined(Exit.getSuccess(asked))
        if (required === undefined || !("_tag" in required)) continue
        confirmed += 1
        assert.deepStrictEqual(writes(), [], one.tool.name)
        const request = Support.request(accepted(required.requestState ?? ""))
        yield* attempt(one, { request }, forge, guard)
        assert.strictEqual(writes().filter(Support.isRisky).length, 1, `${one.tool.name} ${JSON.stringify(one.args)}`)
        yield* attempt(one, { request }, forge, guard)
        assert.strictEqual(writes().length, 1, one.tool.name)
      }
      assert.isAbove(confirmed, 12)
    })
  )

  it.effect("sends nothing in a dry run, on a server that only reads, or outside the allowed repositories", () =>
    Effect.gen(function* () {
      const { forge, writes } = yield* Support.recordingForge()
      const client = { request: Support.request() }
      for (const options of [
        { dryRun: true },
        { allowWrites: false },
        { allowOwners: ["nobody"], allowRepositories: ["octo/other"], confirm: "never" } as const
      ]) {
        const guard = Support.guard(forge, options)
        for (const one of attempts) {
          yield* attempt(one, client, forge, guard)
          assert.deepStrictEqual(writes(), [], one.tool.name)
        }
      }
    })
  )
})

it.effect("a call that gives something to others is asked for with what it gives", () =>
  Effect.gen(function* () {
    const { forge, writes } = yield* Support.recordingForge()
    const guard = Support.guard(forge)
    const repository = { owner: "octo", repo: "hello" }
    const file = { ...repository, message: "m", content: "on: push\n" }
    const entry = { path: ".github/workflows/a.yml", mode: "100644", content: "on: push\n" }
    const url = "https://a.test/\n\u202e?"
    const cases = [
      [
        "keys.createForAuthenticatedUser",
        { key: "ssh-ed25519 AAAA" },
        "Anyone with the private key can read and change"
      ],
      [
        "repositoryHooks.create",
        { ...repository, config: { url } },
        String.raw`are sent to "https://a.test/\n<U+202E>?".`
      ],
      [
        "organizationHooks.create",
        { org: "octo", name: "web", config: { url } },
        "all repositories of the organization"
      ],
      ["contents.createOrUpdate", { ...file, path: ".github/workflows/a.yml" }, "gets the tokens and the secrets"],
      ["gitTrees.create", { ...repository, tree: [entry] }, "gets the tokens and the secrets"]
    ] as const
    for (const [operation, args, sentence] of cases) {
      const { client, questions } = Support.session(
        Effect.succeed(new McpSchema.ElicitDeclineResult({ action: "decline" }))
      )
      const declined = yield* check(guard, {}, args, entryOf(operation)).pipe(
        Effect.provideService(McpSchema.McpServerClient, client)
      )
      assert.include(declined, "This call gives access or data to others, and the user did not agree.")
      const [question = ""] = questions
      assert.include(question.split("\n")[0], sentence)
      assert.notInclude(question, "cannot be undone")
    }
    assert.strictEqual(
      yield* check(guard, {}, { ...file, path: "docs/a.yml" }, entryOf("contents.createOrUpdate")),
      "Run"
    )
    assert.deepStrictEqual(writes(), [])
  })
)

it.effect("a repository that was renamed or transferred counts with its present name", () =>
  Effect.gen(function* () {
    let present = "OCTO/hello"
    const { forge, writes } = yield* Support.recordingForge(({ method }: Support.Received) =>
      method === "GET"
        ? Response.json({ ...Object(Samples.of(Repository)), full_name: present })
        : new Response(null, { status: 204 })
    )
    const options = { allowRepositories: ["octo/hello"], confirm: "never" } as const
    assert.strictEqual(yield* check(Support.guard(forge, options)), "Run")
    present = "other/hello"
    assert.include(yield* check(Support.guard(forge, options)), "may not change other/hello, only octo/hello")
    assert.deepStrictEqual(writes(), [])
  })
)

for (const status of [307, 308]) {
  it.effect(`a redirect (${status}) of a write is not followed to a repository that was not checked`, () =>
    Effect.gen(function* () {
      let reads = 0
      const { forge, writes } = yield* Support.recordingForge(({ method, path }: Support.Received) => {
        if (method !== "GET") {
          if (!path.startsWith("/repos/octo/hello/")) return Response.json({}, { status: 204 })
          return new Response(null, { status, headers: { location: path.replace("octo/hello", "other/secret") } })
        }
        // The repository moves between the check and the write.
        const name = reads++ === 0 ? "octo/hello" : "other/secret"
        return Response.json({ ...Object(Samples.of(Repository)), full_name: name })
      })
      const guard = Support.guard(forge, { allowRepositories: ["octo/hello"], confirm: "never" })
      const [tool] = Tools.select({ allowWrites: true, confirm: "never", dryRun: false }, undefined).filter(
        ({ name }) => name === "change"
      )
      assert.isDefined(tool)
      if (tool === undefined) return
      const args = { operation: "gitRefs.delete", arguments: { repo: "octo/hello", ref: "heads/old" } }
      const exit = yield* attempt({ tool, args }, { request: Support.request() }, forge, guard)
      assert.include(JSON.stringify(exit), "octo/hello has moved to other/secret. Call again with that name")
      assert.deepStrictEqual(
        writes().map(({ path }) => path),
        ["/repos/octo/hello/git/refs/heads%2Fold"]
      )
      const free = Support.guard(forge, { confirm: "never" })
      yield* attempt({ tool, args }, { request: Support.request() }, forge, free)
      assert.strictEqual(writes().at(-1)?.path, "/repos/other/secret/git/refs/heads%2Fold")
    })
  )
}

it.effect("a server with --confirm=never does not ask", () =>
  Effect.gen(function* () {
    const { forge, writes } = yield* Support.recordingForge()
    const guard = Support.guard(forge, { confirm: "never" })
    for (const one of attempts) yield* attempt(one, { request: Support.withoutForms }, forge, guard)
    assert.isAtLeast(writes().length, Support.writeEntries.flatMap(Support.inputsOf).length)
  })
)
