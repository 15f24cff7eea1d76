/** Reading code in a terminal: definitions, uses, blame and history, with the answers of the explorer. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Readline from "node:readline"
import * as Effect from "effect/Effect"
import type { Definition, Reference } from "@tongs/core/contract/groups/CodeNavigation"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, program, removeFolder } from "./TongsCommand.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"
import * as ViewerRepository from "./ViewerRepository.test-support.ts"

/** Returns the line of a screen that contains a text. */
const lineWith = (screen: string, text: string) => screen.split("\n").find((line) => line.includes(text)) ?? ""

interface Results<A> {
  readonly total_count: number
  readonly items: ReadonlyArray<A>
}

/** Starts `tongs explore` over a repository. Returns a function that asks its API. */
const startExplorer = async (folder: string, home: string) => {
  const args = ["explore", "--port", "0", "--json", "--data", Path.join(home, "data"), "--repos", folder]
  const tongs = ChildProcess.spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, ...compileCache },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const started = await new Promise<string>((resolve) =>
    Readline.createInterface(tongs.stdout).once("line", (line) => resolve(line))
  )
  const { token, url }: { readonly url: string; readonly token: string } = JSON.parse(started)
  const exchanged = await fetch(`${url}?token=${token}`, { redirect: "manual" })
  const [cookie = ""] = (exchanged.headers.get("set-cookie") ?? "").split(";", 1)
  const ask = async (path: string) => (await fetch(new URL(`api/${path}`, url), { headers: { cookie } })).json()
  const { here }: { readonly here: { readonly owner: string; readonly repo: string } } = await ask("connection")
  return {
    ask: (kind: string, name: string, query: string) =>
      ask(`tongs/repos/${here.owner}/${here.repo}/${kind}/${name}?${query}`),
    close: () => tongs.kill()
  }
}

/** Creates a repository whose second commit renames `src/before.ts` to `src/after.ts`, and changes a line of the file. */
const createRenamed = () => {
  const base = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-renamed-"))
  const folder = Path.join(base, "renamed")
  const env = { ...process.env, GIT_CONFIG_GLOBAL: Os.devNull, GIT_AUTHOR_DATE: "2024-03-01T10:00:00Z" }
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync(
      "git",
      ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args],
      {
        env,
        encoding: "utf8"
      }
    )
  const write = (path: string, total: string) =>
    Fs.writeFileSync(
      Path.join(folder, path),
      `export const small = 1\n\nexport const large = 100\n\nexport const both = [small, large]\n\nexport const total = ${total}\n`
    )
  Fs.mkdirSync(Path.join(folder, "src"), { recursive: true })
  git("init", "--quiet", "--initial-branch=main")
  write("src/before.ts", "small + 1")
  git("add", ".")
  git("commit", "--quiet", "--message", "Begin")
  const first = git("rev-parse", "HEAD").trim()
  git("mv", "src/before.ts", "src/after.ts")
  write("src/after.ts", "large + 1")
  git("commit", "--quiet", "--all", "--message", "Rename the file")
  return { folder, first, remove: () => removeFolder(base) }
}

describe.skipIf(!hasPrograms("tmux"))("reading code in the terminal UI", () => {
  let world: ViewerRepository.ViewerRepository
  let home: string
  let explorer: Awaited<ReturnType<typeof startExplorer>>

  beforeAll(async () => {
    world = ViewerRepository.make()
    home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-navigation-"))
    explorer = await startExplorer(world.folder, home)
  })

  afterAll(() => {
    explorer.close()
    world.remove()
    removeFolder(home)
  })

  /** Opens a file by searching for a line of it. */
  const open = Effect.fnUntraced(function* (query: string, ...sees: ReadonlyArray<string>) {
    const terminal = yield* TuiTerminal.start({ folder: () => world.folder, columns: 90, rows: 30 })
    yield* terminal.waitFor("Say the unit")
    terminal.keys("s")
    terminal.text(query)
    terminal.keys("Enter")
    yield* terminal.waitFor(...sees)
    terminal.keys("Enter")
    return terminal
  })

  it.live("goes from a hit to the definition, to the uses, and back to each place", () =>
    Effect.gen(function* () {
      const terminal = yield* open("path:main.ts distance(origin", "src/main.ts", "console.log(distance")
      const hit = yield* terminal.waitFor("4/4 lines", "const circle")
      assert.match(lineWith(hit, "console.log("), /❯/)
      // The name of the match is underlined, also without colors.
      assert.match(terminal.captureStyled(), /\u001b\[(?:\d+;)*4(?:;\d+)*m(?:\u001b\[[\d;]*m)*distance/)
      const [definition]: ReadonlyArray<Definition> = (yield* Effect.promise(() =>
        explorer.ask("definitions", "distance", "path=src/main.ts&line=4&column=12")
      )).items
      terminal.keys("g", "d")
      const defined = yield* terminal.waitFor("geometry.ts", `${definition?.line}/25 lines`)
      assert.match(lineWith(defined, definition?.text ?? "no definition"), /❯/)
      terminal.keys("g", "r")
      const uses: Results<Reference> = yield* Effect.promise(() =>
        explorer.ask("references", "distance", "path=src/geometry.ts&line=23&column=16&per_page=100")
      )
      const listed = yield* terminal.waitFor("uses of distance", `1/${uses.total_count} uses`)
      for (const { certain, line, path, text } of uses.items) {
        const row = lineWith(listed, `${path}:${line}`)
        assert.include(row, text.trim().slice(0, 30))
        assert.include(row, certain === true ? "certain" : "by name")
      }
      terminal.keys("Escape")
      yield* terminal.waitFor(`${definition?.line}/25 lines`)
      terminal.keys("Escape")
      yield* terminal.waitFor("4/4 lines", "const circle")
      // A key without a second one keeps its meaning.
      terminal.keys("g")
      yield* terminal.waitFor("1/4 lines")
      terminal.keys("q")
      assert.strictEqual(yield* terminal.waitForExit, 0)
    }).pipe(Effect.scoped)
  )

  it.live("shows the details of a name that the arrows select", () =>
    Effect.gen(function* () {
      const terminal = yield* open('path:geometry.ts "centre: Point, radius"', "src/geometry.ts", "constructor(centre")
      yield* terminal.waitFor("11/25 lines")
      const uses: Results<Reference> = yield* Effect.promise(() =>
        explorer.ask("references", "Point", "path=src/geometry.ts&line=11&column=22&per_page=1")
      )
      terminal.keys("Right")
      terminal.keys("K")
      yield* terminal.waitFor(
        "export interface Point",
        "A point on the plane, in metres.",
        "interface · src/geometry.ts:2",
        `${uses.total_count} uses`
      )
      terminal.keys("Enter")
      yield* terminal.waitFor("2/25 lines")
      terminal.keys("Escape")
      yield* terminal.waitFor("11/25 lines")
    }).pipe(Effect.scoped)
  )

  it.live("walks from the blame to a commit, and through older versions of the line", () =>
    Effect.gen(function* () {
      const terminal = yield* open("path:geometry.ts metres", "src/geometry.ts", "in metres")
      yield* terminal.waitFor("1/25 lines")
      terminal.keys("b")
      const blamed = yield* terminal.waitFor("Grace Hopper", "Ada Lovelace")
      assert.match(lineWith(blamed, "in metres"), /[0-9a-f]{7} Grace Hopper +\S+ │/)
      terminal.keys("Enter")
      yield* terminal.waitFor("Say the unit", "+/** A point on the plane, in metres. */")
      terminal.keys("Escape")
      yield* terminal.waitFor("Grace Hopper", "in metres")
      terminal.keys("<")
      const [first = ""] = world.commits
      const older = yield* terminal.waitFor(`files at ${first.slice(0, 7)}`, "before", "Say the unit", "Ada Lovelace")
      assert.match(lineWith(older, "A point on the plane. */"), /❯.*Ada Lovelace/)
      terminal.keys("<")
      yield* terminal.waitFor("is the first commit: there is no version before it")
      terminal.keys(">")
      yield* terminal.waitFor("in metres")
      terminal.keys("b")
      yield* terminal.waitUntil("no blame", (screen) => !screen.includes("Grace Hopper"))
    }).pipe(Effect.scoped)
  )

  it.live("lists the commits of a file and of a function, and opens each", () =>
    Effect.gen(function* () {
      const terminal = yield* open("path:geometry.ts hypot", "src/geometry.ts", "Math.hypot")
      yield* terminal.waitFor("24/25 lines")
      terminal.keys("f")
      yield* terminal.waitFor("geometry.ts history", "Say the unit", "Begin", "1/2 commits")
      terminal.keys("Enter")
      yield* terminal.waitFor("+/** A point on the plane, in metres. */")
      terminal.keys("Escape", "Escape")
      yield* terminal.waitFor("24/25 lines")
      terminal.keys("F")
      const listed = yield* terminal.waitFor("distance history", "Begin", "1/1 commit")
      assert.notInclude(listed, "Say the unit")
      terminal.keys("Enter")
      yield* terminal.waitFor("A src/geometry.ts", "A point on the plane. */")
      terminal.keys("Escape", "Escape")
      yield* terminal.waitFor("24/25 lines")
      // Tab stays at the file.
      terminal.keys("Tab")
      yield* terminal.waitFor("geometry.ts history", "Say the unit")
      terminal.keys("Tab")
      yield* terminal.waitFor("24/25 lines")
    }).pipe(Effect.scoped)
  )

  it.live("goes from the lines of a diff to definitions and uses on their side of the change", () =>
    Effect.gen(function* () {
      const renamed = yield* Effect.acquireRelease(Effect.sync(createRenamed), ({ remove }) => Effect.sync(remove))
      const terminal = yield* TuiTerminal.start({ folder: () => renamed.folder, columns: 90, rows: 30 })
      yield* terminal.waitFor("Rename the file")
      terminal.keys("Enter")
      const diff = yield* terminal.waitFor("-export const total = small + 1", "+export const total = large + 1")
      assert.include(diff, "src/before.ts → src/after.ts")
      terminal.keys("/")
      terminal.text("const total = small")
      terminal.keys("Enter")
      yield* terminal.waitFor("1 of 1 line with")
      // The second name of the removed line.
      terminal.keys("Right")
      terminal.keys("g", "d")
      const old = yield* terminal.waitFor(`files at ${renamed.first.slice(0, 7)}`, "before.ts", "const total = small")
      assert.match(lineWith(old, "export const small = 1"), /❯/)
      terminal.keys("Escape")
      yield* terminal.waitFor("-export const total = small + 1")
      terminal.keys("j", "K")
      yield* terminal.waitFor("export const large = 100", "src/after.ts:3")
      terminal.keys("Escape")
      yield* terminal.waitUntil("no window", (screen) => !screen.includes("src/after.ts:3"))
      terminal.keys("g", "r")
      const uses = yield* terminal.waitFor("uses of large", "src/after.ts:7")
      assert.notInclude(uses, "src/before.ts")
    }).pipe(Effect.scoped)
  )

  it.live("walks back in the blame through the rename of a file", () =>
    Effect.gen(function* () {
      const renamed = yield* Effect.acquireRelease(Effect.sync(createRenamed), ({ remove }) => Effect.sync(remove))
      // With more columns, the blame is shown without a key.
      const terminal = yield* TuiTerminal.start({ folder: () => renamed.folder, columns: 90, rows: 30 })
      yield* terminal.waitFor("Rename the file")
      terminal.keys("@")
      terminal.text(":src/after.ts")
      terminal.keys("Enter")
      yield* terminal.waitFor("export const total = large + 1", "1/7 lines")
      terminal.keys("G", "b")
      yield* terminal.waitFor("7/7 lines", " │")
      terminal.keys("<")
      const first = renamed.first.slice(0, 7)
      const older = yield* terminal.waitFor("const total = small + 1", "before.ts", "Rename the file", `${first} Ada`)
      assert.include(older, `files at ${first}`)
      assert.match(lineWith(older, "const total"), /❯/)
      terminal.keys("<")
      yield* terminal.waitFor("is the first commit: there is no version before it")
      terminal.keys(">")
      yield* terminal.waitFor("export const total = large + 1", "after.ts", "7/7 lines")
    }).pipe(Effect.scoped)
  )
})
