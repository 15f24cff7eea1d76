/**
 * Kills a forge during writes of the index: the first build, a push, and the maintenance after a push. The next start
 * opens the index and completes the update, and searches find the files that `git grep` finds.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

/** An index at one commit, and the commit to which the killed process updates it. */
interface Update {
  readonly name: "build" | "push" | "maintenance"
  /** Copy of the data folder before the update. Empty for the first build. */
  readonly data: string
  readonly commit: string
  /** Milliseconds of the update without interruption. */
  readonly millis: number
}

const text = (number: number, round: number) =>
  `export const value${number} = "word${number % 29} round${round}"\n`.repeat(20) + `last${number * 31 + round}\n`

/** Words of many files and of few, also of files that a later commit replaces. */
const words = ["word3", "round5", "round14", "value77", "last1041"]

/** Numbers of the files of each commit. */
const commits: ReadonlyArray<readonly [from: number, count: number]> = [
  [0, 3_000],
  // Each of these becomes a small segment.
  ...Array.from({ length: 12 }, (_, at) => [at * 150, 1_010] as const),
  // These commits are stored by document. The last one exceeds the limit: all become a segment, and segments are merged.
  [500, 900],
  [200, 300]
]

const createRepository = (path: string): ReadonlyArray<string> => {
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  const input = commits.map(([from, count], round) => {
    const files = Array.from({ length: count }, (_, at) => {
      const content = text(from + at, round)
      return `M 100644 inline src/${(from + at) % 40}/file${from + at}.ts\ndata ${content.length}\n${content}`
    })
    const committer = `committer T <t@example.org> ${1_700_000_000 + round} +0000`
    return `commit refs/heads/main\n${committer}\ndata 1\nx\n${files.join("\n")}\n\n`
  })
  execFileSync("git", ["-C", path, "fast-import", "--quiet"], { input: input.join("") })
  return git(path, ["rev-list", "--reverse", "main"]).split("\n")
}

const find = async ({ token, url }: ForgeProcess, word: string): Promise<ReadonlyArray<string>> => {
  const response = await fetch(`${url}/tongs/search?q=${word}+in:file&limit=1000&deadline=60000`, {
    headers: { authorization: `Bearer ${token}`, "user-agent": "test" }
  })
  const events: ReadonlyArray<SearchEvent> = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  const last = events.at(-1)
  expect(last?._tag).toBe("Done")
  expect(last?._tag === "Done" ? last.incomplete : []).not.toContain("failed")
  return events.flatMap((event) => (event._tag === "File" ? [event.path] : [])).toSorted()
}

/** Returns the files that `git grep` finds. Exit code 1 means no match. */
const grep = (path: string, word: string): ReadonlyArray<string> => {
  const { status, stdout } = spawnSync("git", ["-C", path, "grep", "-l", "-i", "-F", word, "main"], {
    encoding: "utf8"
  })
  if (status !== 0 && status !== 1) throw new Error(`git grep ended with ${status}`)
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^main:/, ""))
    .toSorted()
}

const expectAnswers = async (serving: ForgeProcess, path: string) => {
  for (const word of words) expect(await find(serving, word), word).toEqual(grep(path, word))
}

const waitUntilReady = async (serving: ForgeProcess, commit: string) => {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) {
    const { repositories } = (await request(serving, "GET", "/tongs/index")).json
    if (repositories[0]?.state === "ready" && repositories[0].commit === commit) return
  }
  throw new Error(`the index is not at ${commit} after 60 seconds`)
}

/** Returns the indexed commit, and checks the file. Undefined if the index does not exist yet. */
const inspect = (data: string): string | undefined => {
  try {
    const database = new DatabaseSync(IndexDatabase.fileIn(data))
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    const row = database.prepare("SELECT commit_id FROM repositories").get()
    database.close()
    return row === undefined ? undefined : String(row["commit_id"])
  } catch (error) {
    if (error instanceof Error && /unable to open|no such table/.test(error.message)) return undefined
    throw error
  }
}

/** Kills the forge a number of times during index writes, and checks the index after each. */
export const expectIndexRecovery = async (times: number) => {
  const root = temporaryFolder()
  const [path, data] = [join(root, "repos", "code"), join(root, "data")]
  const all = createRepository(path)
  const moveTo = (commit: string) => git(path, ["update-ref", "refs/heads/main", commit])
  const start = () => serve(root, "--search-deadline", "60000")

  // Applies the commits without interruption, and copies the data before the interesting ones.
  const updates: Array<Update> = []
  let previous = join(root, "empty")
  mkdirSync(previous)
  const named = new Map<number, Update["name"]>([
    [0, "build"],
    [13, "push"],
    [14, "maintenance"]
  ])
  let serving: ForgeProcess | undefined
  for (const [at, commit] of all.entries()) {
    const name = named.get(at)
    moveTo(commit)
    if (name !== undefined) {
      await serving?.kill("SIGTERM")
      previous = join(root, `before-${name}`)
      mkdirSync(data, { recursive: true })
      cpSync(data, previous, { recursive: true })
      serving = undefined
    }
    serving ??= await start()
    const begun = performance.now()
    const answers = find(serving, "word3")
    await waitUntilReady(serving, commit)
    // The maintenance begins a second after the update.
    if (name === "maintenance") await sleep(1_500)
    if (name !== undefined) updates.push({ name, data: previous, commit, millis: performance.now() - begun })
    await answers
  }
  await serving?.kill("SIGTERM")

  const interrupted = new Set<string>()
  for (let round = 0; round < times; round++) {
    const update = updates[round % updates.length]
    if (update === undefined) throw new Error("no update")
    rmSync(data, { recursive: true, force: true })
    cpSync(update.data, data, { recursive: true })
    moveTo(update.commit)
    const killed = await start()
    const answer = find(killed, "word3").catch(() => [])
    // Covers all parts of the update in turn.
    await sleep(update.millis * ((round + Math.random()) / times))
    await killed.kill("SIGKILL")
    await answer
    if (inspect(data) !== update.commit) interrupted.add(update.name)
    const next = await start()
    await expectAnswers(next, path)
    await waitUntilReady(next, update.commit)
    await expectAnswers(next, path)
    await next.kill("SIGTERM")
    expect(inspect(data)).toBe(update.commit)
  }
  // Otherwise the kills came too late to test anything.
  expect(interrupted.size).toBeGreaterThan(0)
}
