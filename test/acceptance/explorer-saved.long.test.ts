/** Saved searches: in the explorer, in `tongs search`, and shared by a repository. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commit, git } from "./ForgeProcess.test-support.ts"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  launch,
  skipReason,
  waitForIndex
} from "./ExplorerBrowser.test-support.ts"
import { removeFolder, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const shared = JSON.stringify({ searches: [{ name: "unfinished work", query: "FIXME" }] })

/** Creates a repository in a folder. Returns the path. */
const repository = (folder: string): string => {
  const path = join(folder, "harbor")
  git(folder, ["init", "--quiet", "--initial-branch=main", path])
  commit(path, { "a.ts": "buoy(1)\nbuoy(2)\n", ".tongs/searches.json": shared }, "first")
  return path
}

/** Replaces the browser's notifications. Records notifications in the local storage, which has the permission, too. */
const recordNotifications = () => {
  class Recorder extends EventTarget {
    static get permission() {
      return localStorage.getItem("permission") ?? "default"
    }
    static readonly requestPermission = () => Promise.resolve(Recorder.permission)
    constructor(text: string) {
      super()
      const shown: ReadonlyArray<string> = JSON.parse(localStorage.getItem("shown") ?? "[]")
      localStorage.setItem("shown", JSON.stringify([...shown, text]))
      addEventListener("click-notification", () => this.dispatchEvent(new Event("click")))
    }
  }
  Object.assign(globalThis, { Notification: Recorder })
}

describe.skipIf(skipReason !== "")(`saved searches of the explorer${skipReason}`, () => {
  let explorer: Explorer
  let folder: string
  let path: string

  beforeAll(async () => {
    folder = Fs.mkdtempSync(join(Os.tmpdir(), "tongs-saved-"))
    path = repository(folder)
    explorer = await launch(["--repos", folder])
  })

  afterAll(async () => {
    await explorer?.close()
    removeFolder(folder)
  })

  it("are saved, show what is new, and are renamed and deleted", { timeout: 120_000 }, async () => {
    await waitForIndex(explorer)
    const { errors, page } = await explorer.open("search?q=buoy")
    await page.getByRole("button", { name: "Save this search" }).click()
    await page.getByRole("button", { name: "Actions for buoy" }).waitFor()
    // One line moves, and one is new.
    commit(path, { "a.ts": "buoy(2)\n", "b.ts": "  buoy(1)\nbuoy(3)\n" }, "move")
    await page.goto(explorer.url)
    await page.getByRole("link", { name: "1 new result of buoy" }).click()
    await page.getByText("1 new line").waitFor()
    assert.deepStrictEqual(await page.locator(".new-lines code").allTextContents(), ["buoy(3)"])
    assert.include(await page.locator(".new-results").textContent(), "New since")
    await expectAccessibleInEveryTheme(page, "new results")
    await page.getByRole("button", { name: "Mark as seen" }).press("Enter")
    await page.getByText("Nothing new").waitFor()

    await page.goto(explorer.url)
    await page.getByText(/Shared by .*\/harbor/).waitFor()
    await page.getByRole("link", { name: "unfinished work" }).waitFor()
    assert.strictEqual(await page.locator(".new-count").count(), 0)
    await page.getByRole("button", { name: "Actions for buoy" }).press("Enter")
    await page.getByRole("menuitem", { name: "Rename" }).click()
    await page.getByRole("textbox", { name: "Name of the saved search" }).fill("buoys <b>")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "buoys <b>" }).waitFor()
    await expectAccessibleInEveryTheme(page, "saved searches")
    await page.getByRole("button", { name: "Actions for buoys" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("link", { name: "buoys <b>" }).waitFor({ state: "detached" })
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("notify of new results once, also after a reload", { timeout: 60_000 }, async () => {
    await waitForIndex(explorer)
    const { page } = await explorer.open("search?q=lantern", {
      prepare: (page) => page.addInitScript(recordNotifications)
    })
    const notify = async () => {
      await page.getByRole("button", { name: "Actions for lantern" }).click()
      await page.getByRole("menuitem", { name: "Notify me" }).click()
    }
    await page.getByRole("button", { name: "Save this search" }).click()
    await page.evaluate(() => localStorage.setItem("permission", "denied"))
    await notify()
    await page.getByText("The browser does not allow notifications of this page.").waitFor()
    await page.evaluate(() => localStorage.setItem("permission", "granted"))
    await notify()
    const shown = () => page.evaluate(() => JSON.parse(localStorage.getItem("shown") ?? "[]"))
    commit(path, { "l.ts": "lantern(1)\n" }, "light")
    await page.reload()
    await expectEventually(shown, ["1 new result: lantern"])
    const again = page.waitForResponse(/saved-searches\/\d+\/new$/)
    await page.reload()
    await again
    commit(path, { "l.ts": "lantern(1)\nlantern(2)\n" }, "more light")
    await page.reload()
    await expectEventually(shown, ["1 new result: lantern", "2 new results: lantern"])
    await page.evaluate(() => dispatchEvent(new Event("click-notification")))
    await page.getByText("2 new lines").waitFor()
    await page.context().close()
  })

  it("can be changed by the page only", async () => {
    const { page } = await explorer.open("")
    const cookies = await page.context().cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) =>
      (
        await fetch(new URL(path, explorer.url), {
          method,
          headers: { cookie, "content-type": "application/json", ...headers },
          body: JSON.stringify({ name: "x", query: "x" })
        })
      ).status
    const url = "api/tongs/user/saved-searches"
    const origin = new URL(explorer.url).origin
    assert.strictEqual(await send("POST", url, {}), 405)
    assert.strictEqual(await send("POST", url, { origin: "https://evil.example" }), 403)
    assert.strictEqual(await send("POST", url, { origin, "sec-fetch-site": "cross-site" }), 403)
    assert.strictEqual(await send("POST", url, { origin, cookie: "" }), 401)
    assert.strictEqual(await send("POST", "api/repositories", { origin }), 405)
    assert.strictEqual(await send("POST", url, { origin }), 200)
    await page.context().close()
  })
})

describe("tongs search with saved searches", () => {
  it("prints what is new, marks it as seen, and runs shared searches", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder()
    const path = repository(folder)
    const { tongs } = shell(folder)
    const run = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await tongs([...args, "--repos", path, "--data", join(folder, "data")])
      return { code, stderr, stdout: stdout.toString() }
    }
    const created = await run("saved-searches", "create", "--name", "buoys", "--query", "buoy")
    assert.strictEqual(created.code, 0, created.stderr)
    const none = await run("search", "--since", "buoys")
    assert.deepStrictEqual([none.code, none.stdout], [0, ""])
    assert.match(none.stderr, /^No new lines since the results were seen /)

    commit(path, { "a.ts": "buoy(2)\nbuoy(1)\nbuoy(3)\n" }, "more")
    const found = await run("search", "--since", "Buoys", "--seen")
    assert.deepStrictEqual([found.code, found.stdout.split("\n")[0]?.replace(/^[^:]*:/, "")], [0, "a.ts:3:buoy(3)"])
    assert.include(found.stderr, "1 new line since")
    const json = await run("search", "--since", "buoys", "--json")
    assert.strictEqual(JSON.parse(json.stdout).count, 0)

    commit(path, { "c.ts": "FIXME\n" }, "unfinished")
    // The command also searches the files of the work tree.
    git(path, ["reset", "--quiet", "--hard"])
    assert.include((await run("search", "--saved", "unfinished work")).stdout, "c.ts:1:FIXME")
    const unknown = await run("search", "--since", "unfinished work")
    assert.deepStrictEqual([unknown.code, unknown.stderr.includes("No saved search 'unfinished work'")], [2, true])
    const revision = await run("search", "--since", "HEAD~3")
    assert.deepStrictEqual([revision.code, revision.stderr.includes("not a date or a git revision")], [2, true])
    assert.strictEqual((await run("search", "--seen", "x")).code, 2)
    assert.strictEqual((await run("search")).code, 2)
  })
})
