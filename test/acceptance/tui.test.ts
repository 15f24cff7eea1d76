/** `tongs` in a terminal: its keys, and the restored terminal after each kind of exit. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { TIMEOUT, program, removeFolder } from "./TongsCommand.test-support.ts"

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

/** Starts a shell in a separate tmux, with a separate repository and home. */
const terminal = Effect.acquireRelease(
  Effect.sync(() => {
    const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-tui-"))
    const socket = Path.join(home, "tmux")
    const tmux = (...args: ReadonlyArray<string>) =>
      ChildProcess.execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" })
    makeRepository(Path.join(home, "greeting"))
    const environment = {
      HOME: home,
      XDG_DATA_HOME: Path.join(home, "data"),
      XDG_CONFIG_HOME: Path.join(home, "config"),
      XDG_CACHE_HOME: Path.join(home, "cache"),
      XDG_STATE_HOME: Path.join(home, "state"),
      PATH: `${Path.dirname(process.execPath)}:${process.env.PATH ?? ""}`,
      PS1: "$ ",
      // The typed command must not contain the program's path.
      TONGS: program,
      TERM: "screen-256color"
    }
    tmux(
      ..."new-session -d -x 90 -y 24 -c".split(" "),
      Path.join(home, "greeting"),
      ..."env -i".split(" "),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      "sh"
    )

    const screen = () => tmux("capture-pane", "-p")
    /** The terminal modes of tmux. */
    const modes = () =>
      tmux("display-message", "-p", "#{cursor_flag} #{alternate_on} #{wrap_flag} #{mouse_any_flag}").trim()
    const until = (what: string, holds: (screen: string) => boolean) =>
      Effect.suspend(() => {
        const now = screen()
        return holds(now) ? Effect.succeed(now) : Effect.fail(now)
      }).pipe(
        Effect.retry(Schedule.spaced("100 millis")),
        Effect.timeoutOrElse({
          duration: TIMEOUT,
          orElse: () => Effect.die(`waited in vain for ${what}:\n${screen()}`)
        })
      )

    return {
      home,
      stop: () => {
        tmux("kill-server")
        removeFolder(home)
      },
      press: (...keys: ReadonlyArray<string>) => tmux("send-keys", ...keys),
      type: (text: string) => tmux("send-keys", "-l", text),
      resize: (columns: number, rows: number) => tmux("resize-window", "-x", String(columns), "-y", String(rows)),
      colored: () => tmux("capture-pane", "-p", "-e"),
      shows: (...words: ReadonlyArray<string>) =>
        until(words.join(", "), (screen) => words.every((word) => screen.includes(word))),
      until,
      modes,
      comesTo: (expected: string) => until(`the modes ${expected}`, () => modes() === expected),
      /** Waits for a complete file of the shell. Returns its contents. */
      file: (name: string) => {
        const path = Path.join(home, name)
        const isWritten = () => Fs.existsSync(path) && Fs.statSync(path).size > 0
        return Effect.map(until(name, isWritten), () => Fs.readFileSync(path, "utf8"))
      }
    }
  }),
  (terminal) => Effect.sync(terminal.stop)
)

/**
 * The foreground colours of a captured screen's visible characters, as SGR codes; 39 is the default. Inverse
 * text swaps both colours, so it counts as its foreground.
 */
const foregrounds = (screen: string): ReadonlySet<string> => {
  let color = "39"
  const seen = new Set<string>()
  for (const [, codes, text = ""] of screen.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const [code] of (codes ?? "").matchAll(/38;5;\d+|38;2;\d+;\d+;\d+|\d+|^$/g)) {
      if (code === "" || code === "0") color = "39"
      else if (/^(?:38;|3\d$|9\d$)/.test(code)) color = code
      else assert.notMatch(code, /^(?:4[0-8]|10\d)$/, "nothing sets a background")
    }
    if (text.trim() !== "") seen.add(color)
  }
  return seen
}

/** Runs the program in the shell, calls `end`, and checks that the terminal is restored. */
const leavesNoTrace = (
  end: (shell: Effect.Success<typeof terminal>, pid: number) => void,
  output: ReadonlyArray<string> = [],
  before = ""
) =>
  Effect.gen(function* () {
    const shell = yield* terminal
    shell.type("echo first; stty -a > ~/before")
    shell.press("Enter")
    yield* shell.shows("first")
    const modes = shell.modes()
    // A subshell prints its process id, and exec keeps the id.
    shell.type(
      `sh -c 'echo $$ > ~/pid; ${before} exec node "$TONGS"'; echo "ended with $?"; stty -a > ~/after.part; mv ~/after.part ~/after`
    )
    shell.press("Enter")
    yield* shell.shows("[log]", "commits")
    assert.notStrictEqual(shell.modes(), modes)
    end(shell, Number(yield* shell.file("pid")))
    assert.strictEqual(yield* shell.file("after"), yield* shell.file("before"))
    // The shell may print its prompt only after this was typed.
    const screen = yield* shell.until(
      "the end of the program",
      (screen) => /^(\$ )?ended with \d+$/m.test(screen) && output.every((words) => screen.includes(words))
    )
    assert.include(screen, "first")
    assert.notInclude(screen, "[log]")
    yield* shell.comesTo(modes)
    return screen
  })

describe.skipIf(!hasPrograms("tmux"))("tongs in a terminal (needs tmux)", () => {
  it.live("starts in the current repository, and navigates it with keys", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      shell.type(`node "$TONGS"`)
      shell.press("Enter")
      yield* shell.shows("/greeting", "[log]", "❯", "Say hello ␛[2J loudly", "1/2 commits", "no limits")
      shell.press("j")
      yield* shell.shows("2/2 commits")
      shell.press("k")
      yield* shell.shows("1/2 commits")
      shell.press("Enter")
      yield* shell.shows("1 file changed", "src/hello.ts", '+export const hello = "␛[2Jhello"', "Mona")
      shell.press("Escape")
      yield* shell.shows("1/2 commits")
      shell.press("Tab")
      yield* shell.shows("[branches]", "default", "topic", "1/2 branches")
      shell.press("Tab")
      yield* shell.shows("[tags]", "v1.0.0")
      shell.press("Tab")
      yield* shell.shows("[files]", "src/", "README.md")
      shell.press("Enter")
      yield* shell.shows("hello.ts", "1/1 entry")
      shell.press("Enter")
      yield* shell.shows('1 export const hello = "␛[2Jhello"')
      shell.press("Escape")
      yield* shell.shows("1/1 entry")
      shell.press("Escape", "5")
      yield* shell.shows("[readme]", "# Greeting")
      shell.press("?")
      yield* shell.shows("Keys", "half a page down, up")
      shell.press("Escape")
      yield* shell.shows("# Greeting")
      shell.press("/")
      shell.type("says")
      shell.press("Enter")
      yield* shell.shows("1 of 1 line with says")
      shell.press("Escape", "s")
      yield* shell.shows("search code:")
      shell.type("hello")
      shell.press("Enter")
      yield* shell.shows("src/hello.ts", "1/2 matches")
      shell.press("Escape")
      yield* shell.shows("[readme]")
      shell.press("Escape")
      yield* shell.shows("repositories", "1/1 repository")
      const modes = shell.modes()
      shell.press("C-z")
      yield* shell.shows("Stopped")
      assert.notStrictEqual(shell.modes(), modes)
      shell.type("echo at the sh''ell; fg")
      shell.press("Enter")
      const again = yield* shell.shows("1/1 repository", "embedded forge", "? help")
      assert.notInclude(again, "at the shell")
      yield* shell.comesTo(modes)
      shell.press("q")
      yield* shell.shows(`$ node`)
    }).pipe(Effect.scoped)
  )

  it.live("adapts to the window size", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      shell.type(`node "$TONGS"`)
      shell.press("Enter")
      yield* shell.shows("1/2 commits", "embedded forge")
      for (const [columns, rows] of [
        [60, 16],
        [250, 70],
        [80, 24]
      ] as const) {
        // pairs
        shell.resize(columns, rows)
        yield* shell.until(`a screen of ${columns}x${rows}`, (screen) => {
          const lines = screen.split("\n")
          return (
            /^ tongs .*embedded forge$/.test(lines[0] ?? "") &&
            lines[0]?.length === columns &&
            lines[1]?.length === columns &&
            /1\/2 commits/.test(lines[rows - 2] ?? "") &&
            /\? help/.test(lines[rows - 1] ?? "")
          )
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live("draws without colours with NO_COLOR, and prints text in a dumb terminal", () =>
    Effect.gen(function* () {
      const shell = yield* terminal
      // Input during an exit is lost: each command prints a marker at its end that the typed line does not contain.
      shell.type(`node "$TONGS"; echo en''ded 1`)
      shell.press("Enter")
      yield* shell.shows("1/2 commits")
      assert.include(shell.colored(), "\u001b[38;5;")
      shell.press("q")
      yield* shell.shows("ended 1")
      shell.type(`clear; NO_COLOR=1 node "$TONGS"; echo en''ded 2`)
      shell.press("Enter")
      yield* shell.shows("1/2 commits")
      assert.notInclude(shell.colored(), "\u001b[38;5;")
      shell.press("q")
      yield* shell.shows("ended 2")
      shell.type(`clear; node "$TONGS" --no-color; echo en''ded 3`)
      shell.press("Enter")
      yield* shell.shows("1/2 commits")
      assert.notInclude(shell.colored(), "\u001b[38;5;")
      shell.press("q")
      yield* shell.shows("ended 3")
      shell.type(`clear; TERM=dumb node "$TONGS"; echo en''ded 4`)
      shell.press("Enter")
      const text = yield* shell.shows("ended 4")
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
          Effect.map(shell.shows(...words), () => void seen.push(shell.colored()))
        yield* see("1/2 commits", "embedded forge")
        shell.press("Enter")
        yield* see("1 file changed", "+export const hello")
        shell.press("Escape", "5")
        yield* see("[readme]", "# Greeting")
        shell.press("/")
        shell.type("says")
        shell.press("Enter")
        yield* see("1 of 1 line with says")
        shell.press("Escape", "?")
        yield* see("half a page down, up")
        return new Set(seen.flatMap((screen) => [...foregrounds(screen)]))
      })
      // Names of terminals without a number of colours.
      for (const [index, name] of ["screen", "xterm", "linux", "vt220"].entries()) {
        shell.type(`clear; TERM=${name} node "$TONGS"; echo en''ded ${index}`)
        shell.press("Enter")
        const seen = yield* views
        assert.includeMembers([...seen], ["39", "35"], `${name} has colours`)
        // Magenta and two bright colours of the palette: never black, grey or white.
        assert.isEmpty(
          [...seen].filter((color) => !["39", "35", "91", "95"].includes(color)),
          name
        )
        shell.press("Escape", "q")
        yield* shell.shows(`ended ${index}`)
      }
    }).pipe(Effect.scoped)
  )

  it.live("restores the terminal after q", () =>
    leavesNoTrace((shell) => shell.press("q"), ["ended with 0"]).pipe(Effect.scoped)
  )

  it.live("restores the terminal after Ctrl-C", () =>
    leavesNoTrace((shell) => shell.press("C-c"), ["ended with 130"]).pipe(Effect.scoped)
  )

  it.live("restores the terminal after SIGTERM", () =>
    leavesNoTrace((_, pid) => process.kill(pid, "SIGTERM")).pipe(Effect.scoped)
  )

  it.live("restores the terminal after SIGHUP", () =>
    leavesNoTrace((_, pid) => process.kill(pid, "SIGHUP")).pipe(Effect.scoped)
  )

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
