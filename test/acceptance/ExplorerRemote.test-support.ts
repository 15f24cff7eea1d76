/** A remote forge in the github dialect without Tongs' extensions, and an explorer for it. */
import * as Fs from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { launch } from "./ExplorerBrowser.test-support.ts"
import { startProxy } from "./ExplorerClone.test-support.ts"
import { git, serve } from "./ForgeProcess.test-support.ts"
import { shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const token = `ghp_${"remote".repeat(6)}`

/** Number of commits that change `src/buoy.c`. */
export const COMMITS = 32

/** The C file after a number of commits: each adds a function at the end and changes the first line. */
const source = (count: number): string => {
  const functions = Array.from({ length: count }, (_, at) => `int ring${at}(void)\n{\n\treturn ${at};\n}\n`)
  return `/* Version ${count}. */\nenum tone { LOW, HIGH };\n\n${functions.join("\n")}`
}

const blob = (path: string, text: string) => `M 644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`

const commits = (): string =>
  Array.from({ length: COMMITS }, (_, at) => {
    const message = `Add ring ${at}`
    const others =
      at === 0 ? blob("README.md", "# Buoys\n\nThey *ring*.\n") + blob("src/tide.py", "def tide():\n  pass\n") : ""
    return `commit refs/heads/main\nauthor Ann <ann@example.com> ${1_700_000_000 + at * 86_400} +0000\ncommitter Ann <ann@example.com> ${1_700_000_000 + at * 86_400} +0000\ndata ${message.length}\n${message}\n${others}${blob("src/buoy.c", source(at + 1))}`
  }).join("")

/** Starts the forge, behind a proxy that records the requests, and the explorer. Both end with the test. */
export const start = async () => {
  const root = temporaryFolder()
  const path = join(root, "buoys.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  git(path, ["fast-import", "--quiet"], commits())
  git(path, ["tag", "v1", "main~2"])
  Fs.mkdirSync(join(root, "repos"))
  Fs.writeFileSync(
    join(root, "fixtures.json"),
    JSON.stringify({
      users: [{ login: "ann" }],
      tokens: [{ token: token, user: "ann", kind: "classic", scopes: ["repo"] }],
      repositories: [{ full_name: "ann/buoys", git: path }]
    })
  )
  const proxy = await startProxy((path) => path.includes("/tongs/"))
  const fixtures = ["--fixtures", join(root, "fixtures.json"), "--public-url", proxy.url]
  const forge = await serve(root, "--dialect", "github", "--limits", "spec", ...fixtures)
  proxy.forwardTo(forge.url)
  const explorer = await launch(["--url", proxy.url], { TONGS_TOKEN: token })
  onTestFinished(explorer.close)
  const blame = git(path, ["blame", "-s", "-l", "--root", "main", "--", "src/buoy.c"])
  return {
    explorer,
    answers: proxy.answers,
    blame: blame.split("\n").map((line) => line.slice(0, 40)),
    /** Runs the command against the forge. */
    tongs: (...args: ReadonlyArray<string>) =>
      shell().tongs(["--url", proxy.url, "--dialect", "github", ...args], { env: { TONGS_TOKEN: token } })
  }
}

/** Checks that the forge refused no request because of a limit. */
export const expectNoRefusal = (answers: ReadonlyArray<{ readonly status: number }>): void =>
  assert.deepStrictEqual(
    answers.filter(({ status }) => status === 403 || status === 429),
    []
  )
