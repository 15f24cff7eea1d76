/** The explorer's start page over the demonstration: examples, and many repositories. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  hasFocus,
  launch,
  phone,
  skipReason,
  waitForIndex
} from "./ExplorerBrowser.test-support.ts"

const repository = (at: number) => ({
  owner: at % 2 === 0 ? "octo" : "acme",
  repo: `project-${String(at).padStart(4, "0")}`,
  description: at % 3 === 0 ? null : `Number ${at} of many`,
  defaultBranch: "main",
  language: at % 5 === 0 ? "Rust" : "Go",
  private: at % 7 === 0,
  archived: at % 11 === 0,
  size: at * 1_000,
  pushedAt: new Date(Date.UTC(2026, 0, 1) - at * 3_600_000).toISOString()
})

const stubRepositories = (count: number) => (page: Page) =>
  page.route("**/api/repositories", (route) =>
    route.fulfill({
      json: {
        repositories: Array.from({ length: count }, (_, at) => repository(at)),
        more: false
      }
    })
  )

const names = (page: Page) => page.locator(".repository-name a").allTextContents()

describe.skipIf(skipReason !== "")(`tongs explore --demo${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  it("offers only examples that find something", async () => {
    await waitForIndex(explorer, ["ready", "empty"])
    const { page } = await explorer.open("")
    const examples = page.getByRole("list", { name: "Examples" }).getByRole("link")
    await examples.nth(4).waitFor()
    const found = await examples.allTextContents()
    assert.isAtLeast(found.length, 5)
    for (const q of sample(found)) {
      await page.goto(explorer.url)
      await page.getByRole("link", { name: q, exact: true }).click()
      await page.waitForURL(({ searchParams }) => searchParams.get("q") === q)
      await page.getByRole("heading", { name: /^\d+ (file|commit)s?/ }).waitFor()
    }
    await page.context().close()
  })

  inLongTests(() => {
    it("lists many repositories with a filter, by keyboard and by mouse", async () => {
      const { page } = await explorer.open("", { prepare: stubRepositories(1_000) })
      await page.getByText("1,000 repositories").waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("f")
      const filter = page.getByRole("textbox", { name: "Filter the repositories" })
      await hasFocus(filter)
      await page.keyboard.type("acme/project-002 go")
      await page.getByText("4 of 1,000").waitFor()
      await expectEventually(
        () => names(page),
        ["acme/project-0021", "acme/project-0023", "acme/project-0027", "acme/project-0029"]
      )
      await page.keyboard.press("ArrowDown")
      await hasFocus(page.getByRole("link", { name: "acme/project-0021" }))
      await page.keyboard.press("j")
      await hasFocus(page.getByRole("link", { name: "acme/project-0023" }))
      await page.keyboard.press("Enter")
      await page.waitForURL(/tree\?repo=acme\/project-0023$/)
      await page.goBack()
      await expectEventually(() => filter.inputValue(), "acme/project-002 go")
      await page.getByText("4 of 1,000").waitFor()
      await filter.fill("")
      await page.getByRole("combobox", { name: "Sort the repositories" }).selectOption("Size")
      await expectEventually(async () => (await names(page))[0], "acme/project-0999")
      await filter.fill("no such repository")
      await page.getByText("No repository matches the filter.").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("renders few of a thousand repositories, and reaches the last", async () => {
      const { page } = await explorer.open("", { prepare: stubRepositories(1_000) })
      await page.getByText("1,000 repositories").waitFor()
      assert.isAtMost(await page.locator(".repository-row").count(), 60)
      await page.mouse.move(400, 800)
      await expectEventually(async () => {
        await page.mouse.wheel(0, 10_000)
        return page.locator("[aria-posinset='1000']").count()
      }, 1)
      assert.isAtMost(await page.locator(".repository-row").count(), 60)
      await page.context().close()
    })
  })

  it("is accessible with many repositories, and fits at 200 % zoom", async () => {
    const { page } = await explorer.open("", { prepare: stubRepositories(60) })
    await page.getByText("60 repositories").waitFor()
    await expectAccessibleInEveryTheme(page, "many repositories")
    for (const viewport of [{ width: 720, height: 450 }, phone]) {
      await page.setViewportSize(viewport)
      await expectEventually(
        () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth)),
        0
      )
    }
    await page.context().close()
  })
})
