/** Files in the editor: an edit that becomes a commit, and the file on disk. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

const GREETING = "hello\r\nworld\r\n"

const gitIn =
  (folder: string) =>
  (...args: ReadonlyArray<string>): string =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" }
    })

/** Creates a repository with a file with CRLF, and a scripted editor. */
const repository = (home: string) => {
  const folder = Path.join(home, "greeting")
  const git = gitIn(folder)
  Fs.mkdirSync(folder)
  Fs.writeFileSync(Path.join(folder, "greeting.txt"), GREETING)
  Fs.writeFileSync(Path.join(folder, "outside.txt"), "first\nsecond\nthird\n")
  git("init", "--quiet", "--initial-branch=main")
  git("add", ".")
  git("commit", "--quiet", "--message=Add a greeting")
  // Records the arguments, and changes the file as another script says.
  Fs.writeFileSync(
    Path.join(home, "nano"),
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${home}/arguments\nfor file; do :; done\n. ${home}/change\n`,
    { mode: 0o755 }
  )
  return folder
}

/** Creates a repository without a work tree, whose branches can be moved. */
const bareRepository = (home: string) => {
  const folder = `${repository(home)}.git`
  gitIn(home)("clone", "--quiet", "--bare", "greeting", folder)
  return folder
}

/** Starts the terminal UI with an editor that runs a line of shell on `$file`. */
const start = (change: string, create = repository) =>
  Effect.gen(function* () {
    const shell = yield* TuiTerminal.startShell({ folder: create, columns: 110, rows: 30 })
    const { home } = shell
    Fs.writeFileSync(Path.join(home, "change"), `${change}\n`)
    shell.text(`EDITOR=${home}/nano NO_COLOR=1 node "$TONGS"`)
    shell.keys("Enter")
    yield* shell.waitFor("Add a greeting")
    const folder = Path.join(home, create === repository ? "greeting" : "greeting.git")
    const git = gitIn(folder)
    return {
      ...shell,
      folder,
      git,
      setChange: (next: string) => Fs.writeFileSync(Path.join(home, "change"), `${next}\n`)
    }
  })

/** Opens a file by the tab with the files. */
const openFile = Effect.fnUntraced(function* (
  shell: Pick<TuiTerminal.TuiTerminal, "keys" | "text" | "waitFor">,
  name: string,
  text: string
) {
  shell.keys("Tab", "Tab", "Tab")
  yield* shell.waitFor("greeting.txt", "outside.txt")
  shell.keys("/")
  shell.text(name)
  shell.keys("Enter", "Enter")
  yield* shell.waitFor(text)
})

describe.skipIf(!hasPrograms("tmux"))("files in the editor", () => {
  it.live("commits an edit beside the work tree on a new branch, and keeps CRLF", () =>
    Effect.gen(function* () {
      const shell = yield* start("printf 'again\\n' >> \"$file\"")
      yield* openFile(shell, "greeting", "world")
      shell.keys("m")
      yield* shell.waitFor("Commit greeting.txt", "+again", "beside the work tree", "update-greeting-txt")
      shell.keys("Enter", "Enter")
      yield* shell.waitFor("to the new branch update-greeting-txt")
      assert.strictEqual(shell.git("show", "update-greeting-txt:greeting.txt"), `${GREETING}again\r\n`)
      assert.strictEqual(shell.git("log", "-1", "--format=%s", "update-greeting-txt").trim(), "Update greeting.txt")
      assert.strictEqual(shell.git("status", "--porcelain"), "")
      assert.strictEqual(shell.git("show", "main:greeting.txt"), GREETING)
    }).pipe(Effect.scoped)
  )

  it.live("shows a change of others, commits both changes after another edit, and undoes it", () =>
    Effect.gen(function* () {
      const shell = yield* start('sed -i "s/first/FIRST/" "$file"', bareRepository)
      yield* openFile(shell, "outside", "second")
      shell.keys("m")
      yield* shell.waitFor("Commit outside.txt", "+FIRST", "branch    main")
      const blob = ChildProcess.execFileSync("git", ["hash-object", "-w", "--stdin"], {
        cwd: shell.folder,
        input: "first\nsecond\nthird\nfourth\n",
        encoding: "utf8"
      }).trim()
      const files = shell.git("ls-tree", "main").replace(/[0-9a-f]{40}(?=\toutside)/, blob)
      const tree = ChildProcess.execFileSync("git", ["mktree"], {
        cwd: shell.folder,
        input: files,
        encoding: "utf8"
      }).trim()
      const other = shell.git("commit-tree", tree, "-p", "main", "-m", "Add a line").trim()
      shell.git("update-ref", "refs/heads/main", other)
      shell.keys("C-s")
      yield* shell.waitFor("someone else changed outside.txt on main", "+fourth")
      shell.setChange(":")
      shell.keys("Enter")
      yield* shell.waitFor("+FIRST", " second")
      shell.keys("C-s")
      yield* shell.waitFor("Committed", "to main")
      assert.strictEqual(shell.git("show", "main:outside.txt"), "FIRST\nsecond\nthird\nfourth\n")
      shell.keys("u")
      yield* shell.waitFor("Done")
      assert.strictEqual(shell.git("show", "main:outside.txt"), "first\nsecond\nthird\nfourth\n")
    }).pipe(Effect.scoped)
  )

  it.live("opens the file on disk at the line, and shows the change afterwards", () =>
    Effect.gen(function* () {
      const shell = yield* start('printf "fourth\\n" >> "$file"')
      yield* openFile(shell, "outside", "second")
      shell.keys("j", "j", "e")
      yield* shell.waitFor("fourth", "1 changed file")
      const file = Path.join(Fs.realpathSync(shell.home), "greeting/outside.txt")
      assert.strictEqual(yield* shell.waitForFile("arguments"), `+3\n${file}\n`)
      assert.strictEqual(Fs.readFileSync(file, "utf8"), "first\nsecond\nthird\nfourth\n")
    }).pipe(Effect.scoped)
  )

  it.live("has the uncommitted changes as the first row of the log, and opens the file on disk from their diff", () =>
    Effect.gen(function* () {
      const shell = yield* start(":")
      Fs.appendFileSync(Path.join(shell.folder, "outside.txt"), "fourth\n")
      shell.keys("r")
      yield* shell.waitFor("1 uncommitted change in the work tree")
      shell.keys("g", "Enter")
      yield* shell.waitFor("+fourth", "› uncommitted changes")
      shell.keys("G", "e")
      const file = Path.join(Fs.realpathSync(shell.folder), "outside.txt")
      assert.strictEqual(yield* shell.waitForFile("arguments"), `+4\n${file}\n`)
      shell.git("checkout", "outside.txt")
      yield* shell.waitFor("+fourth")
      shell.keys("r")
      yield* shell.waitFor("No uncommitted changes")
    }).pipe(Effect.scoped)
  )
})
