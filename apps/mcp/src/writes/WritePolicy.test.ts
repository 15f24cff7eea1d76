import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type OperationId, entryOf } from "../call/Tool.ts"
import type { Arguments } from "../answer/Answer.ts"
import * as WritePolicy from "./WritePolicy.ts"
import * as WriteRequest from "./WriteRequest.ts"
import * as WriteTarget from "./WriteTarget.ts"
import { inputsOf, writeEntries } from "./Writes.test-support.ts"

const allowed = { allowOwners: ["mona"], allowRepositories: ["octo/hello"] }

/** Returns the refusals of a call for the signed-in user `mia`. */
const refusals = Effect.fnUntraced(function* (id: OperationId, input: Arguments, login = "mia") {
  const request = yield* WriteRequest.make(entryOf(id), input, "http://forge.test")
  return WriteTarget.of(entryOf(id), request).flatMap((target) => WritePolicy.refusal(allowed, target, login) ?? [])
})

const ref = { ref: "heads/a" }
const hello = { owner: "octo", repo: "hello" }
const hook = { config: { url: "https://a.test" }, events: ["push"] }
const view = { project_number: 1, name: "all", layout: "table" }

const covered: ReadonlyArray<readonly [OperationId, Arguments, string?]> = [
  ["gitRefs.delete", { ...hello, ...ref }],
  ["gitRefs.delete", { owner: "OCTO", repo: "Hello", ...ref }],
  ["gitRefs.delete", { owner: "Mona", repo: "any", ...ref }],
  ["repositories.update", { ...hello, description: "x" }],
  ["repositories.update", { ...hello, name: "HELLO" }],
  ["repositories.update", { owner: "mona", repo: "one", name: "two" }],
  ["repositoryHooks.create", { ...hello, ...hook, name: "web" }],
  ["repositories.createInOrg", { org: "mona", name: "new" }],
  ["repositories.createInOrg", { org: "octo", name: "hello" }],
  ["organizationHooks.create", { org: "MONA", ...hook, name: "web" }],
  ["repositories.createForAuthenticatedUser", { name: "new" }, "mona"],
  ["repositories.createForAuthenticatedUser", { name: "hello" }, "octo"],
  ["blocks.block", { username: "mia" }, "mona"],
  ["projectViews.createForUser", { user_id: "mona", ...view }]
]

const refused: ReadonlyArray<readonly [OperationId, Arguments, string, string?]> = [
  ["gitRefs.delete", { owner: "octo", repo: "other", ...ref }, "--allow-repo octo/other"],
  ["gitRefs.delete", { owner: "other", repo: "hello", ...ref }, "--allow-repo other/hello"],
  ["gitRefs.delete", { owner: "octo/hello", repo: "x", ...ref }, "octo/hello/x"],
  ["gitRefs.delete", { owner: "octo ", repo: "hello", ...ref }, "octo /hello"],
  ["gitRefs.delete", { owner: "octo%2Fhello", repo: "..x", ...ref }, "%2F"],
  ["gitRefs.delete", { owner: "octo", repo: "hello.git", ...ref }, "octo/hello.git"],
  ["gitRefs.delete", { owner: "octo", repo: "hello/../other", ...ref }, "other"],
  ["gitRefs.delete", { owner: "mona\u0000", repo: "x", ...ref }, "mona"],
  ["repositories.update", { ...hello, name: "other" }, "--allow-repo octo/other"],
  ["repositories.createInOrg", { org: "octo", name: "other" }, "--allow-repo octo/other"],
  ["organizationHooks.create", { org: "octo", ...hook, name: "web" }, "--allow-owner octo"],
  [
    "cacheLimits.setRetentionForEnterprise",
    { enterprise: "mona", max_cache_retention_days: 1 },
    "without --allow-owner"
  ],
  ["blocks.block", { username: "mona" }, "--allow-owner mia"],
  ["keys.createForAuthenticatedUser", { key: "k" }, "--allow-owner mia"],
  ["repositories.createForAuthenticatedUser", { name: "hello" }, "--allow-repo mia/hello"],
  ["projectViews.createForUser", { user_id: "7", ...view }, "account id 7"],
  ["projectViews.createForUser", { user_id: "octo", ...view }, "--allow-owner octo"],
  ["installations.revokeAccessToken", {}, "without --allow-owner"]
]

describe("the restriction of writes", () => {
  it.effect("allows what belongs to the owners and repositories, in any case", () =>
    Effect.gen(function* () {
      for (const [id, input, login] of covered)
        assert.deepStrictEqual(yield* refusals(id, input, login), [], `${id} ${JSON.stringify(input)}`)
    })
  )

  it.effect("refuses everything else, and names the flag", () =>
    Effect.gen(function* () {
      for (const [id, input, part] of refused) {
        const [reason] = yield* refusals(id, input)
        assert.include(reason, part, `${id} ${JSON.stringify(input)}`)
      }
    })
  )

  it("refuses names that only look equal after folding other letters than ASCII", () => {
    for (const owner of ["o\u212Ata", "mo\u017Fs"]) {
      const target = { kind: "owner", owner } as const
      assert.isString(WritePolicy.refusal({ allowOwners: ["okta", "moss"] }, target, undefined), owner)
    }
  })

  it.effect("knows the target of every operation", () =>
    Effect.gen(function* () {
      for (const entry of writeEntries) {
        for (const input of inputsOf(entry)) {
          const request = yield* WriteRequest.make(entry, input, "http://forge.test")
          const targets = WriteTarget.of(entry, request)
          assert.isNotEmpty(targets)
          const unknown = targets.filter(
            (target) => target.kind === "other" && target.description === entry.endpoint.path
          )
          assert.lengthOf(unknown, entry.endpoint.path === "/installation/token" ? 1 : 0, entry.endpoint.path)
        }
      }
    })
  )

  it("allows everything without flags", () => {
    assert.isUndefined(WritePolicy.refusal({}, { kind: "other", description: "x" }, undefined))
  })
})

describe("a path parameter", () => {
  it.effect("with a dot segment is found, however it is encoded", () =>
    Effect.gen(function* () {
      const found = (ref: string) =>
        Effect.map(
          WriteRequest.make(entryOf("gitRefs.delete"), { ...hello, ref }, "http://forge.test"),
          WriteRequest.misleadingParameter
        )
      for (const one of ["../x", "heads/../../x", "heads/..", "heads\\..\\x", "a%2f..%2Fb", "%2e%2E/x", "./x", "a/.?x"])
        assert.strictEqual(yield* found(one), "ref", one)
      for (const one of ["heads/main", "heads/a..b", "heads/.hidden", "heads/v1.", "heads/%2ex", "heads/...x"])
        assert.isUndefined(yield* found(one), one)
    })
  )
})
