import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const sha = "a".repeat(40)

const review = (id: number, body: string, options: Readonly<Record<string, unknown>> = {}) => ({
  url: "",
  pull_request_review_id: null,
  id,
  node_id: "",
  diff_hunk: "@@ -1,2 +1,2 @@\n-const a = 1\n+const a = 2",
  path: "src/index.ts",
  commit_id: sha,
  original_commit_id: sha,
  user: null,
  body,
  created_at: `2026-01-0${id}T00:00:00Z`,
  updated_at: `2026-01-0${id}T00:00:00Z`,
  html_url: "",
  pull_request_url: "",
  author_association: "NONE",
  _links: { self: { href: "" }, html: { href: "" }, pull_request: { href: "" } },
  line: 1,
  ...options
})

const comments = [
  review(1, "Why **two**?"),
  review(2, "Because\u001b[2J of three.", { in_reply_to_id: 1 }),
  review(3, "Reads well.", { subject_type: "file", path: "docs/long.md", line: null })
]

const start = (requests: Array<string> = []) =>
  ModelDriver.start(
    {
      respond: (path) => {
        if (path === "/repos/octo/hello/pulls/comments") return { status: 200, body: comments }
        if (path === "/repos/octo/hello/pulls/comments/2") return { status: 200, body: comments[1] }
        return undefined
      },
      onRequest: (path) => requests.push(path)
    },
    100,
    40
  )

describe("review comments", () => {
  it.live("are threads with their diff, the one with the newest comment first", () =>
    Effect.gen(function* () {
      const screen = yield* start()
      screen.press("3", "tab")
      const lines = yield* screen.until("Because")
      const at = (words: string) => lines.findIndex((line) => line.includes(words))
      assert.isBelow(at("docs/long.md"), at("src/index.ts:1"))
      assert.isBelow(at("+const a = 2"), at("Why two?"))
      assert.isBelow(at("Why two?"), at("↳ a deleted account"))
      assert.isFalse(lines.some((line) => line.includes("\u001b")))
    })
  )

  it.live("edits the comment under the cursor, starting from its text", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const screen = yield* start(requests)
      screen.press("3", "tab")
      yield* screen.until("Because")
      screen.press("G", "m")
      const form = yield* screen.until("Update a review comment")
      assert.isTrue(form.some((line) => line.includes("comment_id   2")))
      assert.isTrue(form.some((line) => /body .*Because.* of three\./.test(line)))
      screen.press("!", "ctrl-s")
      yield* screen.until("Done: update a review comment")
      assert.include(requests, "/repos/octo/hello/pulls/comments/2")
    })
  )

  it.live("open the file at the line", () =>
    Effect.gen(function* () {
      const screen = yield* start()
      screen.press("3", "tab")
      yield* screen.until("Because")
      screen.press("G", "enter")
      const lines = yield* screen.until("export const line1")
      assert.match(lines.find((line) => line.startsWith("❯")) ?? "", /line1 = 1/)
    })
  )
})
