import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { entries } from "@tongs/core/contract/Catalog"
import { connect, sent, texts } from "../McpClient.test-support.ts"
import * as OperationName from "../operations/OperationName.ts"

type Client = Effect.Success<ReturnType<typeof connect>>

const change = (client: Client, operation: string, given: object, more: object = {}) =>
  Effect.map(client.callTool({ name: "change", arguments: { operation, arguments: given, ...more } }), (result) => ({
    text: texts(result).join("\n"),
    isError: result.isError === true
  }))

describe("change", () => {
  it.effect("is offered only with --allow-writes, and runs no operation that reads", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect()).listTools({})
      assert.notInclude(
        tools.map(({ name }) => name),
        "change"
      )
      const client = yield* connect({ allowWrites: true })
      const hints = (yield* client.listTools({})).tools.find(({ name }) => name === "change")?.annotations
      assert.deepInclude(hints, { readOnlyHint: false, destructiveHint: true })
      assert.include((yield* change(client, "branches.list", {})).text, "call run_operation")
    }).pipe(Effect.scoped)
  )

  it.effect("reports that a write is done, and that it cannot be undone", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true, confirm: "never" })
      const { text } = yield* change(client, "gitRefs.delete", { ref: "heads/old" })
      assert.strictEqual(
        text,
        "octo/hello, operation gitRefs.delete, ref heads/old\nDone: Delete a reference. It cannot be undone."
      )
    }).pipe(Effect.scoped)
  )

  it.effect("names the call that undoes a write", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true })
      const blocked = yield* change(client, "blocks.block", { username: "tilda" })
      assert.include(blocked.text, 'Undo: change {"operation":"blocks.unblock","arguments":{"username":"tilda"}}')
      sent.length = 0
      const updated = yield* change(client, "workflowPolicies.setArtifactAndLogRetention", { org: "octo", days: 30 })
      assert.include(
        updated.text,
        'undo: change {"operation":"workflowPolicies.setArtifactAndLogRetention","arguments":{"org":"octo","days":90}}'
      )
      const path = "/orgs/octo/actions/permissions/artifact-and-log-retention"
      assert.deepStrictEqual(sent, [`GET ${path}`, `PUT ${path}`])
    }).pipe(Effect.scoped)
  )

  it.effect("shows a dry run, and sends nothing", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true })
      sent.length = 0
      const { text } = yield* change(client, "gitRefs.delete", { ref: "heads/old" }, { dry_run: true })
      assert.include(text, "Dry run: nothing was sent.")
      assert.deepStrictEqual(sent, [])
    }).pipe(Effect.scoped)
  )

  it.effect("sends nothing that cannot be undone without the user's agreement", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true })
      const update = { ref: "heads/old", sha: "1".repeat(40) }
      sent.length = 0
      for (const [operation, given] of [
        ["gitRefs.delete", { ref: "heads/old" }],
        ["gitRefs.update", { ...update, force: true }],
        ["repositories.update", { visibility: "public" }]
      ] as const) {
        const { isError, text } = yield* change(client, operation, given)
        assert.isTrue(isError)
        assert.match(text, /nothing was done.*--confirm=never/)
      }
      assert.deepStrictEqual(sent, [])
      assert.match((yield* change(client, "gitRefs.update", { ...update, force: false })).text, /Not Found/)
      assert.include(sent, "PATCH /repos/octo/hello/git/refs/heads%2Fold")
    }).pipe(Effect.scoped)
  )

  it.effect("says that the change may have been made if the forge does not answer, or fails", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true, deadline: 20 })
      const call = yield* Effect.forkChild(change(client, "blocks.block", { username: "hanging" }))
      yield* TestClock.adjust("19 seconds")
      const { isError, text } = yield* Fiber.join(call)
      assert.isTrue(isError)
      assert.include(text, "the change may have been made or not. Read the current state")
      const failed = yield* change(client, "blocks.block", { username: "failing" })
      assert.isTrue(failed.isError)
      assert.include(failed.text, "The change may have been made.")
    }).pipe(Effect.scoped)
  )

  it.effect("reports invalid arguments of every writing operation, and sends nothing", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true, confirm: "never" })
      sent.length = 0
      const writes = entries.filter(({ readonly }) => !readonly)
      for (const entry of writes) {
        const { isError, text } = yield* change(client, OperationName.idOf(entry), { nothing: 1 })
        assert.isTrue(isError)
        for (const { name, required } of entry.fields)
          if (required && name !== "owner" && name !== "repo") assert.include(text, `${name} is missing`)
      }
      assert.isAbove(writes.length, 30)
      assert.deepStrictEqual(sent, [])
    }).pipe(Effect.scoped)
  )
})
