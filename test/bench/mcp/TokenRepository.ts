/** The repository about which the tool servers are asked. The content never changes, so that tokens can be compared. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const OWNER = "mona"
export const NAME = "library"
export const COMMITS = 310

const areas = ["api", "cache", "client", "events", "git", "limits", "paging", "query", "search", "storage"]
const nouns = ["Request", "Response", "Token", "Window", "Cursor", "Snapshot", "Posting", "Lease", "Worker", "Queue"]
const verbs = ["Parser", "Printer", "Store"]

/** Paths of the 300 files. Each name is unique, so that an answer can be checked for a name. */
export const paths: ReadonlyArray<string> = areas.flatMap((area) =>
  nouns.flatMap((noun) => verbs.map((verb) => `src/${area}/${capitalize(area)}${noun}${verb}.ts`))
)

function capitalize(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

/** The name that one line of each of the `hits` contains. */
export const SEARCHED = "retryLimit"
export const hits: ReadonlyArray<string> = paths.filter((_, index) => index % 10 === 3)

export const artifacts: ReadonlyArray<string> = ["coverage-report", "linux-x64", "macos-arm64"]
/** The workflow run that has the artifacts. */
export const RUN = 41

const changes = [
  "accept a list of owners in the query",
  "close the socket when the client goes away",
  "count a 304 response as half a request",
  "explain which scope a token lacks",
  "keep the cursor valid after a restart",
  "read large files in parts",
  "remove the deprecated option",
  "return an empty page instead of an error",
  "wait for the window before the next attempt",
  "write the index in one transaction"
]
const authors = ["Mona Lisa <mona@example.com>", "Grace Hopper <grace@example.com>", "Ada Fenwick <ada@example.com>"]

/** Returns the first line of the message of a commit: `limits: read large files in parts (42)`. */
export const subject = (commit: number): string =>
  `${areas[commit % areas.length]}: ${changes[(commit * 7) % changes.length]} (${commit})`

const content = (path: string, commit: number) => {
  const name = path.slice(path.lastIndexOf("/") + 1, -".ts".length)
  const option = hits.includes(path) ? `, ${SEARCHED} = 3` : ""
  return `/** Creates the ${name}. */\nexport const make${name} = (id: number${option}) => ({ id, version: ${commit} })\n`
}

const file = (path: string, commit: number) => {
  const text = content(path, commit)
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
}

/** One commit every seven hours, from the beginning of 2025. */
const date = (commit: number) => `${1_735_700_000 + commit * 25_200} +0000`

/** The commits for `git fast-import`: all files in the first, one changed file in each later commit. */
const stream = () =>
  Array.from({ length: COMMITS }, (_, commit) => {
    const message = `${subject(commit)}\n`
    const author = `${authors[commit % authors.length]} ${date(commit)}`
    const changed = commit === 0 ? paths : [paths[(commit * 11) % paths.length] ?? ""]
    return `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\ndata ${message.length}\n${message}${changed
      .map((path) => file(path, commit))
      .join("")}\n`
  }).join("")

/** Creates the repository and a fixture file in a folder. Returns the path of the fixture file. */
export const create = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  const repository = join(folder, "library.git")
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", repository], { env })
  execFileSync("git", ["-C", repository, "fast-import", "--quiet"], { env, input: stream() })
  writeFileSync(join(folder, "artifact.txt"), "The content of an artifact.\n")
  const fixtures = join(folder, "fixtures.json")
  writeFileSync(
    fixtures,
    JSON.stringify({
      users: [{ login: OWNER, name: "Mona Lisa", email: "mona@example.com" }],
      repositories: [{ full_name: `${OWNER}/${NAME}`, git: "library.git" }],
      artifacts: artifacts.map((name) => ({
        repository: `${OWNER}/${NAME}`,
        name,
        file: "artifact.txt",
        workflow_run: { id: RUN },
        created_at: "now-2d",
        expires_at: "now+88d"
      }))
    })
  )
  return fixtures
}
