/** Every operation of the contract is reached in a terminal: reads as screens with content, writes as windows. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import { request } from "node:http"
import * as Effect from "effect/Effect"
import { type CatalogEntry, entries } from "@tongs/core/contract/Catalog"
import { demoArguments, unavailable } from "../../packages/connection/src/DemoArguments.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests, isLong, sample } from "../LongTests.test-support.ts"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import * as LargeRepository from "./LargeRepository.test-support.ts"
import { httpServer } from "./TongsCommand.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

/** Titles of failures (`FailureMessage`), of empty content, and of defects. */
const problem =
  /Not found|rejected the|Access denied|limit exceeded|does not respond|failed with status|No longer available|Not supported by|Unexpected response|on another host|Nothing (?:here|to)|\bbug\b|undefined/

const loading = /Loading|Not loaded yet|no response yet|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /

const isWindow = (screen: string): boolean => screen.includes("╭─")

/** Returns the titles of the open screens, and the current tab. */
const headerOf = (screen: string): string => {
  const [titles = "", , rule = ""] = screen.split("\n", 3)
  return `${titles}${/^──.*?(\[[^\]]+\])/.exec(rule)?.[1] ?? ""}`
}

/** Returns the lines between the header and the status line. */
const bodyOf = (screen: string): string => screen.trimEnd().split("\n").slice(2, -2).join("\n")

/** Opens a screen that gives no arguments to the palette. */
const startAtLimits = Effect.fnUntraced(function* (options: TuiTerminal.Options) {
  const shell = yield* TuiTerminal.start({ columns: 160, rows: 48, ...options })
  yield* shell.waitUntil("the first screen", (screen) => bodyOf(screen).trim() !== "" && !loading.test(screen))
  yield* choose(shell, "limits")
  const base = yield* shell.waitUntil(
    "the limits",
    (screen) => screen.includes("[limits]") && !isWindow(screen) && !loading.test(screen)
  )
  return { ...shell, base: headerOf(base) }
})

const startDemo = startAtLimits({ args: ["--demo"] })

/** Starts a forge with one repository behind a server that records the methods of all requests. */
const startRecordedForge = Effect.gen(function* () {
  const root = ForgeProcess.temporaryFolder()
  ForgeProcess.createCommits(root, 1)
  const { token, url: target } = yield* Effect.promise(() => ForgeProcess.serve(root))
  const methods: Array<string> = []
  const url = yield* Effect.promise(() =>
    httpServer(({ headers, method = "", url = "" }, _body, response) => {
      methods.push(method)
      const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      forwarded.on("error", () => response.destroy()).end()
    })
  )
  return { token, url, methods: (): ReadonlyArray<string> => methods }
})

/** Waits until the screen is another one and nothing loads. */
const settled = (shell: TuiTerminal.TuiTerminal, before: string) =>
  shell.waitUntil(
    "the loaded screen",
    (screen) =>
      !isWindow(screen) && headerOf(screen) !== before && !loading.test(screen) && /[^\s│─]/.test(bodyOf(screen))
  )

/** Types a text into the palette, and chooses the first item. Returns the line of the item. */
const choose = Effect.fnUntraced(function* (shell: TuiTerminal.TuiTerminal, text: string) {
  shell.text(`:${text}`)
  const screen = yield* shell.waitUntil(`the palette with ${text}`, (screen) => screen.includes(`❯ ${text}▏`))
  shell.keys("Enter")
  const lines = screen.split("\n")
  const top = lines.findIndex((line) => line.includes("╭─ Go to"))
  const [from = 0, to = 0] = [lines[top]?.indexOf("╭"), lines[top]?.lastIndexOf("╮")]
  return lines[top + 2]?.slice(from + 1, to).trim() ?? ""
})

/** Types the arguments into the empty fields of a form, and submits it. */
const fill = (shell: TuiTerminal.TuiTerminal, screen: string, values: Readonly<Record<string, unknown>>) => {
  const fields = [...screen.matchAll(/│ ([▸• ]) ([\w.…]+)( \*)? *([^\n]*?) *│/g)]
  const first = fields.findIndex(([, sign]) => sign === "▸")
  const inOrder = [...fields.slice(first), ...fields.slice(0, first)]
  const typed = inOrder.map(([, , name = "", isRequired, value = ""]) => {
    const isEmpty = /^(?:‹ )?(?:not set)?(?: ›)?▏?$/.test(value)
    return isRequired !== undefined && isEmpty ? String(values[name]) : ""
  })
  shell.bytes(`${typed.join("\t")}\u0013`)
}

/** Presses Escape until the header shows a screen below. */
const goBack = Effect.fnUntraced(function* (shell: TuiTerminal.TuiTerminal, header: string) {
  for (let now = shell.capture(); headerOf(now) !== header || isWindow(now);) {
    const before = now
    shell.keys("Escape")
    now = yield* shell.waitUntil(
      "the screen below",
      (screen) => headerOf(screen) !== headerOf(before) || isWindow(screen) !== isWindow(before)
    )
  }
})

/** Opens the screen of a read, and of the first row. Returns the item of the palette, and whether a row was opened. */
const visit = Effect.fnUntraced(function* (
  shell: TuiTerminal.TuiTerminal & { readonly base: string },
  entry: CatalogEntry
) {
  const { summary } = entry.operation
  const item = yield* choose(shell, summary)
  const opened = yield* shell.waitUntil(
    `the form or the screen of ${summary}`,
    (screen) =>
      (screen.includes(`╭─ ${summary} `) && screen.includes("Ctrl-s submit")) ||
      (!isWindow(screen) && headerOf(screen) !== shell.base)
  )
  if (isWindow(opened)) fill(shell, opened, demoArguments(entry))
  const screen = yield* settled(shell, shell.base)
  assert.notMatch(screen, problem, summary)
  const isTable = / \d+\/[\d,]+\+? (?!lines?\b)\w/.test(screen.trimEnd().split("\n").at(-2) ?? "")
  const opensRow = isTable && screen.includes("Enter open")
  if (opensRow) {
    shell.keys("Enter")
    const row = yield* settled(shell, headerOf(screen))
    assert.notMatch(row, problem, `the first row of ${summary}`)
    yield* goBack(shell, headerOf(screen))
  }
  yield* goBack(shell, shell.base)
  return { item, opensRow }
})

/** Splits a list into `count` parts of about the same length. */
const parts = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: count }, (_, part) =>
    all.filter((_, index) => Math.floor((index * count) / all.length) === part)
  )

const reads = entries.filter((entry) => entry.readonly && !unavailable.has(`${entry.group}.${entry.name}`))
const writes = entries.filter((entry) => !entry.readonly)

describe.skipIf(!hasPrograms("tmux"))("screens in a terminal (needs tmux)", () => {
  const count = isLong ? 3 : 1
  for (const [index, part] of parts(sample(reads, 15), count).entries())
    it.live(`has content for every read, and for the first row of every list, part ${index + 1} of ${count}`, () =>
      Effect.gen(function* () {
        const shell = yield* startDemo
        const visits = yield* Effect.forEach(part, (entry) => visit(shell, entry))
        // Each text in the palette has chosen another item.
        assert.strictEqual(new Set(visits.map(({ item }) => item)).size, part.length)
        // Lists are recognized by the position in the status line.
        assert.isTrue(visits.some(({ opensRow }) => opensRow))
      }).pipe(Effect.scoped)
    )

  it.live("opens the window of every write, and sends nothing", () =>
    Effect.gen(function* () {
      const forge = yield* startRecordedForge
      const shell = yield* startAtLimits({ environment: { TONGS_URL: forge.url, TONGS_TOKEN: forge.token } })
      for (const { operation } of sample(writes, 5)) {
        yield* choose(shell, operation.summary)
        yield* shell.waitUntil(`the window of ${operation.summary}`, (screen) =>
          screen.includes(`╭─ ${operation.summary} `)
        )
        shell.keys("Escape")
        yield* shell.waitUntil("the closed window", (screen) => !isWindow(screen))
      }
      assert.isAbove(forge.methods().length, 0)
      assert.deepStrictEqual([...new Set(forge.methods())], ["GET"])
    }).pipe(Effect.scoped)
  )

  inLongTests(() => {
    it.live("reaches every file of a large commit", () =>
      Effect.gen(function* () {
        const { files, subjects } = LargeRepository.contents
        const path = yield* LargeRepository.get(1_000)
        const git = (...args: ReadonlyArray<string>) =>
          ChildProcess.execFileSync("git", ["-C", path, ...args], { encoding: "utf8" }).trim()
        const commit = git("log", "--format=%H", `--grep=${subjects.large}`)
        const names = git("diff-tree", "--no-commit-id", "--name-only", "--find-renames", "-r", commit).split("\n")
        assert.strictEqual(names.length, files)
        const shell = yield* startAtLimits({ folder: () => path })
        yield* choose(shell, "Get a commit with its changes")
        const form = yield* shell.waitFor("╭─ Get a commit with its changes ", "Ctrl-s submit")
        fill(shell, form, { owner: "root", repo: "aurora", ref: commit })
        yield* settled(shell, shell.base)
        const seen = new Set<string>()
        for (let file = 1; file <= files; file++) {
          shell.keys("]")
          const screen = yield* shell.waitUntil(`file ${file}`, (screen) => screen.includes(` (${file}/${files})`))
          // The start of a long path is left out.
          const shown = / lines {2}…?(\S+) \(\d+\/\d+\)/.exec(screen)?.[1]
          const found = names.filter((name) => shown !== undefined && name.endsWith(shown))
          assert.strictEqual(found.length, 1, shown)
          for (const name of found) seen.add(name)
        }
        assert.deepStrictEqual(seen, new Set(names))
      }).pipe(Effect.scoped)
    )
  })
})
