/** `tongs` in a terminal: keys, and the restored terminal after each kind of exit. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

/** Creates a repository with two branches, a tag, and a subject with an escape sequence that clears the screen. */
const makeRepository = (folder: string) => {
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" }
    })
  Fs.mkdirSync(folder)
  git("init", "--quiet", "--initial-branch=main")
  Fs.writeFileSync(Path.join(folder, "README.md"), "# Greeting\n\nSays hello.\n")
  git("add", ".")
  git("commit", "--quiet", "--message=Add a readme")
  Fs.mkdirSync(Path.join(folder, "src"))
  Fs.writeFileSync(Path.join(folder, "src/hello.ts"), 'export const hello = "\u001b[2Jhello"\n')
  git("add", ".")
  git("commit", "--quiet", "--message=Say hello \u001b[2J loudly")
  git("branch", "topic")
  git("tag", "v1.0.0")
}

const folder = (home: string) => {
  const path = Path.join(home, "greeting")
  makeRepository(path)
  return path
}

/** Starts a shell in the repository. */
const terminal = TuiTerminal.startShell({ folder })

/** The foregrounds of a captured screen's visible characters without a background, as SGR codes; 39 is the default. */
const foregrounds = (screen: string): ReadonlySet<string> => {
  let color = "39"
  let background = "49"
  const seen = new Set<string>()
  for (const [, codes, text = ""] of screen.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const [code] of (codes ?? "").matchAll(/[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|\d+|^$/g)) {
      if (code === "" || code === "0") [color, background] = ["39", "49"]
      else if (/^(?:38;|3\d$|9\d$)/.test(code)) color = code
      else if (/^(?:48;|4\d$|10\d$)/.test(code)) background = code
    }
    if (text.trim() !== "" && background === "49") seen.add(color)
  }
  return seen
}

/** Runs the program in the shell, calls `end`, and checks that the terminal is restored. */
const leavesNoTrace = (
  end: (shell: TuiTerminal.TuiTerminal, pid: number) => void,
  output: ReadonlyArray<string> = [],
  before = ""
) =>
  Effect.gen(function* () {
    const shell = yield* terminal
    shell.text("echo first; stty -a > ~/before")
    shell.keys("Enter")
    yield* shell.waitFor("first")
    const modes = shell.modes()
    // A subshell prints the process id, and exec keeps the id.
    shell.text(
      `sh -c 'echo $$ > ~/pid; ${before} exec node "$TONGS"'; echo "ended with $?"; stty -a > ~/after.part; mv ~/after.part ~/after`
    )
    shell.keys("Enter")
    yield* shell.waitFor("[log]", "commits")
    assert.notStrictEqual(shell.modes(), modes)
    end(shell, Number(yield* shell.waitForFile("pid")))
    assert.strictEqual(yield* shell.waitForFile("after"), yield* shell.waitForFile("before"))
    // The shell may print the prompt only after this input.
    const screen = yield* shell.waitUntil(
      "the end of the program",
      (screen) => /^(\$ )?ended with \d+$/m.test(screen) && output.every((words) => screen.includes(words))
    )
    assert.include(screen, "first")
    assert.notInclude(screen, "[log]")
    yield* shell.waitForModes(modes)
    return screen
  })

describe.skipIf(!hasPrograms("tmux"))("tongs in a terminal (needs tmux)", () => {
  it.live("starts in the current repository, and navigates it with keys", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      shell.text(`node "$TONGS"`)
      shell.keys("Enter")
      yield* shell.waitFor("/greeting", "[log]", "❯", "Say hello ␛[2J loudly", "1/2 commits", "no limits")
      shell.keys("j")
      yield* shell.waitFor("2/2 commits")
      shell.keys("k")
      yield* shell.waitFor("1/2 commits")
      shell.keys("Enter")
      yield* shell.waitFor("1 file changed", "src/hello.ts", '+export const hello = "␛[2Jhello"', "Mona")
      shell.keys("Escape")
      yield* shell.waitFor("1/2 commits")
      shell.keys("Tab")
      yield* shell.waitFor("[branches]", "default", "topic", "1/2 branches")
      shell.keys("Tab")
      yield* shell.waitFor("[tags]", "v1.0.0")
      shell.keys("Tab")
      yield* shell.waitFor("[files]", "src/", "README.md")
      shell.keys("Enter")
      yield* shell.waitFor("hello.ts", "1/1 entry")
      shell.keys("Enter")
      yield* shell.waitFor('1 export const hello = "␛[2Jhello"')
      shell.keys("Escape")
      yield* shell.waitFor("1/1 entry")
      shell.keys("Escape", "Tab")
      yield* shell.waitFor("[readme]", "Greeting", "Says hello.")
      shell.keys("?")
      yield* shell.waitFor("Keys", "half a page down")
      shell.keys("Escape")
      yield* shell.waitUntil("the closed help", (screen) => !screen.includes("half a page down"))
      shell.keys("/")
      shell.text("says")
      shell.keys("Enter")
      yield* shell.waitFor("1 of 1 line with says")
      shell.keys("Escape", "s")
      yield* shell.waitFor("search code here:")
      shell.text("hello")
      shell.keys("Enter")
      yield* shell.waitFor("src/hello.ts", "3 matches, 2 files")
      shell.keys("Escape")
      yield* shell.waitFor("[readme]")
      shell.keys("Escape")
      yield* shell.waitFor("Your repositories  1")
      const modes = shell.modes()
      shell.keys("C-z")
      yield* shell.waitFor("Stopped")
      assert.notStrictEqual(shell.modes(), modes)
      shell.text("echo at the sh''ell; fg")
      shell.keys("Enter")
      const again = yield* shell.waitFor("Your repositories  1", "embedded forge", "/ find")
      assert.notInclude(again, "at the shell")
      yield* shell.waitForModes(modes)
      shell.keys("q")
      yield* shell.waitFor(`$ node`)
    }).pipe(Effect.scoped)
  )

  inLongTests(() => {
    it.live("adapts to the window size", () =>
      Effect.gen(function* () {
        const shell = yield* TuiTerminal.start({ folder })
        yield* shell.waitFor("1/2 commits", "embedded forge")
        for (const [columns, rows] of [
          [40, 10],
          [60, 16],
          [300, 100],
          [80, 24]
        ] as const) {
          // pairs
          shell.resize(columns, rows)
          yield* shell.waitUntil(`a screen of ${columns}x${rows}`, (screen) => {
            const lines = screen.split("\n")
            return (
              lines[0]?.startsWith(" tongs") === true &&
              lines[2]?.length === columns &&
              /1\/2 commits/.test(lines[rows - 2] ?? "") &&
              /Enter open/.test(lines[rows - 1] ?? "")
            )
          })
        }
        shell.keys("q")
        assert.strictEqual(yield* shell.waitForExit, 0)
      }).pipe(Effect.scoped)
    )
  })

  it.live("draws without colours with NO_COLOR, and prints text in a dumb terminal", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      // Input during an exit is lost: each command prints a final marker that the typed line does not contain.
      shell.text(`node "$TONGS"; echo en''ded 1`)
      shell.keys("Enter")
      yield* shell.waitFor("1/2 commits")
      assert.include(shell.captureStyled(), "\u001b[38;5;")
      shell.keys("q")
      yield* shell.waitFor("ended 1")
      shell.text(`clear; NO_COLOR=1 node "$TONGS"; echo en''ded 2`)
      shell.keys("Enter")
      yield* shell.waitFor("1/2 commits")
      assert.notInclude(shell.captureStyled(), "\u001b[38;5;")
      shell.keys("q")
      yield* shell.waitFor("ended 2")
      shell.text(`clear; node "$TONGS" --no-color; echo en''ded 3`)
      shell.keys("Enter")
      yield* shell.waitFor("1/2 commits")
      assert.notInclude(shell.captureStyled(), "\u001b[38;5;")
      shell.keys("q")
      yield* shell.waitFor("ended 3")
      shell.text(`clear; TERM=dumb node "$TONGS"; echo en''ded 4`)
      shell.keys("Enter")
      const text = yield* shell.waitFor("ended 4")
      assert.include(text, "Add a readme")
      assert.notInclude(text, "[log]")
    }).pipe(Effect.scoped)
  )

  it.live("has readable colours in terminals with 16", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      // Captured before the keys that close a view, so that each view is complete.
      const views = Effect.gen(function* () {
        const seen: Array<string> = []
        const see = (...words: ReadonlyArray<string>) =>
          Effect.map(shell.waitFor(...words), () => void seen.push(shell.captureStyled()))
        yield* see("1/2 commits", "embedded forge")
        shell.keys("Enter")
        yield* see("1 file changed", "+export const hello")
        shell.keys("Escape", "Tab", "Tab", "Tab", "Tab")
        yield* see("[readme]", "Says hello.")
        shell.keys("/")
        shell.text("says")
        shell.keys("Enter")
        yield* see("1 of 1 line with says")
        shell.keys("Escape", "?")
        yield* see("half a page down")
        return new Set(seen.flatMap((screen) => [...foregrounds(screen)]))
      })
      // Names of terminals without a number of colours.
      for (const [index, name] of sample(["screen", "xterm", "linux", "vt220"]).entries()) {
        shell.text(`clear; XDG_STATE_HOME=$HOME/${name} TERM=${name} node "$TONGS"; echo en''ded ${index}`)
        shell.keys("Enter")
        const seen = yield* views
        assert.includeMembers([...seen], ["39"], `${name} has text`)
        assert.isAbove(seen.size, 2, `${name} has colours`)
        // Never black, dark grey or white, which one of the usual backgrounds hides.
        assert.notIncludeMembers([...seen], ["30", "90", "37", "97"], name)
        shell.keys("Escape", "q")
        yield* shell.waitFor(`ended ${index}`)
      }
    }).pipe(Effect.scoped)
  )

  inLongTests(() => {
    it.live("restores the terminal after q", () =>
      leavesNoTrace((shell) => shell.keys("q"), ["ended with 0"]).pipe(Effect.scoped)
    )
  })

  it.live("restores the terminal after Ctrl-C", () =>
    leavesNoTrace((shell) => shell.keys("C-c"), ["ended with 130"]).pipe(Effect.scoped)
  )

  it.live("restores the terminal after SIGTERM", () =>
    leavesNoTrace((_, pid) => process.kill(pid, "SIGTERM"), ["ended with 143"]).pipe(Effect.scoped)
  )

  inLongTests(() => {
    it.live("restores the terminal after SIGHUP", () =>
      leavesNoTrace((_, pid) => process.kill(pid, "SIGHUP"), ["ended with 129"]).pipe(Effect.scoped)
    )
  })

  it.live("restores the terminal after a crash, then prints the error", () =>
    Effect.gen(function* () {
      // A defect of the program that is not caught.
      const defect = `process.on("SIGUSR2", () => { throw new Error("a defect of the program") })`
      const preload = `NODE_OPTIONS="--import=data:text/javascript,${encodeURIComponent(defect).replaceAll("'", "%27")}"`
      const output = ["Error: a defect of the program"]
      const screen = yield* leavesNoTrace((_, pid) => process.kill(pid, "SIGUSR2"), output, preload)
      assert.notInclude(screen, "ended with 0")
    }).pipe(Effect.scoped)
  )
})
