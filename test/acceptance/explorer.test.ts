/**
 * The explorer as a person meets it: the built `tongs explore` over this very repository, in a real browser, by
 * keyboard.
 */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Readline from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const root = Path.resolve(import.meta.dirname, "../..")

const browserPath = ["/usr/bin", ...(process.env["PATH"] ?? "").split(Path.delimiter)]
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => Path.join(folder, name)))
  .find((path) => Fs.existsSync(path))

const hasHistory = ChildProcess.spawnSync("git", ["rev-parse", "--verify", "HEAD"], { cwd: root }).status === 0

const missing =
  browserPath === undefined ? " (skipped: no Chromium here)" : hasHistory ? "" : " (skipped: no commits here)"

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

describe.skipIf(missing !== "")(`tongs explore${missing}`, () => {
  let home: string
  let tongs: ChildProcess.ChildProcess
  let url: string
  let browser: Browser

  beforeAll(async () => {
    home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-explore-"))
    tongs = ChildProcess.spawn(
      process.execPath,
      ["apps/cli/dist/tongs.js", "explore", "--port", "0", "--json", "--data", Path.join(home, "data")],
      { cwd: root, env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home }, stdio: ["ignore", "pipe", "inherit"] }
    )
    const [started, opened] = await Promise.all([
      firstLine(tongs),
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
    ])
    const line: { readonly url: string } = JSON.parse(started)
    url = line.url
    browser = opened
  })

  afterAll(async () => {
    await browser?.close()
    tongs?.kill()
    Fs.rmSync(home, { recursive: true, force: true })
  })

  /** A page in a browser of its own, with everything it asked for and everything it complained about. */
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const page = await browser.newPage({ viewport: DESK, ...options })
    const asked: Array<string> = []
    const complaints: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    page.on("pageerror", (error) => complaints.push(error.message))
    await page.goto(new URL(path, url).href)
    return { page, asked, complaints }
  }

  it("finds a word of this repository, and Enter opens the file at the line", async () => {
    const { asked, complaints, page } = await open("")
    // The box has the focus from the start.
    await page.locator("input:focus").waitFor()
    await page.keyboard.type("createRoot filename:main.tsx")
    await page.keyboard.press("Enter")
    const hit = page.locator("[data-hit='0']")
    await page.locator("[data-hit='0']:focus").waitFor()
    assert.include(await hit.textContent(), "apps/explorer/src/page/main.tsx")
    assert.strictEqual(await page.locator(".piece mark").first().textContent(), "createRoot")

    await page.keyboard.press("Enter")
    await page.waitForURL(/\/file\?.*#L\d+$/)
    const line = page.locator(".line[data-chosen]")
    await line.waitFor()
    assert.include(await line.textContent(), "createRoot")
    assert.isTrue(await inView(page, ".line[data-chosen]"))
    assert.strictEqual(await line.locator("mark").first().textContent(), "createRoot")

    const there = page.url()
    await page.reload()
    await line.waitFor()
    assert.strictEqual(page.url(), there)
    assert.isTrue(await inView(page, ".line[data-chosen]"))

    await page.keyboard.press("Escape")
    await page.waitForURL(/\/search\?/)
    await page.locator("[data-hit='0']:focus").waitFor()

    assert.deepStrictEqual(complaints, [])
    assert.deepStrictEqual(
      asked.filter((request) => !request.startsWith(url)),
      []
    )
    await page.context().close()
  })

  it("says what is wrong with a query while it is typed, and asks nobody", async () => {
    const { asked, page } = await open("")
    await page.locator("input:focus").waitFor()
    await page.keyboard.insertText("repo:tongs")
    await page.getByText("Name the repository with its owner, as repo:owner/name.").waitFor()
    await page.keyboard.press("Enter")
    assert.deepStrictEqual(
      asked.filter((request) => request.includes("/api/search")),
      []
    )
    assert.strictEqual(new URL(page.url()).pathname, "/")
    await page.context().close()
  })

  it("walks the results by j and k, and shows its keys", async () => {
    const { page } = await open("search?q=effect")
    await page.locator("[data-hit='1']").waitFor()
    await page.keyboard.press("Escape")
    for (const [key, hit] of [
      ["j", "0"],
      ["j", "1"],
      ["k", "0"]
    ] as const) {
      // pairs
      await page.keyboard.press(key)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("data-hit")), hit)
    }
    await page.keyboard.press("?")
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor({ state: "hidden" })
    await page.keyboard.press("/")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "INPUT")
    await page.context().close()
  })

  it("fits a phone, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      // one of the two names
      const { complaints, page } = await open("search?q=effect", { viewport: PHONE, colorScheme })
      await page.locator("[data-hit='0']").waitFor()
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width)
      assert.deepStrictEqual(complaints, [])
      await page.context().close()
    }
  })
})

const firstLine = (program: ChildProcess.ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (program.stdout === null) return reject(new Error("no output"))
    Readline.createInterface(program.stdout).once("line", resolve)
    program.once("exit", (code) => reject(new Error(`tongs explore ended with ${code}`)))
  })

const inView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight
  }, selector)
