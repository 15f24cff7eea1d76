import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commits, page } from "../../FakeForge.test-support.ts"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const hex = (index: number) => index.toString(16).padStart(40, "0")

const gitCommit = (sha: string) => ({
  sha,
  node_id: "",
  url: "",
  html_url: "",
  author: { name: "Tip \u001b[31mAuthor", email: "", date: "2026-01-02T03:04:05Z" },
  committer: { name: "", email: "", date: "2026-01-02T03:04:05Z" },
  message: `Tip of ${Number.parseInt(sha, 16)}\u001b[2J`,
  tree: { url: "", sha: hex(9) },
  parents: [],
  verification: { verified: false, reason: "unsigned", signature: null, payload: null }
})

const comparison = {
  ...Object.fromEntries(["url", "html_url", "permalink_url", "diff_url", "patch_url"].map((name) => [name, ""])),
  base_commit: commits[9],
  merge_base_commit: commits[9],
  status: "diverged",
  ahead_by: 3,
  behind_by: 2,
  total_commits: 3,
  commits: [commits[1], commits[0]],
  files: []
}

const detail = { protection: {}, protection_url: "" }

/** Responses of branches and comparisons; `requests` are the paths that were requested. */
const forge = () => {
  const requests: Array<string> = []
  return {
    requests,
    onRequest: (path: string) => requests.push(path),
    respond: (path: string) => {
      const sha = /\/git\/commits\/(\w+)$/.exec(path)?.[1]
      if (sha !== undefined) return { status: 200, body: gitCommit(sha) }
      return path.includes("/compare/") ? { status: 200, body: comparison } : undefined
    }
  }
}

describe("code screens", () => {
  it.live("opens a commit, its files and its parent", () =>
    Effect.gen(function* () {
      const driver = yield* ModelDriver.start({}, 100, 30)
      yield* driver.until("Commit number 0")
      driver.press("j", "enter")
      yield* driver.until("Evil ␛[2J subject␇ with escapes", "3 files changed  +3 -1")
      driver.press("]")
      yield* driver.until("src/index.ts (1/3)")
      driver.press("j", "j", "j", "j", "enter")
      yield* driver.until("export const line2 = 2")
      driver.press("escape")
      yield* driver.until("src/index.ts (1/3)")
      driver.press("]", "]", "j", "y", "y")
      yield* driver.until("line 0 sent to the clipboard")
      assert.deepStrictEqual(driver.copied, ["line 0"])
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("shows the number of a file whose path does not fit into the status line", () =>
    Effect.gen(function* () {
      const filename = `${"deep/".repeat(8)}engine.ts`
      const changed = {
        sha: hex(7),
        filename,
        status: "added",
        additions: 1,
        deletions: 0,
        changes: 1,
        patch: "@@ -0,0 +1 @@\n+one"
      }
      const urls = { blob_url: null, raw_url: null, contents_url: "" }
      const driver = yield* ModelDriver.start(
        {
          respond: (path) =>
            /\/commits\/\w+$/.test(path)
              ? {
                  status: 200,
                  body: {
                    ...commits[1],
                    stats: { additions: 1, deletions: 0, total: 1 },
                    files: [{ ...changed, ...urls }]
                  }
                }
              : undefined
        },
        40,
        30
      )
      yield* driver.until("Commit number 0")
      driver.press("j", "enter")
      yield* driver.until("1 file changed")
      driver.press("]")
      yield* driver.until("/engine.ts (1/1)")
    }).pipe(Effect.scoped)
  )

  it.effect("labels the commits of branches and tags", () =>
    Effect.gen(function* () {
      const labelled = {
        name: "evil\u001b[2J",
        commit: { sha: commits[3]?.sha, url: "" },
        protected: false
      }
      const driver = yield* ModelDriver.start({
        respond: (path) => (path.endsWith("/branches") ? { status: 200, body: [labelled] } : undefined)
      })
      yield* driver.until("Commit number 3")
      yield* driver.untilLater("[evil␛[2J] Commit number 3")
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.effect("shows the latest commit and the distance of each branch once", () =>
    Effect.gen(function* () {
      const { requests, ...options } = forge()
      const driver = yield* ModelDriver.start(options, 100, 24)
      yield* driver.until("Commit number 0")
      driver.press("tab")
      yield* driver.until("release/1.x")
      assert.isFalse(requests.some((path) => path.includes("/git/commits/")))
      yield* driver.untilLater("↑3 ↓2")
      const [, , , first] = driver.text()
      assert.match(first ?? "", /main +default protected +Tip of 1␛\[2J +Tip ␛/)
      driver.press("j", "k", "j")
      yield* driver.untilLater("2/4 branches")
      const details = requests.filter((path) => /\/(git\/commits|compare)\//.test(path))
      assert.deepStrictEqual(details.length, new Set(details).size)
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("deletes the tag under the cursor, and creates it again at the same object", () =>
    Effect.gen(function* () {
      const tag = { name: "v1.0", commit: { sha: hex(1), url: "" } }
      const ref = { ref: "refs/tags/v1.0", node_id: "", url: "", object: { type: "tag", sha: hex(2), url: "" } }
      const { respond } = forge()
      const created: Array<unknown> = []
      const driver = yield* ModelDriver.start({
        respond: (path, _query, { body, method }) => {
          if (path.endsWith("/tags")) return { status: 200, body: [tag] }
          if (method === "DELETE") return { status: 204, body: undefined }
          if (method === "POST") created.push(body)
          return /\/git\/refs?\b/.test(path) ? { status: method === "POST" ? 201 : 200, body: ref } : respond(path)
        }
      })
      yield* driver.until("Commit number 0")
      driver.press("tab", "tab")
      yield* driver.until("v1.0")
      driver.press("D")
      yield* driver.until("Delete this tag", "u creates it again", "Enter confirms")
      driver.press("enter")
      yield* driver.until("Done: delete this tag: v1.0. u undoes it")
      driver.press("u")
      yield* driver.until("Done: create a reference: refs/tags/v1.0. u undoes it")
      assert.deepStrictEqual(created, [{ ref: "refs/tags/v1.0", sha: hex(2) }])
      driver.press("u")
      yield* driver.until("Delete a reference", "Enter confirms")
      driver.press("escape", "q")
    }).pipe(Effect.scoped)
  )

  it.live("deletes nothing if the branch cannot be read, because the deletion could not be undone", () =>
    Effect.gen(function* () {
      const methods: Array<string> = []
      const { respond } = forge()
      const driver = yield* ModelDriver.start({
        onRequest: (_path, method) => methods.push(method),
        respond: (path) =>
          path.includes("/git/ref/") ? { status: 404, body: { message: "Not Found" } } : respond(path)
      })
      yield* driver.until("Commit number 0")
      driver.press("tab")
      yield* driver.until("release/1.x")
      driver.press("j", "D", "enter")
      yield* driver.until("Not found")
      assert.notInclude(methods, "DELETE")
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("starts a new branch at the selected commit", () =>
    Effect.gen(function* () {
      const driver = yield* ModelDriver.start()
      yield* driver.until("Commit number 0")
      driver.press("j", "c")
      yield* driver.until("New branch here", commits[1]?.sha ?? "")
      driver.press("escape", "q")
    }).pipe(Effect.scoped)
  )

  it.live("shows the default branch first if its page is not loaded", () =>
    Effect.gen(function* () {
      const names = Array.from(
        { length: 250 },
        (_, index) => `${index < 150 ? "b" : "z"}${String(index).padStart(3, "0")}`
      )
      const all = [...names.slice(0, 150), "main", ...names.slice(150)].map((name, index) => ({
        name,
        commit: { sha: hex(index + 1), url: "" },
        protected: false
      }))
      const main = all[150]
      const { respond } = forge()
      const driver = yield* ModelDriver.start(
        {
          respond: (path, query) => {
            if (path.endsWith("/branches")) return page(path, query, all)
            if (!path.endsWith("/branches/main")) return respond(path)
            const commit = { ...commits[0], sha: main?.commit.sha }
            return { status: 200, body: { ...main, commit, _links: { self: "", html: "" }, ...detail } }
          }
        },
        100,
        24
      )
      yield* driver.until("Commit number 0")
      driver.press("tab")
      yield* driver.until("1/251 branches", "main", "b000")
      assert.match(driver.text()[3] ?? "", /main +default/)
      driver.press("G")
      yield* driver.until("251/251 branches", "❯ z249")
      driver.press("g", "j")
      yield* driver.until("2/251 branches", "❯ b000")
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.effect("stops loading distances on a remote forge after the first 20", () =>
    Effect.gen(function* () {
      const { requests, ...options } = forge()
      const branches = Array.from({ length: 60 }, (_, index) => ({
        name: index === 0 ? "main" : `branch-${index}`,
        commit: { sha: hex(index + 1), url: "" },
        protected: false
      }))
      const respond = (path: string) =>
        path.endsWith("/branches") ? { status: 200, body: branches } : options.respond(path)
      const driver = yield* ModelDriver.start({ ...options, respond, kind: "remote" }, 100, 44)
      yield* driver.until("Commit number 0")
      driver.press("tab")
      yield* driver.until("branch-30")
      yield* driver.untilLater("Tip of 31")
      yield* driver.untilLater("↑3")
      driver.press("G")
      yield* driver.untilLater("Tip of 60")
      assert.isAtMost(requests.filter((path) => path.includes("/compare/")).length, 20)
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("shows a file with its last commits and its outline, and opens a commit at the file", () =>
    Effect.gen(function* () {
      const range = { commit: commits[2]?.sha, date: "2026-01-02T03:04:05Z", summary: "", author: "Mona Lisa" }
      const respond = (path: string) => {
        if (path.includes("/blame/")) return { status: 200, body: { ranges: [{ ...range, from: 1, to: 80 }] } }
        if (!path.includes("/outline/")) return undefined
        const symbols = [5, 30].map((line) => ({ name: `line${line}`, kind: "constant", line }))
        return { status: 200, body: { symbols } }
      }
      const driver = yield* ModelDriver.start({ respond }, 160, 30)
      yield* driver.until("Commit number 0")
      driver.press("tab", "tab", "tab")
      yield* driver.until("README.md", "src/")
      driver.press("enter")
      yield* driver.until("data.bin")
      driver.press("j", "enter")
      yield* driver.until("line5  constant", "Mona Lisa")
      driver.press("]")
      yield* driver.until("5/80 lines  line5 (1/2)")
      driver.press("enter")
      yield* driver.until("src/index.ts (1/3)", "+zwei")
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("asks a remote forge for the last commits of one file only if it has the extension", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const driver = yield* ModelDriver.start({ kind: "remote", onRequest: (path) => requests.push(path) }, 80, 30)
      yield* driver.until("Commit number 0")
      driver.press("tab", "tab", "tab")
      yield* driver.until("src/")
      driver.press("enter")
      yield* driver.until("none.txt")
      driver.press("j", "enter")
      yield* driver.until("export const line1 = 1")
      driver.press("escape")
      yield* driver.until("none.txt")
      const asked = requests.filter((path) => path.includes("/tongs/")).length
      driver.press("escape")
      yield* driver.until("README.md")
      driver.press("j", "j", "enter")
      yield* driver.until("# Hello")
      assert.strictEqual(requests.filter((path) => path.includes("/tongs/")).length, asked)
      driver.press("q")
    }).pipe(Effect.scoped)
  )

  it.live("opens the tree of a commit object, and a file of the tree", () =>
    Effect.gen(function* () {
      const entryOf = (type: string, path: string, index: number) => ({ path, mode: "100644", type, sha: hex(index) })
      const blob = { sha: hex(21), node_id: "", url: "", size: 4, encoding: "base64" }
      const respond = (path: string) => {
        if (path.includes("/git/commits/")) return { status: 200, body: gitCommit(hex(5)) }
        if (path.includes("/git/blobs/"))
          return { status: 200, body: { ...blob, content: Buffer.from("text\u001b[2J").toString("base64") } }
        if (!path.includes("/git/trees/")) return undefined
        const tree = [entryOf("blob", "evil\u001b]0;x\u0007.ts", 21), entryOf("tree", "src", 22)]
        return { status: 200, body: { sha: hex(9), tree, truncated: false } }
      }
      const values = { owner: "octo", repo: "hello", commit_sha: hex(5) }
      const routes = [{ screen: "gitCommits.get", arguments: values }]
      const session = { routes, split: 0.6, isPaneShown: true }
      const driver = yield* ModelDriver.start({ respond, session })
      yield* driver.until("Tip of 5␛[2J", "tree")
      driver.press("G", "k", "enter")
      yield* driver.until("evil␛]0;x␇.ts", "src/")
      driver.press("enter")
      yield* driver.until("1 text␛[2J")
      driver.press("q")
    }).pipe(Effect.scoped)
  )
})
