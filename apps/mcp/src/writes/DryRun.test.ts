import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { type OperationId, entryOf } from "../call/Tool.ts"
import type { Arguments } from "../answer/Answer.ts"
import * as Support from "./Writes.test-support.ts"
import type * as Guard from "./Guard.ts"

/** Returns the text of a dry run that the call asks for. */
const dryRun = Effect.fnUntraced(function* (id: OperationId, input: Arguments, options: Partial<Guard.Options> = {}) {
  const { forge, received } = yield* Support.recordingForge()
  const decision = yield* Support.guard(forge, options)
    .check(entryOf(id), input, { tool: "change", call: Support.call, dryRun: true })
    .pipe(Effect.provideService(McpSchema.McpRequestContext, Support.withoutForms))
  assert.deepStrictEqual(received, [])
  return decision._tag === "DryRun" ? decision.answer.items.map(({ text }) => text).join("\n") : decision._tag
})

const hello = { owner: "octo", repo: "hello" }

describe("a dry run", () => {
  it.effect("says what would be sent, whether it can be undone, and what permission it needs", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* dryRun("gitRefs.create", { ...hello, ref: "refs/heads/a b", sha: "1", ignored: true }),
        [
          "Dry run: nothing was sent.",
          "Create a reference: POST /repos/octo/hello/git/refs",
          'Body: {"ref":"refs/heads/a b","sha":"1"}',
          "It can be undone.",
          "Permission: repository contents: write, or repository contents: write and repository workflows: write; scope: public_repo or repo"
        ].join("\n")
      )
      const deletion = yield* dryRun("gitRefs.delete", { ...hello, ref: "heads/a b" })
      assert.include(deletion, "DELETE /repos/octo/hello/git/refs/heads%2Fa%20b\nIt cannot be undone.")
      assert.include(deletion, "The user would be asked to confirm it.")
    })
  )

  it.effect("says if the server would refuse the call", () =>
    Effect.gen(function* () {
      const options = { allowRepositories: ["octo/other"] }
      assert.include(yield* dryRun("gitRefs.delete", { ...hello, ref: "heads/a" }, options), "It would be refused: ")
      assert.notInclude(yield* dryRun("blocks.block", { username: "mia" }, options), "refused")
    })
  )

  it.effect("refuses invalid arguments like the call itself", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(dryRun("gitRefs.create", { ...hello, ref: 1 }))
      assert.strictEqual(problem._tag, "ValidationFailed")
      assert.include((yield* Effect.flip(dryRun("gitRefs.delete", { ...hello, ref: "../x" }))).message, "path segment")
    })
  )
})
