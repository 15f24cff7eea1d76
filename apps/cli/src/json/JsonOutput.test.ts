import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runner } from "../CommandRunner.test-support.ts"
import * as Stub from "../ForgeStub.test-support.ts"

describe("--fields and --jq", () => {
  const sent: Array<Stub.StubRequest> = []
  const tongs = runner((request) => {
    sent.push(request)
    if (request.method === "DELETE") return { status: 204 }
    return { body: [Stub.branch("main"), Stub.branch("next")] }
  })

  it.live("imply JSON and apply to operations", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs("branches", "list", "--fields", "protected,commit.sha,name")
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.deepStrictEqual(JSON.parse(stdout), [
        { protected: false, commit: { sha: Stub.sha("1") }, name: "main" },
        { protected: false, commit: { sha: Stub.sha("1") }, name: "next" }
      ])
      assert.strictEqual((yield* tongs("branches", "list", "--jq", ".[].name")).stdout, "main\nnext\n")
      const both = yield* tongs("branches", "list", "--fields", "name", "--jq", ".[0]")
      assert.strictEqual(both.stdout, '{"name":"main"}\n')
    })
  )

  it.live("apply to other commands with --json", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* tongs("auth", "status", "--fields", "forge", "--jq", "keys[]")).stdout, "forge\n")
      assert.strictEqual((yield* tongs("auth", "status", "--jq", ".forge")).stdout, "embedded\n")
      assert.strictEqual((yield* tongs("openapi", "--jq", ".openapi")).stdout, "3.1.0\n")
      const doctor = yield* tongs("doctor", "--fields", "name")
      assert.deepStrictEqual(Object.keys(JSON.parse(doctor.stdout)[0]), ["name"])
    })
  )

  for (const flags of [
    ["--fields", "nme"],
    ["--fields", "commit.date"],
    ["--jq", ".["]
  ]) {
    it.live(`${flags.join(" ")} is rejected before a request`, () =>
      Effect.gen(function* () {
        sent.length = 0
        const { code, stderr, stdout } = yield* tongs("branches", "list", ...flags)
        assert.deepStrictEqual([code, stdout, sent], [2, "", []], stderr)
      })
    )
  }

  it.live("fail with exit code 1 if the expression fails for the value", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs("branches", "list", "--jq", ".name")
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^tongs: --jq: Cannot index array/)
    })
  )
})
