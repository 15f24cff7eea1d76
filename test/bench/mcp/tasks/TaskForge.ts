/** The forge of the tasks: the demonstration's data and this repository's source at one commit. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as BenchmarkEnvironment from "../../BenchmarkEnvironment.ts"
import * as ProcessLauncher from "../../ProcessLauncher.ts"
import type { Get } from "./TaskRun.ts"

/** The commit of this repository that the tasks are about, and its tags in the forge. */
const COMMIT = "12547feca05422c81eff2a1aa02ff1bcbc71396b"
const tags = { "v1.0.0": `${COMMIT}~12`, "v1.1.0": `${COMMIT}~4` }

const decodeFixtures = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.StructWithRest(Schema.Struct({ repositories: Schema.Array(Schema.Unknown) }), [
      Schema.Record(Schema.String, Schema.Unknown)
    ])
  )
)

/** The user whose agent does the tasks, and the scopes of the token. */
const USER = "ada"
const scopes = ["repo", "workflow", "delete_repo", "user", "admin:org", "admin:repo_hook", "admin:org_hook"]

interface Fixtures {
  readonly file: string
  readonly token: string
}

/** Creates the repository and a fixture file in a folder. */
const create = (folder: string): Fixtures => {
  mkdirSync(folder)
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" })
  git("init", "--quiet", "--bare", "--initial-branch=main", "tongs.git")
  git("--git-dir=tongs.git", "fetch", "--quiet", "--no-tags", BenchmarkEnvironment.root, COMMIT)
  git("--git-dir=tongs.git", "update-ref", "refs/heads/main", COMMIT)
  for (const [name, commit] of Object.entries(tags)) git("--git-dir=tongs.git", "tag", name, commit)
  const demonstration = join(BenchmarkEnvironment.root, "apps/cli/fixtures")
  cpSync(join(demonstration, "demo"), join(folder, "demo"), { recursive: true })
  const demo = decodeFixtures(readFileSync(join(demonstration, "demo.json"), "utf8"))
  const file = join(folder, "fixtures.json")
  const token = randomBytes(20).toString("hex")
  writeFileSync(
    file,
    JSON.stringify({
      ...demo,
      tokens: [{ token, user: USER, scopes }],
      repositories: [...demo.repositories, { full_name: `${USER}/tongs`, git: "tongs.git" }]
    })
  )
  return { file, token }
}

export interface TaskForge {
  readonly url: string
  readonly user: string
  readonly token: string
  readonly get: Get
}

/** Runs a new forge with the fixtures until the scope closes, and waits until the code is indexed. */
export const serve = Effect.fnUntraced(function* (home: string, dialect: "service" | "github") {
  const fixtures = create(join(home, "fixtures"))
  const { url } = yield* ProcessLauncher.serve({
    home,
    data: join(home, "data"),
    flags: ["--limits", "spec", "--dialect", dialect, "--fixtures", fixtures.file]
  })
  const headers = { authorization: `token ${fixtures.token}` }
  const get: Get = async (path) => {
    const response = await fetch(`${url}${path}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  yield* BenchmarkEnvironment.tryPromise(async () => {
    for (let tries = 0; tries < 120; tries++) {
      const { text } = await get(`/search/code?q=collectionRules+repo:${USER}/tongs`)
      if (text.includes("Relations.ts")) return
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    throw new Error("the code index is not complete after a minute")
  })
  return { url, user: USER, token: fixtures.token, get } satisfies TaskForge
})
