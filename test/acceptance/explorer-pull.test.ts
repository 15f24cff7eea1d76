/** Pull requests in the explorer: their tabs and states, access, and hostile texts. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  desktop,
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  expectNoOverflow,
  type Explorer,
  hasFocus,
  launch,
  phone,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import * as ExplorerIssues from "./ExplorerIssues.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as HostileRepository from "./HostileRepository.test-support.ts"

const LIGHTHOUSE = "north-pier/lighthouse"

/** Waits for a text of the head of a pull request. */
const head = (page: Page, text: string) =>
  page.locator(".issue-status, .pull-state").getByText(text, { exact: false }).first().waitFor()

describe.skipIf(skipReason !== "")(`pull requests of the demonstration in tongs explore${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  it("lists open and closed ones, and leads from an issue's address to a pull request", async () => {
    const { errors, page } = await explorer.open(`${LIGHTHOUSE}/pulls`)
    await page.getByText("8 open").waitFor()
    const rows = page.locator(".issue-list > li")
    await expectEventually(() => rows.count(), 8)
    await page.keyboard.press("j")
    await hasFocus(rows.first().getByRole("link"))
    await expectAccessibleInEveryTheme(page, "the list of pull requests")
    await page.getByRole("link", { name: "4 closed" }).click()
    await expectEventually(
      () => rows.locator(".issue-mark").evaluateAll((marks) => marks.map((mark) => mark.getAttribute("aria-label"))),
      ["Closed pull request", "Merged pull request", "Merged pull request", "Merged pull request"]
    )
    await page.goto(new URL(`${LIGHTHOUSE}/issues/38`, explorer.url).href)
    await page.getByRole("heading", { level: 1, name: /^Give the ferry the state of the lamp as JSON #38/ }).waitFor()
    assert.strictEqual(new URL(page.url()).pathname, "/pull")
    await page.goto(new URL(`${LIGHTHOUSE}/pull/12`, explorer.url).href)
    await page.getByRole("link", { name: "Open issue #12" }).click()
    // A reference leads back to the pull requests.
    await page.getByRole("link", { name: /Open pull request ?Give the ferry/ }).click()
    await head(page, "tilda wants to merge 2 commits into main from tilda:ferry-signals")
    await page.keyboard.press("u")
    await page.getByRole("heading", { level: 1, name: "Pull requests" }).waitFor()
    assert.deepStrictEqual(
      errors.filter((error) => !error.includes("404")),
      []
    )
    await page.context().close()
  })

  inLongTests(() => {
    it("says in words which state each has, and why it cannot be merged", async () => {
      const { errors, page } = await explorer.open(`${LIGHTHOUSE}/pull/35`)
      for (const [number, ...texts] of [
        [35, "Draft", "This is a draft", "0 of 1 check passed, 1 failed"],
        [34, "Open", "This can be merged, but some checks have not passed."],
        [36, "Closed", "wanted to merge 1 commit", "ada closed this"],
        [37, "its changes conflict with main"],
        [38, "1 of 4 checks passed, 3 running"],
        [39, "This can be merged.", "2 of 3 checks passed, 1 skipped"],
        [40, "This can be merged."],
        [41, "a rule of release/1.0 is not met", "Not passed: visibility."],
        [4, "Merged", "ada merged 2 commits into main from lamp-in-fog as a4a3232"],
        [7, "ada merged 2 commits into main from fog-horn"]
      ] as const) {
        await page.goto(new URL(`${LIGHTHOUSE}/pull/${number}`, explorer.url).href)
        for (const text of texts) await head(page, text)
      }
      // The conversation has the merge, and its commit the pull request.
      await page.locator(".event").getByText("merged this as commit").getByRole("link").click()
      await page.getByRole("heading", { level: 2, name: "Merge branch 'fog-horn'" }).waitFor()
      await page.getByRole("link", { name: /Merged pull request ?Sound a horn/ }).waitFor()
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  })

  it("shows the commits, and the checks with their annotations", async () => {
    const { errors, page } = await explorer.open(`${LIGHTHOUSE}/pull/42`)
    await page.getByRole("link", { name: "1 of 4 checks passed, 3 failed" }).click()
    const lint = page.locator(".check-group li", { hasText: "2 errors and 1 warning" }).first()
    await lint.locator(".markdown table").waitFor()
    await lint.getByRole("link", { name: /^Details on harbourmaster\.example *of lint$/ }).waitFor()
    await expectEventually(() => lint.locator(".annotations > li").count(), 3)
    await page.getByRole("region", { name: "Statuses" }).getByText("The anemometer is frozen").waitFor()
    await expectAccessibleInEveryTheme(page, "checks")
    await page.setViewportSize(phone)
    await expectNoOverflow(page, "checks")
    await page.setViewportSize(desktop)
    await lint.getByRole("link", { name: "src/wind.c:4–5" }).click()
    await page.waitForURL(/file\?.*#L4-L5$/)
    await page.goBack()

    await page.getByRole("link", { name: "Commits 2" }).click()
    const commits = page.locator(".pull-commits li")
    await expectEventually(() => commits.count(), 2)
    await expectAccessible(page, "commits")
    await commits.first().getByRole("link").click()
    await page.getByRole("heading", { level: 2, name: "Write the wind into the log" }).waitFor()
    await page.getByRole("link", { name: /Open pull request ?Write the wind/ }).waitFor()

    await page.goto(new URL(`${LIGHTHOUSE}/pull/40/checks`, explorer.url).href)
    await page.getByRole("heading", { name: "No checks" }).waitFor()
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("shows renamed, binary, executable and large files with the keys of a comparison", async () => {
    const { errors, page } = await explorer.open(`${LIGHTHOUSE}/pull/39/files`)
    const list = page.getByRole("main")
    await list.getByText("4 changed files").waitFor()
    await list.getByText("docs/manual.md").first().waitFor()
    await list.getByText("File renamed without changes.").waitFor()
    await list.getByText("100644 → 100755").waitFor()
    await expectEventually(
      () => page.locator(".diff-images img").evaluateAll((all) => all.map((one) => one.clientWidth > 0)),
      [true]
    )
    await page.keyboard.press("j")
    await page.keyboard.press("v")
    await list.getByText("1 of 4 viewed").waitFor()
    await expectAccessible(page, "files")
    await page.locator(".diff-number").first().click()
    await page.waitForURL(/pull\?.*tab=files&file=.*#[LR]\d+$/)
    await page.setViewportSize(phone)
    await expectNoOverflow(page, "files")
    await page.setViewportSize(desktop)
    await page.goto(new URL(`${LIGHTHOUSE}/pull/40/files`, explorer.url).href)
    await list.getByText("366 changed files").waitFor()
    await page.getByRole("button", { name: "Load diff of tides/2025.csv" }).waitFor()
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  inLongTests(() => {
    it("says what a forge without the extension does not list", async () => {
      const { page } = await explorer.open(`${LIGHTHOUSE}/pull/40/files`, {
        prepare: (page) =>
          Promise.all([
            page.route("**/api/pull?**", async (route) => {
              const response = await route.fetch()
              await route.fulfill({ response, json: { ...(await response.json()), changedFiles: 4_120, commits: 312 } })
            }),
            page.route("**/api/pull-changes?**", async (route) => {
              const response = await route.fetch()
              const body = await response.json()
              const files = body.files.slice(0, 2)
              await route.fulfill({ response, json: { ...body, files, totalFiles: 2, hasPages: false } })
            })
          ])
      })
      await page.getByText("These are the first 2 of 4,120 files. The forge does not list the others.").waitFor()
      await page.getByRole("link", { name: "Commits 312" }).click()
      await page.getByText("These are the first 2 of 312 commits.").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("asks again until it is known whether it can be merged", async () => {
      let count = 0
      const { page } = await explorer.open(`${LIGHTHOUSE}/pull/40`, {
        prepare: (page) =>
          page.route("**/api/pull?**", async (route) => {
            const response = await route.fetch()
            const known = await response.json()
            await route.fulfill({ response, json: count++ === 0 ? { ...known, mergeability: "checking" } : known })
          })
      })
      await head(page, "The forge is checking whether this can be merged…")
      await head(page, "This can be merged.")
      await page.context().close()
    })
  })

  it("runs and loads nothing of hostile texts", async () => {
    const { html, names, text } = HostileRepository
    const hostile = `<img src=x onerror="top.owned=1"> \u202e${names[8]}`
    const url = "javascript:top.owned=1"
    const addresses: Array<string> = []
    const json = (page: Page, path: string, change: (body: Record<string, unknown>) => object) =>
      page.route(`**/api/${path}?**`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: change(await response.json()) })
      })
    const run = { id: 1, name: hostile, suite: 1, status: "completed", startedAt: null, completedAt: null, url }
    const { page, requests } = await explorer.open(`${LIGHTHOUSE}/pull/42`, {
      bypassCSP: true,
      viewport: { width: 380, height: 800 },
      prepare: async (page) => {
        page.on("framenavigated", (frame) => addresses.push(frame.url()))
        await json(page, "pull", (pull) => ({
          ...pull,
          title: hostile,
          html,
          mergeability: hostile,
          head: { repository: null, owner: hostile, name: hostile, commit: "c".repeat(40), isDeleted: false }
        }))
        await page.route("**/api/checks?**", (route) =>
          route.fulfill({
            json: {
              suites: [{ id: 1, app: hostile, status: "completed", conclusion: hostile }],
              runs: [{ ...run, conclusion: hostile, title: hostile, summary: text, text: html, annotations: 1 }],
              totalRuns: 1,
              statuses: [{ context: hostile, state: hostile, description: hostile, url, updatedAt: "never" }],
              totalStatuses: 1
            }
          })
        )
        await page.route("**/api/annotations?**", (route) => {
          const one = { path: hostile, firstLine: -1, lastLine: -2, level: hostile, title: hostile }
          return route.fulfill({ json: { annotations: [{ ...one, message: text, details: text }], next: null } })
        })
      }
    })
    await page.getByRole("heading", { level: 1 }).getByText("<U+202E>").waitFor()
    await page.getByText("(unknown repository)").waitFor()
    await expectNoOverflow(page, "a hostile pull request")
    await page.getByRole("link", { name: /^Checks/ }).click()
    await page.locator(".annotations > li").waitFor()
    await page.locator(".check-report .markdown").first().waitFor()
    await page.waitForLoadState("networkidle")
    assert.strictEqual(await page.locator("a[href^='javascript' i]").count(), 0)
    assert.isFalse(await page.evaluate(() => "owned" in window))
    assert.isEmpty([...requests, ...addresses].filter((url) => !url.startsWith(explorer.url)))
    await expectNoOverflow(page, "hostile checks")
    await page.context().close()
  })
})

describe.skipIf(skipReason !== "")(`access to pull requests in tongs explore${skipReason}`, () => {
  it("shows nothing of private pull requests to other users", async () => {
    const forge = await ExplorerIssues.start()
    const at = "/repos/acme/vault"
    const content = Buffer.from("gold\n").toString("base64")
    const put = (path: string, branch?: string) =>
      forge.send("ann", "PUT", `${at}/contents/${path}`, {
        message: "Hide the gold",
        content,
        ...(branch === undefined ? {} : { branch })
      })
    const first = await put("a.txt")
    await forge.send("ann", "POST", `${at}/git/refs`, { ref: "refs/heads/more", sha: first.commit.sha })
    const second = await put("b.txt", "more")
    await forge.send("ann", "POST", `${at}/pulls`, { title: "More gold", head: "more", base: "main" })
    const [own, others] = await Promise.all([forge.explorer("ann"), forge.explorer("eve")])
    for (const [tab, text] of [
      ["", "More gold"],
      ["/commits", "Hide the gold"],
      ["/files", "b.txt"]
    ] as const) {
      const seen = await own.open(`acme/vault/pull/1${tab}`)
      await seen.page.getByText(text).first().waitFor()
      const { page } = await others.open(`acme/vault/pull/1${tab}`)
      await page.getByRole("heading", { name: "Not found" }).waitFor()
      assert.notInclude(await page.content(), "gold")
      await page.context().close()
    }
    const head = `ref=${second.commit.sha}`
    for (const path of [
      "pull?number=1",
      "pull-commits?number=1",
      "pull-threads?number=1",
      `commit-pulls?${head}`,
      `checks?${head}`
    ]) {
      assert.strictEqual((await own.fetch(`api/${path}&owner=acme&repo=vault`)).status, 200, path)
      assert.strictEqual((await others.fetch(`api/${path}&owner=acme&repo=vault`)).status, 404, path)
    }
  })
})
