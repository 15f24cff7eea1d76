import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, send, succeed } from "../checks/CheckHandlers.test-support.ts"

const write = Effect.fnUntraced(function* (path: string, text: string, branch = "main") {
  const known = yield* send("GET", `contents/${path}?ref=${branch}`)
  const content = Buffer.from(text).toString("base64")
  const before = known.status === 200 ? { sha: known.json.sha } : {}
  yield* succeed("PUT", `contents/${path}`, { message: path, content, branch, ...before }, "ann")
})

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

  it.effect("are asked to review the changes of their files, once the pull request is no draft", () =>
    Effect.gen(function* () {
      const { ask } = yield* Support.TestForge
      yield* succeed("POST", "/orgs/acme/teams", { name: "Owners", privacy: "closed" }, "ann")
      yield* succeed("PUT", "/orgs/acme/teams/owners/repos/acme/tool", { permission: "push" }, "ann")
      yield* write(".github/CODEOWNERS", "* @ben\n*.md @ann @acme/owners\n/mine/ @ben @reader\n/nobody.md\n", "main")
      const propose = Effect.fnUntraced(function* (head: string, files: ReadonlyArray<string>, draft = false) {
        const { object } = yield* succeed("GET", "git/ref/heads/main")
        yield* succeed("POST", "git/refs", { ref: `refs/heads/${head}`, sha: object.sha })
        for (const file of files) yield* write(file, "x\n", head)
        const pull = yield* succeed("POST", "pulls", { title: head, head, base: "main", draft }, "ann")
        return { number: Number(pull.number), id: String(pull.node_id) }
      })
      const reviewers = Effect.fnUntraced(function* (number: number) {
        const { teams, users } = yield* succeed("GET", `pulls/${number}/requested_reviewers`, undefined, "ann")
        return [
          ...users.map(({ login }: { login: string }) => login),
          ...teams.map(({ slug }: { slug: string }) => slug)
        ]
      })
      const asked = Effect.fnUntraced(function* (number: number, count: number) {
        for (let attempt = 0; attempt < 400; attempt++) {
          const found = yield* reviewers(number)
          if (found.length >= count) return found
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
        }
        return yield* reviewers(number)
      })
      const draft = yield* propose("draft", ["mine/a"], true)
      const none = yield* propose("none", ["nobody.md"])
      const both = yield* propose("both", ["a.md", "b.txt"])
      assert.deepStrictEqual(yield* asked(both.number, 2), ["ben", "owners"])
      // The pull requests are handled in order.
      assert.deepStrictEqual(yield* reviewers(none.number), [])
      assert.deepStrictEqual(yield* reviewers(draft.number), [])
      const query = `mutation { markPullRequestReadyForReview(input: { pullRequestId: "${draft.id}" }) { clientMutationId } }`
      assert.isUndefined((yield* ask("POST", "/graphql", { token: "ann", body: { query } })).json.errors)
      assert.deepStrictEqual(yield* asked(draft.number, 1), ["ben"])
    })
  )
})
