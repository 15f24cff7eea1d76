import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Deferred from "effect/Deferred"
import { folder, git, workTree } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "../sqlite/IndexDatabase.ts"
import { SearchWorker } from "./SearchWorker.ts"

const onLinux = it.live.skipIf(process.platform !== "linux")

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Descendants of a process with a word in the command line. */
const below = (pid: number | "self", word: string): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number))
    .flatMap((child) => [...(read(`/proc/${child}/cmdline`).includes(word) ? [child] : []), ...below(child, word)])

/** Reads the outline of a file that defines the class `Needle`. */
const outline = (thread: SearchWorker<"content">, path: string) =>
  thread.call("outline", {
    gitDir: join(path, ".git"),
    oid: git(path, ["hash-object", "-w", "--stdin"], "class Needle {\n"),
    path: "a.ts"
  })

describe("SearchWorker", () => {
  onLinux("leaves no git process behind, not even a zombie", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const thread = new SearchWorker("content")
      assert.deepStrictEqual(
        (yield* outline(thread, path)).map(({ name }) => name),
        ["Needle"]
      )
      const [pid = 0, ...others] = below("self", path)
      assert.isAbove(pid, 0)
      assert.deepStrictEqual(others, [])
      yield* thread.end
      assert.isFalse(existsSync(`/proc/${pid}`))
      assert.isFalse(thread.isAlive)
    })
  )

  onLinux("keeps the token out of the environment of child processes and their git", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      process.env["TONGS_TOKEN"] ??= "canary"
      const thread = new SearchWorker("content", { graceMillis: 25 })
      assert.lengthOf(yield* outline(thread, path), 1)
      const [pid = 0] = below("self", "search/worker.ts")
      const [child = 0] = below(pid, path)
      for (const one of [pid, child]) {
        const environment = readFileSync(`/proc/${one}/environ`, "utf8")
        assert.include(environment, "PATH=")
        assert.notInclude(environment, "TONGS_TOKEN")
      }
      yield* thread.end
      assert.isFalse(existsSync(`/proc/${child}`))
    })
  )

  it.live("fails pending calls when the thread crashes", () =>
    Effect.gen(function* () {
      const role: "reader" = JSON.parse('"none"') // crashes the worker at the start
      const thread = new SearchWorker(role)
      const error = yield* Effect.flip(thread.call("states", { shards: [] }))
      assert.include(error.message, "not a function")
      assert.isFalse(thread.isAlive)
      yield* thread.end
    })
  )

  it.live("releases the writer lease when it ends", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const files = Array.from({ length: 2_000 }, (_, at) => `M 100644 inline f${at}.ts\ndata 2\n${at % 10}\n`)
      const head = "commit refs/heads/many\ncommitter T <t@example.org> 0 +0000\ndata 1\nx\n"
      git(path, ["fast-import", "--quiet"], head + files.join("\n"))
      const data = join(yield* folder, "data")
      const thread = new SearchWorker("writer", { data })
      const begun = yield* Deferred.make<void>()
      const change = { shard: 1, gitDir: join(path, ".git"), pinned: [], commit: git(path, ["rev-parse", "many"]) }
      const applying = yield* Effect.forkChild(
        Effect.flip(thread.call("apply", change, () => Deferred.doneUnsafe(begun, Effect.void)))
      )
      yield* Deferred.await(begun)
      yield* thread.end
      assert.include((yield* Fiber.join(applying)).message, "was stopped")
      const database = IndexDatabase.open(IndexDatabase.fileIn(data))
      assert.strictEqual(database.prepare("SELECT count(*) AS n FROM writer").get()?.n, 0)
      database.close()
    })
  )
})
