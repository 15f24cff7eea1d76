import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** Effects to run before the removal of a temporary folder. */
export const removing: Array<(path: string) => Effect.Effect<void>> = []

/** A temporary folder that is removed after the test. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-git-"))),
  (path) =>
    Effect.andThen(
      Effect.forEach(removing, (remove) => remove(path), { discard: true }),
      Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
)

const identity = { GIT_AUTHOR_DATE: "1700000000 +0100", GIT_COMMITTER_DATE: "1700000000 +0100", LC_ALL: "C" }

/** Runs real git in a folder and gives its output without the last line feed. */
export const git = (cwd: string, args: ReadonlyArray<string>, input?: string | Uint8Array): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd,
    input: input ?? "",
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", ...identity }
  })
    .toString()
    .replace(/\n$/, "")

/** A repository with a work tree, on branch `main`, with a first commit of `a.txt`. */
export const workTree = Effect.map(folder, (path) => {
  git(path, ["init", "--quiet", "--initial-branch=main"])
  commit(path, { "a.txt": "one\n" }, "first")
  return path
})

/** Commits files and gives the commit id. */
export const commit = (path: string, files: Readonly<Record<string, string>>, message: string): string => {
  const entries = Object.entries(files).map(
    ([name, content]) => `100644 ${git(path, ["hash-object", "-w", "--stdin"], content)}\t${name}\0`
  )
  if (entries.length > 0) git(path, ["update-index", "--add", "-z", "--index-info"], entries.join(""))
  git(path, ["commit", "--quiet", "--allow-empty", "-m", message])
  return git(path, ["rev-parse", "HEAD"])
}

/** Commits files to `main` as `commit` does with the message `first`, in one process. The index is unchanged. */
export const firstCommit = (path: string, files: Readonly<Record<string, string>>): void => {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  // The quotes and escapes of git are those of JSON.
  const changes = Object.entries(files).map(
    ([name, content]) => `M 100644 inline ${JSON.stringify(name)}\n${data(content)}`
  )
  const committer = "committer Test <test@example.org> 1700000000 +0100"
  git(path, ["fast-import", "--quiet"], `commit refs/heads/main\n${committer}\n${data("first\n")}${changes.join("")}`)
}

/** Creates `count` empty commits on a branch with `git fast-import`. */
export const manyCommits = (path: string, branch: string, count: number): void => {
  const commits = Array.from({ length: count }, (_, index) =>
    [
      `commit refs/heads/${branch}`,
      `committer Test <test@example.org> ${1_600_000_000 + index} +0000`,
      `data ${String(index).length}`,
      String(index),
      ""
    ].join("\n")
  )
  git(path, ["fast-import", "--quiet"], commits.join(""))
}

/** Commits many small files to a branch with `git fast-import` and gives the commit id. */
export const manyFiles = (path: string, branch: string, names: ReadonlyArray<string>): string => {
  const tip = git(path, ["rev-parse", branch])
  const head = `commit refs/heads/${branch}\nmark :2\ncommitter Test <test@example.org> 1600000000 +0000\ndata 4\nmany\nfrom ${tip}\n`
  const files = names.map((name) => `M 100644 :1 ${name}\n`)
  git(path, ["fast-import", "--quiet"], `blob\nmark :1\ndata 3\nhi\n\n${head}${files.join("")}\n`)
  return git(path, ["rev-parse", branch])
}
