import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { forge, send, succeed } from "../checks/CheckHandlers.test-support.ts"

const write = (path: string, text: string, branch = "main") =>
  succeed("PUT", `contents/${path}`, { message: path, content: Buffer.from(text).toString("base64"), branch }, "ann")

layer(forge)("code owners", (it) => {
  it.effect("are checked for mistakes, and for write permission", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("GET", "codeowners/errors")).status, 404)
      yield* succeed("POST", "/orgs/acme/teams", { name: "Docs", privacy: "closed" }, "ann")
      yield* succeed("POST", "/orgs/acme/teams", { name: "Readers", privacy: "closed" }, "ann")
      for (const [slug, permission] of Object.entries({ docs: "push", readers: "pull" })) {
        yield* succeed("PUT", `/orgs/acme/teams/${slug}/repos/acme/tool`, { permission }, "ann")
      }
      yield* write("docs/CODEOWNERS", "! @ann\n")
      const [ignored] = (yield* succeed("GET", "codeowners/errors")).errors
      assert.deepInclude(ignored, { kind: "Invalid pattern", path: "docs/CODEOWNERS", suggestion: null })
      const lines = ["* @ann @Ben", "*.md @acme/docs @acme/readers", "/x @reader # none", "***/a @ann", "*.txt docs@"]
      yield* write(".github/CODEOWNERS", `${lines.join("\n")}\n`)
      const { errors } = yield* succeed("GET", "codeowners/errors?ref=main")
      assert.deepStrictEqual(errors, [
        {
          line: 2,
          column: 17,
          kind: "Unknown owner",
          source: "*.md @acme/docs @acme/readers\n",
          suggestion:
            "make sure the team @acme/readers exists, is publicly visible, and has write access to the repository",
          message:
            "Unknown owner on line 2: make sure the team @acme/readers exists, is publicly visible, and has write access to the repository\n\n  *.md @acme/docs @acme/readers\n                  ^",
          path: ".github/CODEOWNERS"
        },
        {
          line: 3,
          column: 4,
          kind: "Unknown owner",
          source: "/x @reader # none\n",
          suggestion: "make sure @reader exists and has write access to the repository",
          message:
            "Unknown owner on line 3: make sure @reader exists and has write access to the repository\n\n  /x @reader # none\n     ^",
          path: ".github/CODEOWNERS"
        },
        {
          line: 4,
          column: 1,
          kind: "Invalid pattern",
          source: "***/a @ann\n",
          suggestion: "Did you mean `**/a`?",
          message: "Invalid pattern on line 4: Did you mean `**/a`?\n\n  ***/a @ann\n  ^",
          path: ".github/CODEOWNERS"
        },
        {
          line: 5,
          column: 7,
          kind: "Invalid owner",
          source: "*.txt docs@\n",
          suggestion: null,
          message: "Invalid owner on line 5:\n\n  *.txt docs@\n        ^",
          path: ".github/CODEOWNERS"
        }
      ])
      assert.strictEqual((yield* send("GET", "codeowners/errors?ref=missing")).status, 404)
    })
  )
})
