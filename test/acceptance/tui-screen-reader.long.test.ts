/** `tongs --screen-reader` in a terminal: the output, without control sequences. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

/** Creates a repository whose second subject and file try to clear the screen. */
const folder = (home: string) => {
  const path = Path.join(home, "greeting")
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: path,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" }
    })
  Fs.mkdirSync(path)
  git("init", "--quiet", "--initial-branch=main")
  for (const subject of ["Add a greeting", "Say hello \u001b[2J loudly"]) {
    Fs.appendFileSync(Path.join(path, "hello.txt"), `${subject}\n`)
    git("add", ".")
    git("commit", "--quiet", `--message=${subject}`)
  }
  return path
}

describe.skipIf(!hasPrograms("tmux", "script"))("tongs --screen-reader (needs tmux and script)", () => {
  it.live("reads screens, the palette, a form and its problems, and prints no control sequences", () =>
    Effect.gen(function* () {
      const shell = yield* TuiTerminal.startShell({
        folder,
        columns: 120,
        rows: 200,
        environment: { TERM: "dumb" }
      })
      shell.text(`script --quiet --command 'node "$TONGS" --screen-reader' ~/transcript; echo en''ded $?`)
      shell.keys("Enter")
      yield* shell.waitFor("Press ? for the keys", "/greeting, log. Tab 1 of", "Say hello ␛[2J loudly", "(1/2 commits)")
      shell.keys("j")
      yield* shell.waitFor("Add a greeting, Mona", "(2/2 commits)")
      shell.keys("k", "Enter")
      yield* shell.waitFor("(1/13 lines)")
      shell.keys("NPage")
      yield* shell.waitFor("1 file changed", "13/13 lines")
      shell.keys("Escape")
      yield* shell.waitUntil("the log again", (screen) => screen.split("/greeting, log. Tab").length === 3)

      shell.keys(":")
      yield* shell.waitFor("Type to search. Up and Down select")
      shell.text("create a webhook")
      yield* shell.waitFor("search: create a webhook", "Create a webhook, ")
      shell.keys("Enter")
      yield* shell.waitFor("Tab goes to the next field", "config.url, required, field")
      shell.text("gopher://x")
      yield* shell.waitFor("config.url: gopher://x")
      shell.keys("C-s")
      // The webhook would send data to another server.
      yield* shell.waitFor("are sent to gopher://x", "to confirm")
      shell.text(`${Os.userInfo().username}/greeting`)
      shell.keys("Enter")
      yield* shell.waitFor("Error: ")
      shell.keys("Escape")
      shell.keys("?")
      yield* shell.waitFor("j or Down: down", "Escape closes the help.")
      shell.keys("Escape", "q")
      yield* shell.waitFor("ended 0")

      const transcript = yield* shell.waitForFile("transcript")
      const [, printed = ""] = /\n([^]*)\nScript done/.exec(transcript) ?? []
      assert.include(printed, "Press ? for the keys")
      assert.notMatch(printed, /[^\P{Cc}\r\n]/u, "line ends are the only control characters")
    }).pipe(Effect.scoped)
  )

  it.live("restores the terminal, and the session, after a signal", () =>
    Effect.gen(function* () {
      const shell = yield* TuiTerminal.startShell({ folder, rows: 60 })
      shell.text("stty -a > ~/before")
      shell.keys("Enter")
      const run = `sh -c 'echo $$ > ~/pid; exec node "$TONGS" --screen-reader'; echo en''ded $?; stty -a > ~/after`
      shell.text(run)
      shell.keys("Enter")
      yield* shell.waitFor("(1/2 commits)")
      shell.keys("Tab")
      yield* shell.waitFor("(1/1 branch)")
      process.kill(Number(yield* shell.waitForFile("pid")), "SIGTERM")
      yield* shell.waitFor("ended 143")
      assert.strictEqual(yield* shell.waitForFile("after"), yield* shell.waitForFile("before"))
      shell.text(`clear; node "$TONGS" --screen-reader`)
      shell.keys("Enter")
      yield* shell.waitUntil("the branches", (screen) => /^\S+\/greeting, branches\./m.test(screen))
    }).pipe(Effect.scoped)
  )
})
