/**
 * Comparisons and commits in the explorer: the built `tongs explore` over a repository with all kinds of changes, in a
 * browser, by keyboard and mouse, in desktop and phone size, checked against `git diff`.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  desktop,
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  expectNoOverflow,
  expectNotice,
  type Explorer,
  hasFocus,
  launchOver,
  phone,
  skipReason,
  waitForIndex
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import * as CompareRepository from "./CompareRepository.test-support.ts"

describe.skipIf(skipReason !== "")(`comparisons in tongs explore${skipReason}`, () => {
  let world: CompareRepository.CompareRepository
  let explorer: Explorer
  let repo: string
  let close = async () => {}

  beforeAll(async () => {
    ;({ close, explorer, repo, world } = await launchOver(CompareRepository.make))
    await waitForIndex(explorer)
  })

  afterAll(() => close())

  const compare = (rest: string) => `compare?repo=${repo}&${rest}`

  /** Opens a view and waits for the first file. */
  const open = async (path: string, viewport = desktop) => {
    const opened = await explorer.open(path, { viewport, permissions: ["clipboard-read", "clipboard-write"] })
    await opened.page.locator(".diff-head").first().waitFor()
    return opened
  }

  it("shows the changed lines of every file as git diff does, with hostile names and content as text", async () => {
    const { errors, page, requests } = await open(compare("base=main&head=feature"))
    await page.getByText("17 changed files").waitFor()
    const expected = world
      .git("diff", "-M", "--name-only", "-z", "main...feature")
      .split("\0")
      .filter((name) => name !== "")
    assert.lengthOf(expected, 17)
    await page.getByRole("button", { name: "Load diff of generated.txt" }).click()
    for (const [index, path] of sample([...expected.entries()])) {
      if (["data.bin", "logo.png", "run.sh"].includes(path)) continue
      const shown = await linesOf(page, index)
      const previous = path === "lib/moved.ts" ? ["src/moved.ts"] : []
      const diff = world.git("--literal-pathspecs", "diff", "-M", "main...feature", "--", path, ...previous)
      const lines = diff
        .slice(diff.indexOf("\n@@ "))
        .split("\n")
        .filter((line) => /^[+ -]/.test(line))
        .map((line) => line.replace(/^-/, "−"))
      assert.deepStrictEqual(shown, lines, JSON.stringify(path))
    }
    assert.deepStrictEqual(errors, [])
    assert.isTrue(requests.every((request) => request.startsWith(explorer.url) || request.startsWith("data:")))
    assert.strictEqual(await page.locator(".diff-list :is(b, script)").count(), 0)
    await page.context().close()
  })

  it("refuses two versions in one name", async () => {
    const { page } = await explorer.open(compare("base=main...main&head=main"))
    await page.getByText('"main...main" is not the name of a branch, tag or commit').waitFor()
    await page.context().close()
  })

  it("names renames, modes, binary files, images and missing line feeds", async () => {
    const { page } = await open(compare("base=main&head=feature"))
    const file = (path: string) => page.getByRole("region", { name: path, exact: true })
    const select = (path: string) => page.getByRole("navigation", { name: "Changed files" }).getByTitle(path).click()
    await file("data.bin").getByText("Binary file.").waitFor()
    await file("end.txt").getByText("no newline at the end").waitFor()
    await file("lib/moved.ts").getByText("renamed", { exact: true }).waitFor()
    await file("lib/moved.ts").locator("mark").first().waitFor()
    await select("logo.png")
    await file("logo.png").getByRole("img", { name: "logo.png, after" }).waitFor()
    await file("logo.png").getByRole("img", { name: "logo.png, before" }).waitFor()
    await select("run.sh")
    await file("run.sh").getByText("100644 → 100755").waitFor()
    await file("run.sh").getByText("Only the file mode changed.").waitFor()
    await page.context().close()
  })

  it("steps through changes and files, and marks files as viewed, by keyboard", async () => {
    const { page } = await open(compare("base=main&head=feature"))
    const focused = () => page.evaluate(() => document.activeElement?.id ?? "")
    await page.keyboard.press("n")
    await hasFocus(page.getByRole("button", { name: "Close data.bin" }))
    await page.keyboard.press("n")
    await expectEventually(focused, "change-1-0")
    await page.keyboard.press("n")
    await hasFocus(page.getByRole("button", { name: "Close generated.txt" }))
    await page.keyboard.press("n")
    await expectEventually(focused, "change-3-0")
    await page.keyboard.press("p")
    await hasFocus(page.getByRole("button", { name: "Close generated.txt" }))
    await page.keyboard.press("j")
    await hasFocus(page.getByRole("button", { name: "Close lib/moved.ts" }))
    await page.keyboard.press("v")
    await page.getByText("1 of 17 viewed").waitFor()
    await page.getByRole("button", { name: "Open lib/moved.ts" }).waitFor()
    await page.reload()
    await page.getByText("1 of 17 viewed").waitFor()
    await page.context().close()
  })

  inLongTests(() => {
    it("filters the files, and goes to one", async () => {
      const { page } = await open(compare("base=main&head=many"))
      await page.keyboard.press("t")
      await hasFocus(page.getByLabel("Filter files"))
      await page.keyboard.type("many 300")
      await page.keyboard.press("Enter")
      await page.getByRole("region", { name: "many/300.ts" }).locator(".diff-line").first().waitFor()
      await page.getByLabel("Filter files").focus()
      await page.keyboard.press("ArrowDown")
      await hasFocus(page.getByRole("navigation", { name: "Changed files" }).getByTitle("many/300.ts"))
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("compares hundreds of files, and shows any of them", async () => {
      const { errors, page } = await open(compare("base=main&head=many"))
      await page.getByText(`${CompareRepository.MANY + 17} changed files`).waitFor()
      assert.isBelow(await page.locator(".diff-line").count(), 400)
      const last = page.getByRole("region", { name: "src/spaces.ts" }).locator(".diff-line").first()
      // The patches near the end load, and make the page longer.
      await expectEventually(async () => {
        await page.keyboard.press("End")
        return last.isVisible()
      }, true)
      await page.goto(new URL(compare("base=main&head=many&file=many/200.ts#R25"), explorer.url).href)
      const chosen = page.locator(".diff-line[data-chosen]")
      await chosen.getByText("// changed, too").waitFor()
      await hasFocus(chosen)
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("links to a line, with the commits instead of the branches", async () => {
      const { page } = await open(compare("base=main&head=feature&path=src/area.ts"))
      await page.getByRole("link", { name: "Line 60 after" }).click()
      await page.waitForURL(/file=src\/area\.ts#R60$/)
      await expectNotice(page, "Copied", () => page.getByRole("button", { name: "Link" }).click())
      const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
      assert.strictEqual(link.hash, "#R60")
      assert.strictEqual(link.searchParams.get("head"), world.git("rev-parse", "feature").trim())
      await page.goto(link.href)
      await page.locator(".diff-line[data-chosen]").getByText("area(60)").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("shows lines around a change, and ignores white space", async () => {
      const { page } = await open(compare("base=main&head=feature&path=src"))
      const area = page.getByRole("region", { name: "src/area.ts" })
      await area.getByRole("button", { name: "Show 43 lines" }).click()
      await area.getByText("export const value30 = 30").waitFor()
      await page.mouse.move(desktop.width / 2, desktop.height / 2)
      await page.mouse.wheel(0, 700)
      await area.getByRole("button", { name: "↓ 20 lines" }).last().click()
      await area.getByText("export const value80 = 80").waitFor()
      const spaces = page.getByRole("region", { name: "src/spaces.ts" })
      await page.getByRole("navigation", { name: "Changed files" }).getByTitle("src/spaces.ts").click()
      await spaces.getByText("+1").waitFor()
      await page.keyboard.press("w")
      await page.waitForURL(/whitespace=ignore/)
      await page.getByRole("navigation", { name: "Changed files" }).getByTitle("src/spaces.ts").click()
      await spaces.getByText("No lines changed, apart from white space.").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("shows two versions side by side, only on a wide screen, and keeps the choice", async () => {
      const { page } = await open(compare("base=main&head=feature&path=src/area.ts"))
      await page.keyboard.press("s")
      const side = (name: string) =>
        page.locator(`.diff-side[data-side=${name}][data-kind=${name === "left" ? "removed" : "added"}]`)
      await side("left").first().waitFor()
      assert.include(await side("left").first().innerText(), "export const value10 = 10")
      assert.include(await side("right").first().innerText(), "10 * radius")
      await page.reload()
      await side("left").first().waitFor()
      await page.setViewportSize(phone)
      await side("left").first().waitFor({ state: "detached" })
      assert.strictEqual(await page.getByRole("button", { name: "Side by side" }).count(), 0)
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("chooses the versions by keyboard, from a file, and swaps them", async () => {
      const { page } = await explorer.open(`file?repo=${repo}&path=src/area.ts&ref=feature`)
      await page.locator(".cm-line").first().waitFor()
      await page.keyboard.press("c")
      await hasFocus(page.getByLabel("Base: branch, tag or commit"))
      await page.getByRole("option", { name: "v1.0" }).waitFor()
      await page.keyboard.type("v1.0")
      await page.keyboard.press("Enter")
      await page.getByText("1 changed file").waitFor()
      await page.getByRole("region", { name: "src/area.ts" }).getByText("10 * radius").waitFor()
      await page.getByRole("button", { name: "Swap" }).click()
      await page.getByText("No changes of this path").waitFor()
      await page.getByRole("button", { name: "Compare in the other direction" }).click()
      await page.getByText("1 changed file").waitFor()
      await page.context().close()
    })
  })

  it("answers which commit wrote a line and why, and what was there before", async () => {
    const { page } = await explorer.open(`file?repo=${repo}&path=src/area.ts&ref=feature#L60`)
    await page.locator(".cm-line.selected-line").first().waitFor()
    await hasFocus(page.locator(".cm-content"))
    await page.keyboard.press("B")
    await page.getByText("The radius decides, so that circles work.").waitFor()
    await page.getByRole("link", { name: "Blame before this commit" }).click()
    await page.waitForURL(new RegExp(`ref=${world.git("rev-parse", "v1.0").trim()}.*blame=1#L60`))
    await page.locator(".blame-entry").first().waitFor()
    await page.goBack()
    await hasFocus(page.locator(".cm-content"))
    await page.keyboard.press("B")
    await page.getByRole("link", { name: "Show the commit" }).click()
    await page.getByRole("heading", { name: "Compute areas" }).waitFor()
    await page.getByRole("region", { name: "src/area.ts" }).getByText("10 * radius").waitFor()
    await page.context().close()
  })

  inLongTests(() => {
    it("shows a commit from the history of a file and from search results", async () => {
      const { page } = await explorer.open(`file?repo=${repo}&path=src/area.ts&ref=feature&side=history`)
      await page.getByRole("link", { name: "Changes of Compute areas" }).click()
      await page.getByText("1 changed file").waitFor()
      await page.getByText("The radius decides").waitFor()
      await page.getByRole("link", { name: "Show all files" }).click()
      await page.getByText("9 changed files").waitFor()
      await page.goto(new URL(`search?q=${encodeURIComponent("type:commit aside")}`, explorer.url).href)
      await page.getByRole("link", { name: "Work aside" }).click()
      await page.getByRole("region", { name: "aside.txt" }).getByText("only on main").waitFor()
      await page.context().close()
    })
  })

  it("is accessible and fits, in both sizes and themes", async () => {
    for (const [name, path] of [
      ["comparison", compare("base=main&head=feature")],
      ["commit", `commit?repo=${repo}&ref=v1.1`]
    ] as const) {
      const { page } = await open(path)
      await expectAccessibleInEveryTheme(page, name)
      await page.context().close()
    }
    const { page } = await open(compare("base=main&head=feature"))
    await page.keyboard.press("s")
    await page.locator(".diff-side").first().waitFor()
    await expectAccessible(page, "side by side")
    await page.setViewportSize({ width: desktop.width / 2, height: desktop.height / 2 })
    await expectNoOverflow(page, "at 200 %")
    await page.context().close()
  })
})

/** The lines of a file's diff, with signs, from the top to the bottom of the file's part of the virtual list. */
const linesOf = async (page: Page, file: number): Promise<ReadonlyArray<string>> => {
  const lines = new Map<string, string>()
  const section = page.locator(`[data-file="${file}"]`)
  const sidebar = page.getByRole("navigation", { name: "Changed files" })
  await sidebar.locator("button[title]").nth(file).click()
  await section.locator(".diff-line").first().waitFor()
  for (;;) {
    const rows = await section.locator(".diff-line").evaluateAll((rows) =>
      rows.map((row) => {
        const numbers = Array.from(row.querySelectorAll("a.diff-number"), (number) => number.getAttribute("data-line"))
        const code = row.querySelector("code")?.cloneNode(true)
        const sign = row.querySelector("[data-sign]")?.getAttribute("data-sign") ?? " "
        if (code instanceof Element) for (const note of code.querySelectorAll(".diff-sign, .diff-note")) note.remove()
        return { key: `${sign} ${numbers.join()}`, text: `${sign}${code?.textContent ?? ""}` }
      })
    )
    for (const { key, text } of rows) lines.set(key, text)
    const bottom = await section.evaluate((element) => element.getBoundingClientRect().bottom)
    if (bottom <= desktop.height) return [...lines.values()]
    await page.evaluate(() => scrollBy(0, 500))
    await page.waitForTimeout(60)
  }
}
