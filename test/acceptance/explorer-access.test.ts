/** Who can use the explorer: with a screen reader, on a phone, on a large screen; and what it makes them load. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  axeFindsNothing,
  axeFindsNothingInAnyLook,
  becomes,
  type Explorer,
  fileHit,
  fits,
  hasFocus,
  launch,
  missing,
  PHONE,
  searchBox,
  withIndex
} from "./Explorer.test-support.ts"

/** Files of two repositories and languages. */
const files = [
  fileHit("src/first.ts", { rank: 9 }),
  fileHit("lib/second.go", { rank: 7, language: "Go", chunks: [], matchCount: 0, inPath: [[4, 7]] }),
  fileHit("src/third.ts", { rank: 3, repo: "other", matchCount: 30 })
]

describe.skipIf(missing !== "")(`tongs explore, for everybody${missing}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch()
  })

  afterAll(() => explorer?.close())

  const views: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
    ["home", "", ".card"],
    ["results", "search?q=hit", "[data-hit='0']"],
    ["nothing found", "search?q=none", ".found .notice"],
    ["a wrong query", "search?q=%22open", ".notice"],
    ["left out", "left-out?repo=octo/hello", ".entries"]
  ]
  for (const [name, path, ready] of views) {
    it(`axe finds nothing: ${name}`, async () => {
      const { complaints, page } = await explorer.open(path, {
        reducedMotion: "reduce",
        before: withIndex({ files: path.endsWith("none") ? [] : files })
      })
      await page.locator(ready).first().waitFor()
      await axeFindsNothingInAnyLook(page, name)
      assert.deepStrictEqual(complaints, [])
      await page.context().close()
    })
  }

  it("axe finds nothing: what opens above the page", async () => {
    const { page } = await explorer.open("search?q=hit", { reducedMotion: "reduce", before: withIndex({ files }) })
    await page.locator("[data-hit='0']").waitFor()
    await page.getByRole("button", { name: "Sort: best match" }).click()
    await page.getByRole("menu").waitFor()
    await axeFindsNothing(page, "the menu")
    await page.keyboard.press("Escape")
    await page.getByRole("menu").waitFor({ state: "detached" })
    await page.locator("[data-hit='0']").focus()
    await page.locator(".hit").first().getByRole("button", { name: "Why here?" }).click()
    await page.getByText("+4").waitFor()
    await axeFindsNothing(page, "why a result stands where it stands")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.locator("[data-hit='0']").focus()
    await page.keyboard.press("?")
    await page.getByRole("dialog").waitFor()
    await axeFindsNothing(page, "the help")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("/")
    await hasFocus(searchBox(page))
    await page.keyboard.type(" lang")
    await page.getByRole("option", { name: "language:" }).waitFor()
    await axeFindsNothing(page, "the suggestions")
    await page.context().close()
  })

  it("is narrowed on a phone too", async () => {
    const { page } = await explorer.open("search?q=hit", {
      viewport: PHONE,
      hasTouch: true,
      reducedMotion: "reduce",
      before: withIndex({ files })
    })
    await page.getByRole("button", { name: "Narrow" }).tap()
    await page.getByRole("dialog", { name: "Narrow the results" }).waitFor()
    await axeFindsNothing(page)
    await page.getByRole("dialog").getByRole("button", { name: "Go 1" }).tap()
    await page.waitForURL(/language/)
    await page.getByRole("button", { name: "Show the results" }).tap()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.context().close()
  })

  it("fits every screen from 360 pixels to 4K", async () => {
    for (const [path, ready] of [
      ["", ".card"],
      ["search?q=hit", "[data-hit='0']"]
    ] as const) {
      // pairs
      const { page } = await explorer.open(path, { before: withIndex({ files }) })
      await page.locator(ready).first().waitFor()
      for (const viewport of [
        { width: 3840, height: 2160 },
        { width: 768, height: 1024 },
        { width: 360, height: 640 }
      ]) {
        await page.setViewportSize(viewport)
        await fits(page, `${path} at ${viewport.width} px`)
      }
      await page.context().close()
    }
  })

  it("loads less than 300 kB of scripts before the editor", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    await page.locator("[data-hit='0']").waitFor()
    const bytes = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith(".js"))
          .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0)
      )
    await becomes(async () => (await bytes()) > 50_000, true)
    assert.isBelow(await bytes(), 300_000)
    await page.context().close()
  })
})
