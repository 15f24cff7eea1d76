/** Creates equal data for both forges: real repositories for `tongs`, records for `emulate`. */
import { spawn } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

export const counts = { repositories: 40, branches: 40, commits: 100 } as const

/** The message of the emulator's process after the set-up. */
export const EmulatorInfo = Schema.Struct({
  url: Schema.String,
  owner: Schema.String,
  sha: Schema.String,
  tokens: Schema.Array(Schema.String)
})

/** Creates repositories in a folder of `home`. Returns the head of `bench`, which has branches and a history. */
export const repositories = Effect.fnUntraced(function* (home: string) {
  const names = ["bench", ...Array.from({ length: counts.repositories - 1 }, (_, index) => `other-${index}`)]
  for (const name of names) {
    const path = `${home}/repositories/${name}.git`
    mkdirSync(path, { recursive: true })
    yield* BenchmarkEnvironment.runCommand("git", ["init", "--quiet", "--bare", "--initial-branch=main", path])
    yield* name === "bench" ? fastImport(path, counts.commits, counts.branches) : fastImport(path, 1, 1)
  }
  const sha = yield* BenchmarkEnvironment.runCommand("git", [
    "-C",
    `${home}/repositories/bench.git`,
    "rev-parse",
    "main"
  ])
  return { sha: sha.trim() }
})

export const MANY_REPOSITORIES = 400

/** Creates repositories without commits in a folder of `home`. */
export const emptyRepositories = Effect.fnUntraced(function* (home: string) {
  const first = `${home}/repositories/empty-0.git`
  mkdirSync(first, { recursive: true })
  yield* BenchmarkEnvironment.runCommand("git", ["init", "--quiet", "--bare", "--initial-branch=main", first])
  for (let index = 1; index < MANY_REPOSITORIES; index++) {
    cpSync(first, `${home}/repositories/empty-${index}.git`, { recursive: true })
  }
})

/** Imports a linear history, with one changed file per commit and all branches at the last commit. */
const fastImport = (path: string, commits: number, branches: number) =>
  Effect.callback<void, BenchmarkEnvironment.BenchmarkError>((resume) => {
    const git = spawn("git", ["-C", path, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] })
    git.on("error", (error) =>
      resume(Effect.fail(new BenchmarkEnvironment.BenchmarkError({ detail: `git: ${error.message}` })))
    )
    git.on("close", (code) =>
      resume(
        code === 0
          ? Effect.void
          : Effect.fail(new BenchmarkEnvironment.BenchmarkError({ detail: `git fast-import: ${code}` }))
      )
    )
    const stream = Array.from({ length: commits }, (_, index) => {
      const message = `Change ${index} of the file\n\nWith a body, as commits have one.\n`
      const content = `line ${index}\n`
      const date = 1_700_000_000 + index * 60
      return [
        "commit refs/heads/main",
        `author Ada <ada@example.com> ${date} +0000`,
        `committer Ada <ada@example.com> ${date} +0000`,
        `data ${message.length}\n${message}M 100644 inline file-${index % 10}.txt`,
        `data ${content.length}\n${content}`
      ].join("\n")
    })
    const heads = Array.from(
      { length: branches - 1 },
      (_, index) => `reset refs/heads/branch-${index}\nfrom refs/heads/main\n`
    )
    git.stdin.end([...stream, ...heads, "done\n"].join("\n"))
  })

const decodeLogin = Schema.decodeUnknownPromise(Schema.Struct({ login: Schema.String }))

/** The login of the token's user. */
export const loginOf = async (url: string, token: string): Promise<string> => {
  const response = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${token}` } })
  return (await decodeLogin(await response.json())).login
}
