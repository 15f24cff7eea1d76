/** Access to the explorer: link, screen readers, phones, large screens; and the size of the scripts. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { onTestFinished, vi } from "vitest"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import { Timestamp } from "@tongs/core/contract/Scalars"
import {
  desktop,
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  fileHit,
  expectNoOverflow,
  hasFocus,
  launch,
  skipReason,
  phone,
  searchBox,
  stubIndex
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import { temporaryFolder, TIMEOUT, program } from "./TongsCommand.test-support.ts"

/** Results in two repositories and languages. */
const files = [
  fileHit("src/first.ts", { rank: 9 }),
  fileHit("lib/second.go", { rank: 7, language: "Go", chunks: [], match_count: 0, in_path: [[4, 7]] }),
  fileHit("src/third.ts", { rank: 3, repo: "other", match_count: 30 })
]

/** A commit whose matches are at the end of a long message, and of a long line. */
const commit: CommitHit = {
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha: "d".repeat(40),
  author: { name: "Ada", email: "ada@example.org", date: Timestamp.make("2026-01-02T03:04:05Z") },
  committer: { name: "Ada", email: "ada@example.org", date: Timestamp.make("2026-01-02T03:04:05Z") },
  message: `Change it\n\n${"A line of the message.\n".repeat(30)}hit`,
  in_message: [[11 + 23 * 30, 11 + 23 * 30 + 3]],
  files: [
    {
      path: "src/first.ts",
      lines: [{ change: "added", number: 4, text: `${"word ".repeat(60)}hit`, matches: [[300, 303]] }]
    }
  ]
}

describe.skipIf(skipReason !== "")(`tongs explore, access${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  const views: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
    ["home", "", ".card"],
    ["results", "search?q=hit", "[data-result='0']"],
    ["commits", "search?q=type:diff+hit", ".commit mark"],
    ["nothing found", "search?q=none", ".results-main .notice"],
    ["a wrong query", "search?q=%22open", ".notice"],
    ["unindexed files", "unindexed?repo=octo/hello", ".entries"]
  ]
  for (const [name, path, ready] of views) {
    it(`axe reports no violation: ${name}`, async () => {
      const { errors, page } = await explorer.open(path, {
        reducedMotion: "reduce",
        prepare: stubIndex(
          path.includes("type:diff") ? { files: [], commits: [commit] } : { files: path.endsWith("none") ? [] : files }
        )
      })
      await page.locator(ready).first().waitFor()
      await expectAccessibleInEveryTheme(page, name)
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  }

  it("shows every match of a commit without scrolling", async () => {
    const { page } = await explorer.open("search?q=type:diff+hit", {
      prepare: stubIndex({ files: [], commits: [commit] })
    })
    const visibleMatches = () =>
      page.evaluate(
        () =>
          Array.from(document.querySelectorAll(".commit mark")).filter((mark) => {
            const { bottom, left, right, top } = mark.getBoundingClientRect()
            return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === mark
          }).length
      )
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      await expectEventually(visibleMatches, 2, `at ${viewport.width} px`)
    }
    await page.context().close()
  })

  inLongTests(() => {
    it("axe reports no violation: menus and dialogs", async () => {
      const { page } = await explorer.open("search?q=hit", { reducedMotion: "reduce", prepare: stubIndex({ files }) })
      await page.locator("[data-result='0']").waitFor()
      await page.getByRole("button", { name: "Sort: best match" }).click()
      await page.getByRole("menu").waitFor()
      await expectAccessible(page, "the menu")
      await page.keyboard.press("Escape")
      await page.getByRole("menu").waitFor({ state: "detached" })
      await page.locator("[data-result='0']").focus()
      await page.locator(".result").first().getByRole("button", { name: "Explain rank" }).click()
      await page.getByText("+4").waitFor()
      await expectAccessible(page, "the explanation of a rank")
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.locator("[data-result='0']").focus()
      await page.keyboard.press("?")
      await page.getByRole("dialog").waitFor()
      await expectAccessible(page, "the help")
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.keyboard.press("/")
      await hasFocus(searchBox(page))
      await page.keyboard.type(" lang")
      await page.getByRole("option", { name: "language:" }).waitFor()
      await expectAccessible(page, "the suggestions")
      await page.context().close()
    })
  })

  it("shows only a hint to a browser without the link", async () => {
    for (const path of ["", "search?q=hit", "file?repo=octo/hello&path=a.ts"]) {
      const { requests, page } = await explorer.open(path, { isSignedOut: true })
      await page.getByRole("heading", { name: "This page needs its link" }).waitFor()
      assert.strictEqual(await page.locator("a, form, script, link, img").count(), 0)
      assert.deepStrictEqual(
        requests.filter((url) => url.includes("/api/") || url.includes("/assets/")),
        []
      )
      await expectAccessibleInEveryTheme(page, `without the link: ${path}`)
      await page.context().close()
    }
  })

  it("lets a browser in by its link, and removes the secret from address and history", async () => {
    const { page } = await explorer.open("search?q=hit", { isSignedOut: true, prepare: stubIndex({ files }) })
    const linked = new URL(explorer.link)
    linked.pathname = "/search"
    linked.searchParams.set("q", "hit")
    await page.goto(linked.href)
    await page.locator("[data-result='0']").waitFor()
    assert.strictEqual(page.url(), new URL("search?q=hit", explorer.url).href)
    assert.deepStrictEqual(await page.evaluate(() => [document.cookie, document.referrer]), ["", ""])
    await page.goto(explorer.url)
    await page.locator(".card").first().waitFor()
    await page.goBack()
    assert.notInclude(page.url(), "token")
    await page.context().close()
  })

  inLongTests(() => {
    it("lets a browser in that comes from a file or another site", async () => {
      const file = Path.join(temporaryFolder(), "open.html")
      Fs.writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${explorer.link}">`)
      const { page } = await explorer.open("", { isSignedOut: true })
      await page.goto(pathToFileURL(file).href)
      await page.locator(".card").first().waitFor()
      await page.goto(`data:text/html,<a href="${explorer.url}unindexed?repo=octo/hello">elsewhere</a>`)
      await page.getByRole("link", { name: "elsewhere" }).click()
      await page.getByRole("combobox", { name: "Search the code" }).waitFor()
      await page.context().close()
    })
  })

  it("filters results on a phone", async () => {
    const { page } = await explorer.open("search?q=hit", {
      viewport: phone,
      hasTouch: true,
      reducedMotion: "reduce",
      prepare: stubIndex({ files })
    })
    await page.getByRole("button", { name: "Filters" }).tap()
    await page.getByRole("dialog", { name: "Filters" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Go 1" }).tap()
    await page.waitForURL(/language/)
    await page.getByRole("button", { name: "Show the results" }).tap()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.context().close()
  })

  inLongTests(() => {
    it("fits screens from 360 pixels to 4K", async () => {
      for (const [path, ready] of [
        ["", ".card"],
        ["search?q=hit", "[data-result='0']"]
      ] as const) {
        // pairs
        const { page } = await explorer.open(path, { prepare: stubIndex({ files }) })
        await page.locator(ready).first().waitFor()
        for (const viewport of [
          { width: 3840, height: 2160 },
          { width: 768, height: 1024 },
          { width: 360, height: 640 }
        ]) {
          await page.setViewportSize(viewport)
          await expectNoOverflow(page, `${path} at ${viewport.width} px`)
        }
        await page.context().close()
      }
    })
  })

  it("loads less than 300 kB of scripts before the editor", async () => {
    const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
    await page.locator("[data-result='0']").waitFor()
    const bytes = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith(".js"))
          .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0)
      )
    await expectEventually(async () => (await bytes()) > 50_000, true)
    assert.isBelow(await bytes(), 300_000)
    await page.context().close()
  })
})

describe.skipIf(process.platform !== "linux")("tongs explore --open", () => {
  it("passes the link to the browser in a file that other accounts cannot read", async () => {
    const home = temporaryFolder()
    const opened = Path.join(home, "opened")
    Fs.writeFileSync(
      Path.join(home, "xdg-open"),
      `#!/bin/sh\nprintf %s "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`,
      {
        mode: 0o755
      }
    )
    const child = spawn(process.execPath, [program, "explore", "--port", "0", "--json", "--open"], {
      cwd: home,
      env: { PATH: `${home}:${process.env["PATH"]}`, HOME: home },
      stdio: ["ignore", "pipe", "ignore"]
    })
    const ended = once(child, "exit")
    onTestFinished(async () => {
      child.kill("SIGKILL")
      await ended
    })
    const [line] = await once(createInterface(child.stdout), "line")
    const { token, url } = JSON.parse(String(line))
    await vi.waitFor(() => assert.isTrue(Fs.existsSync(opened)), { timeout: TIMEOUT })
    const address = Fs.readFileSync(opened, "utf8")
    assert.notInclude(address, token)
    const file = new URL(address)
    assert.include(Fs.readFileSync(file, "utf8"), `${url}?token=${token}`)
    assert.strictEqual(Fs.statSync(file).mode & 0o077, 0)
    child.kill("SIGTERM")
    await ended
    assert.isFalse(Fs.existsSync(file))
  })
})
