/** Real repositories of many commits, built once with `git fast-import` and cached in the temporary folder. */
import * as ChildProcess from "node:child_process"
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import { history } from "./LargeRepositoryHistory.test-support.ts"

export { contents } from "./LargeRepositoryHistory.test-support.ts"

/** The number of commits on `main`. */
export type Size = 1_000 | 12_000 | 100_000

/** The sources that determine the content, so that a change of them builds new repositories. */
const sources = ["LargeRepository", "LargeRepositoryFiles", "LargeRepositoryHistory"].map((name) =>
  Fs.readFileSync(Path.join(import.meta.dirname, `${name}.test-support.ts`), "utf8")
)
const digest = createHash("sha256").update(sources.join("")).digest("hex").slice(0, 12)

/**
 * Returns the path of a repository with a work tree, named `aurora`, with the `contents`. All tests share the
 * repository: clone it for changes.
 */
export const get = (commits: Size): Effect.Effect<string> => Effect.promise(() => build(commits))

const build = async (commits: number): Promise<string> => {
  const folder = Path.join(Os.tmpdir(), `tongs-repository-${commits}-${digest}`)
  const path = Path.join(folder, "aurora")
  if (Fs.existsSync(folder)) return path
  const unfinished = Fs.mkdtempSync(`${folder}-`)
  try {
    await write(Path.join(unfinished, "aurora"), commits)
    Fs.renameSync(unfinished, folder)
  } catch (error) {
    Fs.rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
    // Another process was faster.
    if (!Fs.existsSync(folder)) throw error
  }
  return path
}

const write = async (path: string, commits: number) => {
  const environment = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: Os.devNull, GIT_CONFIG_SYSTEM: Os.devNull }
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-C", path, ...args], {
      env: environment,
      stdio: ["ignore", "ignore", "inherit"]
    })
  Fs.mkdirSync(path)
  git("init", "--quiet", "--initial-branch=main")
  const importer = ChildProcess.spawn("git", ["-C", path, "fast-import", "--quiet", "--done"], {
    env: environment,
    stdio: ["pipe", "ignore", "inherit"]
  })
  const ended = new Promise<void>((resolve, reject) =>
    importer
      .once("error", reject)
      .once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`git fast-import ended with ${code}`))))
  )
  await Promise.all([pipeline(Readable.from(history(commits), { objectMode: true }), importer.stdin), ended])
  // Only the branches and tags stay, as in a clone.
  git("update-ref", "-d", "refs/topic")
  git("pack-refs", "--all")
  git("reset", "--quiet", "--hard", "main")
}
