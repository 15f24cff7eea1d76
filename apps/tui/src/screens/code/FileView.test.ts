import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const snapshot = "a".repeat(40)
const head = "b".repeat(40)

const file = (path: string, text?: string) => ({
  ...Object.fromEntries(["url", "sha"].map((name) => [name, snapshot])),
  ...Object.fromEntries(["git_url", "html_url", "download_url"].map((name) => [name, null])),
  _links: { self: "", git: null, html: null },
  type: "file",
  size: text?.length ?? 0,
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  ...(text === undefined ? {} : { encoding: "base64", content: Buffer.from(text).toString("base64") })
})

const workTree = {
  available: true,
  commit: snapshot,
  head,
  branch: "main",
  changed_files: 3,
  files: [
    { path: "new.txt", status: "added" },
    { path: "old.txt", status: "removed" },
    { path: "src/old.ts", status: "modified" }
  ],
  incomplete_results: false,
  notes: []
}

/** A forge whose files depend on the ref. `requests` are the paths and refs that were requested. */
const forge = (answer: object) => {
  const requests: Array<string> = []
  return {
    requests,
    respond: (path: string, query: URLSearchParams) => {
      const ref = query.get("ref")
      if (path.endsWith("/work-tree")) {
        requests.push("work-tree")
        return { body: answer }
      }
      if (!path.includes("/contents")) return undefined
      requests.push(ref ?? "default")
      if (path.endsWith("new.txt")) return { body: file("new.txt", ref === snapshot ? "as on disk" : "as committed") }
      return { body: [file("new.txt"), { ...file("src"), type: "dir" }] }
    }
  }
}

describe("the files of a local repository", () => {
  it.live("are those of the work tree, and a key switches to those of the commit and back", () =>
    Effect.gen(function* () {
      const driver = yield* ModelDriver.start({ ...forge(workTree), searchesWorkTrees: true }, 100)
      yield* driver.until("Commit number 0")
      driver.press("tab", "tab", "tab")
      const listed = yield* driver.until("new.txt", "work tree of main, 3 changed files")
      assert.match(listed.find((line) => line.includes("new.txt")) ?? "", /A added/)
      assert.match(listed.find((line) => line.includes("src/")) ?? "", /1 changed/)
      assert.match(listed.find((line) => line.includes("old.txt")) ?? "", /D removed/)
      driver.press("down", "enter")
      yield* driver.until("as on disk", "work tree of main, 3 changed files")
      driver.press("v")
      yield* driver.until("as committed", `commit ${head.slice(0, 7)} of main`)
      driver.press("v")
      yield* driver.until("as on disk")
    }).pipe(Effect.scoped)
  )

  it.live("are committed files on a forge that serves no work trees", () =>
    Effect.gen(function* () {
      const served = forge(workTree)
      const driver = yield* ModelDriver.start(served, 100)
      yield* driver.until("Commit number 0")
      driver.press("tab", "tab", "tab")
      yield* driver.until("new.txt")
      driver.press("down", "enter")
      const lines = yield* driver.until("as committed")
      assert.isFalse(lines.some((line) => line.includes("work tree")))
      driver.press("v")
      yield* driver.until("No work tree here")
      assert.isFalse(served.requests.includes("work-tree"))
    }).pipe(Effect.scoped)
  )
})
