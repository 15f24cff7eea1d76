/** The built `tongs explore` in a browser, and a stub for the index. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Readline from "node:readline"
import { assert } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Timestamp } from "@tongs/core/contract/Scalars"
import type { IndexStatus, IndexedRepository, LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { CommitHit, Done, FileHit, FileMatches } from "@tongs/core/contract/groups/CodeSearch"
import type { AxeResults, ElementContext, RunOptions } from "axe-core"
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core"
import { vi } from "vitest"
import { isLong } from "../LongTests.test-support.ts"
import { compileCache } from "./TongsCommand.test-support.ts"

export const root = Path.resolve(import.meta.dirname, "../..")

const browserPath = ["/usr/bin", ...(process.env["PATH"] ?? "").split(Path.delimiter)]
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => Path.join(folder, name)))
  .find((path) => Fs.existsSync(path))

const hasHistory = ChildProcess.spawnSync("git", ["rev-parse", "--verify", "HEAD"], { cwd: root }).status === 0

/** The reason to skip the tests, or an empty text. */
export const skipReason =
  browserPath === undefined ? " (skipped: no Chromium here)" : hasHistory ? "" : " (skipped: no commits here)"

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
/** The desktop at 200 % zoom. */
export const zoomed = { width: 720, height: 450 }

export interface Explorer {
  readonly url: string
  /** The link that `tongs explore` prints. */
  readonly link: string
  /** Sends a request to the explorer's server with the cookie from the link. */
  readonly fetch: (path: string) => Promise<Response>
  /** Opens a page in a new browser context. Records requests and errors of the page. */
  readonly open: (path: string, options?: OpenOptions) => Promise<OpenPage>
  readonly close: () => Promise<void>
}

export interface OpenOptions extends BrowserContextOptions {
  /** Runs before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Opens the page without the cookie of the link. */
  readonly isSignedOut?: boolean
}

export interface OpenPage {
  readonly page: Page
  readonly requests: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

/** Starts `tongs explore`, by default over this repository, and a browser. */
export const launch = async (args: ReadonlyArray<string> = [], env: NodeJS.ProcessEnv = {}): Promise<Explorer> => {
  const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-explore-"))
  const tongs = ChildProcess.spawn(
    process.execPath,
    [
      "apps/cli/dist/tongs.js",
      "explore",
      "--port",
      "0",
      "--json",
      // The demonstration has a separate data folder, and a remote forge none.
      ...(args.includes("--demo") || args.includes("--url") ? [] : ["--data", Path.join(home, "data")]),
      ...args
    ],
    {
      cwd: root,
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, ...compileCache, ...env },
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const [started, browser] = await Promise.all([firstLine(tongs), startBrowser()])
  const { token, url }: { readonly url: string; readonly token: string } = JSON.parse(started)
  const link = `${url}?token=${token}`
  const exchanged = await fetch(link, { redirect: "manual" })
  const [cookie = ""] = (exchanged.headers.get("set-cookie") ?? "").split(";", 1)
  const [name = "", value = ""] = cookie.split("=", 2)
  return {
    url,
    link,
    fetch: (path) => fetch(new URL(path, url), { headers: { cookie } }),
    open: async (path, { prepare, isSignedOut = false, ...options } = {}) => {
      const context = await browser.newContext({ viewport: desktop, ...options })
      if (!isSignedOut) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Strict" }])
      const page = await context.newPage()
      const requests: Array<string> = []
      const errors: Array<string> = []
      page.on("request", (request) => requests.push(request.url()))
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
      page.on("pageerror", (error) => errors.push(error.message))
      await prepare?.(page)
      await page.goto(new URL(path, url).href)
      return { page, requests, errors }
    },
    close: async () => {
      await browser.close()
      tongs.kill()
      Fs.rmSync(home, { recursive: true, force: true })
    }
  }
}

/** A repository of a test, in a separate folder. */
interface TestWorld {
  readonly folder: string
  readonly remove: () => void
}

/** Creates a repository, and starts the explorer for it. `repo` is the repository's full name. */
export const launchOver = async <World extends TestWorld>(make: () => World) => {
  const world = make()
  const explorer = await launch(["--repos", world.folder])
  const { here }: { readonly here: { readonly owner: string; readonly repo: string } } = await (
    await explorer.fetch("api/connection")
  ).json()
  const close = async () => {
    await explorer.close()
    world.remove()
  }
  return { close, explorer, repo: `${here.owner}/${here.repo}`, world }
}

/** Starts Chromium. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  })

/** Time limit of immediate actions on a busy machine (milliseconds). */
const TIMEOUT = 30_000

/** Waits until `get` returns the expected value. */
export const expectEventually = <A>(get: () => A | Promise<A>, expected: A, message?: string): Promise<void> =>
  vi.waitFor(async () => assert.deepStrictEqual(await get(), expected, message), { timeout: TIMEOUT, interval: 50 })

/** Waits until the element has the focus. */
export const hasFocus = (target: Locator): Promise<void> => target.and(target.page().locator(":focus")).waitFor()

/** The search box, after the page's script has loaded. */
export const searchBox = (page: Page): Locator => page.getByRole("combobox", { name: "Search the code" })

/** Runs `act` and expects a temporary text on the page, which is checked in each frame. */
export const expectNotice = async (page: Page, text: string, act: () => Promise<void>): Promise<void> => {
  const shown = page.waitForFunction((text) => document.body.innerText.includes(text), text)
  await Promise.all([shown, act()])
}

/** Waits until all repositories are indexed, or have one of the given states. */
export const waitForIndex = (explorer: Explorer, states: ReadonlyArray<string> = ["ready"]): Promise<void> =>
  vi.waitFor(
    async () => {
      const { repositories }: IndexStatus = await (await explorer.fetch("api/tongs/index")).json()
      assert.isNotEmpty(repositories)
      for (const { repo, state } of repositories) assert.include(states, state, repo)
    },
    { timeout: 180_000, interval: 200 }
  )

/** Navigates like a link of the page, without a reload. */
export const navigate = (page: Page, path: string): Promise<void> =>
  page.evaluate((path) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    history.pushState(null, "", path)
    dispatchEvent(new PopStateEvent("popstate"))
  }, path)

const firstLine = (program: ChildProcess.ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (program.stdout === null) return reject(new Error("No stdout"))
    Readline.createInterface(program.stdout).once("line", resolve)
    program.once("exit", (code) => reject(new Error(`tongs explore ended with ${code}`)))
  })

declare const axe: { readonly run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> }

const axeSource = Fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Waits until axe reports no violation. */
export const expectAccessible = (page: Page, what?: string): Promise<void> =>
  expectEventually(() => axeViolations(page), [], what)

/**
 * Violations of all or some axe rules, as text. Excludes the focus guards of menus, which have the focus only briefly.
 */
const axeViolations = async (page: Page, options: RunOptions = {}): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate(() => typeof axe === "undefined")) await page.evaluate(axeSource)
  const run = (options: RunOptions) => axe.run({ exclude: ["[data-base-ui-focus-guard]"] }, options)
  const { violations } = await page.evaluate(run, options)
  return violations.map(
    ({ help, id, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ""}`).join("; ")}`
  )
}

/** The number of views that `expectAccessibleInEveryTheme` has checked. */
let views = 0

/**
 * Checks overflow on the desktop, at 200 % zoom and on the phone, and accessibility, light and dark, without a reload:
 * at each size in `npm run test:long`, otherwise at one size, which is another one for the next view.
 */
export const expectAccessibleInEveryTheme = async (page: Page, what: string): Promise<void> => {
  const view = views++
  for (const [index, viewport] of [desktop, zoomed, phone].entries()) {
    await page.setViewportSize(viewport)
    await expectNoOverflow(page, `${what} at ${viewport.width} px`)
    if (!isLong && index !== view % 3) continue
    await page.emulateMedia({ colorScheme: "light" })
    await expectAccessible(page, `${what} at ${viewport.width} px`)
    await page.emulateMedia({ colorScheme: "dark" })
    // Dark mode changes only colours.
    const colours = { runOnly: ["color-contrast", "link-in-text-block"] }
    await expectEventually(() => axeViolations(page, colours), [], `${what}, dark`)
  }
}

/** Waits until the page is not wider than the window. */
export const expectNoOverflow = (page: Page, what: string): Promise<void> =>
  expectEventually(
    () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth)),
    0,
    `pixels too wide: ${what}`
  )

export const isInView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight
  }, selector)

/** A result with two matching lines of `hit`, and more matches that are not sent. */
export const fileHit = (path: string, more: Partial<FileHit> = {}): FileHit => ({
  _tag: "File",
  owner: "octo",
  repo: "hello",
  commit: "c".repeat(40),
  path,
  oid: "b".repeat(40),
  language: "TypeScript",
  size: 1_000,
  rank: 1,
  in_path: [],
  chunks: [
    {
      lines: [
        { number: 3, text: "// before", cut: 0, matches: [] },
        { number: 4, text: "const hit = 1", cut: 0, matches: [[6, 9]], symbol: "constant" },
        { number: 5, text: "// after", cut: 0, matches: [] }
      ]
    },
    {
      lines: [
        {
          number: 40,
          text: "  use(hit, { hit })",
          cut: 0,
          matches: [
            [6, 9],
            [13, 16]
          ]
        }
      ]
    }
  ],
  match_count: 7,
  why: [{ factor: "definition", points: 4 }],
  ...more
})

export interface StubbedIndex {
  readonly files: ReadonlyArray<FileHit>
  readonly commits?: ReadonlyArray<CommitHit>
  readonly done?: Partial<Done>
  readonly index?: Partial<IndexedRepository>
  readonly lines?: FileMatches["lines"]
}

/** Responds to the page's index requests. */
export const stubIndex = (given: StubbedIndex) => async (page: Page) => {
  const { commits = [], done, files, index, lines } = given
  const last: Done = {
    _tag: "Done",
    files: files.length + commits.length,
    matches: files.reduce((sum, { match_count: count }) => sum + count, 0),
    took: 7,
    incomplete: [],
    facets: {
      repo: count(files, ({ owner, repo }) => `${owner}/${repo}`),
      language: count(files, ({ language }) => language ?? "none"),
      path: count(files, ({ path }) => path.split("/", 1)[0] ?? ""),
      symbol: [{ value: "constant", count: files.length }]
    },
    facets_complete: true,
    notes: [],
    ...done
  }
  await page.route("**/api/tongs/**", (route) => {
    const { pathname } = new URL(route.request().url())
    // The real explorer answers requests for saved searches.
    if (/^\/api\/tongs\/(user\/|shared-searches)/.test(pathname)) return route.fallback()
    switch (pathname.replace(/\/repos\/[^/]+\/[^/]+\/(matches)?.*?(left-out)?$/, "/$1$2")) {
      case "/api/tongs/search":
        return route.fulfill({
          contentType: "application/x-ndjson",
          body: [...files, ...commits, last].map((event) => `${JSON.stringify(event)}\n`).join("")
        })
      case "/api/tongs/matches":
        return route.fulfill({ json: { lines: lines ?? [] } satisfies FileMatches })
      case "/api/tongs/left-out":
        return route.fulfill({
          json: [
            { path: "logo.png", size: 12_000, reason: "binary" },
            { path: "data.json", size: 900_000, reason: "size" }
          ] satisfies ReadonlyArray<LeftOutFile>
        })
      default:
        return route.fulfill({ json: { repositories: [{ ...repository, ...index }] } satisfies IndexStatus })
    }
  })
}

const repository: IndexedRepository = {
  owner: "octo",
  repo: "hello",
  state: "ready",
  commit: "c".repeat(40),
  committed_at: Schema.decodeSync(Timestamp)("2026-01-02T03:04:05Z"),
  files: 120,
  size: 1_000_000,
  languages: [
    { name: "TypeScript", size: 900_000 },
    { name: "CSS", size: 100_000 }
  ],
  left_out: 2
}

const count = (files: ReadonlyArray<FileHit>, value: (file: FileHit) => string) =>
  Array.from(Map.groupBy(files, value), ([value, files]) => ({ value, count: files.length }))
