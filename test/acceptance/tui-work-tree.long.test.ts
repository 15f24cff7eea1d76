/** The files of a local repository with uncommitted changes, in a terminal. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

const committed = { "README.md": "# Greeting\n", "gone.txt": "gone\n", "src/hello.ts": "export const hello = 1\n" }

const ON_DISK = "export const first = 0\nexport const needle = 2\n"

/** Creates a repository with a modified, a new and a removed file. */
const dirtyRepository = (home: string) => {
  const folder = Path.join(home, "greeting")
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" }
    })
  Fs.mkdirSync(Path.join(folder, "src"), { recursive: true })
  for (const [path, text] of Object.entries(committed)) Fs.writeFileSync(Path.join(folder, path), text)
  git("init", "--quiet", "--initial-branch=main")
  git("add", ".")
  git("commit", "--quiet", "--message=Add a greeting")
  Fs.writeFileSync(Path.join(folder, "src/hello.ts"), ON_DISK)
  Fs.writeFileSync(Path.join(folder, "new.txt"), "never committed\n")
  Fs.rmSync(Path.join(folder, "gone.txt"))
  return folder
}

/** Returns the line of a screen that contains a text. */
const lineWith = (screen: string, text: string) => screen.split("\n").find((line) => line.includes(text)) ?? ""

describe.skipIf(!hasPrograms("tmux"))("the terminal UI in a repository with uncommitted changes", () => {
  it.live("lists and shows the files on disk, marks changes without color, and switches to the commit", () =>
    Effect.gen(function* () {
      const shell = yield* TuiTerminal.start({ folder: dirtyRepository, environment: { NO_COLOR: "1" } })
      yield* shell.waitFor("Add a greeting")
      shell.keys("Tab", "Tab", "Tab")
      const listed = yield* shell.waitFor("new.txt", "work tree of main, 3 changed files")
      assert.match(lineWith(listed, "new.txt"), /A added/)
      assert.match(lineWith(listed, "gone.txt"), /D removed/)
      assert.match(lineWith(listed, "src/"), /1 changed/)
      assert.notMatch(lineWith(listed, "README.md"), /added|removed|changed|modified/)
      shell.keys("Enter")
      const folder = yield* shell.waitFor("hello.ts", "› src")
      assert.match(lineWith(folder, "hello.ts"), /M modified/)
      shell.keys("Enter")
      yield* shell.waitFor(...ON_DISK.trimEnd().split("\n"), "work tree of main")
      shell.keys("v")
      const before = yield* shell.waitFor(committed["src/hello.ts"].trimEnd(), "of main")
      assert.notInclude(before, "needle")
      shell.keys("v")
      yield* shell.waitFor("needle")
      Fs.writeFileSync(Path.join(shell.home, "greeting/src/hello.ts"), `${ON_DISK}export const third = 3\n`)
      shell.keys("r")
      yield* shell.waitFor("export const third = 3")
    }).pipe(Effect.scoped)
  )

  it.live("opens a match of an uncommitted line at this line", () =>
    Effect.gen(function* () {
      const shell = yield* TuiTerminal.start({ folder: dirtyRepository })
      yield* shell.waitFor("Add a greeting")
      shell.keys("s")
      shell.text("needle")
      shell.keys("Enter")
      yield* shell.waitFor("src/hello.ts", "needle = 2")
      shell.keys("Enter")
      const screen = yield* shell.waitFor("export const first = 0", "work tree of main", "2/2 lines")
      assert.match(lineWith(screen, "needle = 2"), /❯.*2 export const needle = 2/)
    }).pipe(Effect.scoped)
  )
})
