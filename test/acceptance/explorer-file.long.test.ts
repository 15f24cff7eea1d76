/**
 * The explorer's file and folder views: the built `tongs explore` over a repository with all kinds of files, in a
 * browser, with keyboard and mouse, in desktop and phone size.
 */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  hasFocus,
  waitForIndex,
  launchOver,
  skipReason,
  type OpenOptions,
  expectNotice,
  navigate
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import * as ViewerRepository from "./ViewerRepository.test-support.ts"

describe.skipIf(skipReason !== "")(`files in tongs explore${skipReason}`, () => {
  let world: ViewerRepository.ViewerRepository
  let explorer: Explorer
  let repo: string
  let close = async () => {}

  beforeAll(async () => {
    ;({ close, explorer, repo, world } = await launchOver(ViewerRepository.make))
    await waitForIndex(explorer)
  })

  afterAll(() => close())

  const address = (path: string, rest = "") => `file?repo=${repo}&path=${encodeURIComponent(path)}${rest}`

  /** Opens a file in a new page and waits for the text. */
  const openAlone = async (path: string, rest = "", options: OpenOptions = {}) => {
    const opened = await explorer.open(address(path, rest), options)
    await opened.page.locator(".cm-line").first().waitFor()
    return opened
  }

  /** A page that several tests share, until one fails. */
  let reader: Page | undefined

  afterEach(({ task }) => {
    if (task.result?.state === "fail") reader = undefined
  })

  /** Opens a file in the shared page, without earlier state, and waits for the focus. */
  const open = async (path: string, rest = "") => {
    reader ??= (await explorer.open("", { permissions: ["clipboard-read", "clipboard-write"] })).page
    await navigate(reader, "./")
    await reader.locator(".card").first().waitFor()
    await navigate(reader, address(path, rest))
    await hasFocus(reader.locator(".cm-content"))
    return reader
  }

  it("selects lines by click, Shift-click and drag, with the selection in the URL", async () => {
    const { requests, errors, page } = await openAlone("src/geometry.ts", "#L7-L9")
    await chosenAre(page, [7, 8, 9])
    await page.locator(".cm-line.selected-line").first().waitFor()

    await number(page, 2).click()
    await page.waitForURL(/#L2$/)
    await number(page, 5).click({ modifiers: ["Shift"] })
    await page.waitForURL(/#L2-L5$/)
    await chosenAre(page, [2, 3, 4, 5])
    await number(page, 12).hover()
    await page.mouse.down()
    await number(page, 10).hover()
    await page.mouse.up()
    await page.waitForURL(/#L10-L12$/)

    const there = page.url()
    await page.reload()
    await chosenAre(page, [10, 11, 12])
    assert.strictEqual(page.url(), there)
    assert.deepStrictEqual(errors, [])
    assert.deepStrictEqual(
      requests.filter((request) => !request.startsWith(explorer.url)),
      []
    )
    await page.context().close()
  })

  inLongTests(() => {
    it("selects lines by keyboard, and goes to a line", async () => {
      const page = await open("src/geometry.ts")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Shift+ArrowDown")
      await page.keyboard.press("Shift+ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL(/#L2-L4$/)
      await page.keyboard.press("l")
      await hasFocus(page.getByLabel("Find in this file"))
      await page.keyboard.type("21")
      await page.keyboard.press("Enter")
      await page.getByText("Line 21, column 1").waitFor()
      await hasFocus(page.locator(".cm-content"))
    })
  })

  inLongTests(() => {
    it("copies permanent links", async () => {
      const page = await open("src/geometry.ts", "#L7-L9")
      const pinned = new URL(address("src/geometry.ts", `&ref=${world.commits.at(-1)}#L7-L9`), explorer.url)
      await expectNotice(page, "Copied", () => page.getByRole("button", { name: "Link" }).click())
      await expectEventually(async () => parts(new URL(await clipboard(page))), parts(pinned))
      await expectNotice(page, "Link: copied", () => page.keyboard.press("y"))
      await page.waitForURL(({ searchParams }) => searchParams.get("ref") === world.commits.at(-1))
      await page.getByRole("button", { name: "Link" }).waitFor()
      await expectNotice(page, "Copied", () => page.getByRole("button", { name: "Copy" }).click())
      await expectEventually(
        () => clipboard(page),
        "export class Circle {\n  readonly centre: Point\n  readonly radius: number"
      )
    })
  })

  it("highlights the search's matches, and steps through them", async () => {
    const page = await open("src/geometry.ts", "&q=circle+radius")
    const stepper = page.getByRole("group", { name: "Matches" })
    await stepper.getByText("1 of 6").waitFor()
    const marks = page.locator(".match")
    await expectEventually(() => marks.allTextContents(), ["Circle", "radius", "radius", "radius", "radius", "radius"])
    await page.locator(".match.current", { hasText: /^Circle$/ }).waitFor()
    await page.keyboard.press("n")
    await stepper.getByText("2 of 6").waitFor()
    await page.waitForURL(/#L9$/)
    await stepper.getByRole("button", { name: "Next match" }).click()
    await stepper.getByText("3 of 6").waitFor()
    await page.keyboard.press("p")
    await page.keyboard.press("p")
    await page.keyboard.press("p")
    await stepper.getByText("6 of 6").waitFor()
  })

  inLongTests(() => {
    it("finds text in the file", async () => {
      const page = await open("src/geometry.ts")
      await page.keyboard.press("Control+f")
      const box = page.getByLabel("Find in this file")
      await hasFocus(box)
      // Slow enough for intermediate searches. The last key applies to the complete text.
      await page.keyboard.type("point", { delay: 60 })
      await page.keyboard.press("Enter")
      await page.getByText("2 of 7").waitFor()
      await page.locator(".find-match.current", { hasText: /^Point$/ }).waitFor()
      await page.keyboard.press("Shift+Enter")
      await page.getByText("1 of 7").waitFor()
      await page.locator(".find-match.current", { hasText: /^point$/ }).waitFor()
      const find = page.locator(".find")
      await find.getByRole("button", { name: "Match case" }).click()
      await page.getByText("1 of 1").waitFor()
      await find.getByRole("button", { name: "Regular expression" }).click()
      await box.fill("(")
      await page.getByText("invalid regular expression").waitFor()
      await box.fill("read.nly [xy]")
      await page.getByText("1 of 2").waitFor()
      // A catastrophic expression is cancelled, and the page stays responsive.
      await box.fill("([^@]+)+@@")
      await page.getByText("timed out after 1 s").waitFor()
      await box.fill("read.nly [xy]")
      await page.getByText("1 of 2").waitFor()
      // The page's shortcuts are normal letters in this box.
      assert.notInclude(page.url(), "blame")
      await page.keyboard.press("Escape")
      await box.waitFor({ state: "detached" })
      await hasFocus(page.locator(".cm-content"))
      assert.include(page.url(), "/file?")
    })
  })

  inLongTests(() => {
    it("filters the outline, and goes to a symbol", async () => {
      const page = await open("src/geometry.ts")
      await page.keyboard.press("s")
      const side = page.getByRole("complementary", { name: "Symbols" })
      const filter = side.getByLabel("Filter symbols")
      const members = ["centre", "radius", "constructor", "area"]
      const names = ["Point", "x", "y", "Circle", ...members, "origin", "distance"]
      const symbols = side.locator("[data-index]")
      await expectEventually(() => symbols.locator("> span:nth-child(2)").allTextContents(), names)
      await hasFocus(filter)
      await page.keyboard.type("dis")
      await page.keyboard.press("Enter")
      await page.waitForURL(/side=symbols#L23$/)
      await filter.fill("")
      await filter.press("ArrowDown")
      await hasFocus(symbols.filter({ hasText: "Point" }))
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      await hasFocus(symbols.filter({ hasText: "Circle" }))
      await page.keyboard.press("Enter")
      await page.waitForURL(/#L7$/)
      await side.getByRole("button", { name: /origin/ }).click()
      await page.waitForURL(/#L21$/)
      await page.reload()
      await side.locator("[aria-current]", { hasText: "origin" }).waitFor()
      await side.getByRole("button", { name: "Close" }).click()
      await side.waitFor({ state: "detached" })
      await page.keyboard.press("s")
      await hasFocus(filter)
      await page.keyboard.press("Escape")
      await side.waitFor({ state: "detached" })
      await hasFocus(page.locator(".cm-content"))
    })
  })

  inLongTests(() => {
    it("does not navigate after the user typed or left", async () => {
      const page = await open("src/main.ts")
      const definition = { ...place(repo), path: "src/geometry.ts", commit: "c".repeat(40), line: 7 }
      /** Starts to go to a definition, and acts before the response. */
      const late = async (name: string, meanwhile: () => Promise<void>) => {
        const { promise: held, resolve: go } = Promise.withResolvers<void>()
        const isAsked = (url: URL) => url.pathname.endsWith(`/definitions/${name}`)
        await page.route(isAsked, async (route) => {
          await held
          const items = [{ ...definition, name, kind: "class", text: "" }]
          await route.fulfill({ json: { total_count: 1, incomplete_results: false, items } })
        })
        const asked = page.waitForRequest((request) => isAsked(new URL(request.url())))
        await word(page, 3, name).click()
        await page.keyboard.press("d")
        await asked
        await meanwhile()
        const answered = page.waitForResponse((response) => isAsked(new URL(response.url())))
        go()
        await (await answered).finished()
        await page.unroute(isAsked)
      }
      const box = page.getByLabel("Find in this file")
      await late("circle", async () => {
        await page.keyboard.press("Control+f")
        await hasFocus(box)
      })
      // The response has arrived by then.
      await page.keyboard.type("needs")
      await page.getByText("no matches").waitFor()
      await expectEventually(() => box.inputValue(), "needs")
      await page.keyboard.press("Escape")
      await box.waitFor({ state: "detached" })
      await late("Circle", async () => {
        await navigate(page, address("crlf.txt"))
        await page.getByText("two needle").waitFor()
      })
      await page.getByRole("button", { name: "History" }).click()
      await page.getByRole("complementary", { name: "History" }).waitFor()
      assert.include(page.url(), "crlf.txt")
    })
  })

  it("shows the author of each line, and the file at that commit", async () => {
    const page = await open("src/geometry.ts")
    await page.keyboard.press("b")
    const entries = page.locator(".blame-entry.first")
    await entries.first().filter({ hasText: "Grace HopperSay the unit" }).waitFor()
    await entries.nth(1).filter({ hasText: "Ada LovelaceBegin" }).waitFor()
    await page.waitForURL(/blame=1/)
    await page.getByRole("link", { name: /Grace Hopper, .* ago: Say the unit/ }).waitFor()
    await entries.nth(1).click()
    const card = page.getByRole("dialog")
    await card.getByText("Ada Lovelace").waitFor()
    await card.getByRole("link", { name: "Open the file at this commit" }).click()
    await page.getByText("/** A point on the plane. */").waitFor()
    await page.waitForURL(({ searchParams }) => searchParams.get("ref") === world.commits[0])
    await entries.first().waitFor()
    await page.getByRole("button", { name: "Blame" }).click()
    await entries.first().waitFor({ state: "detached" })
  })

  inLongTests(() => {
    it("shows the history, other branches and tags", async () => {
      const page = await open("src/geometry.ts")
      await page.keyboard.press("h")
      const side = page.getByRole("complementary", { name: "History" })
      await side.getByRole("link", { name: /^Say the unit/ }).waitFor()
      await side.getByRole("link", { name: /^Begin/ }).click()
      await page.getByText("/** A point on the plane. */").waitFor()
      await page.getByRole("combobox", { name: /Branch or tag/ }).click()
      await page.getByRole("option", { name: "v1" }).waitFor()
      await hasFocus(page.getByLabel("Branch, tag or commit"))
      await page.keyboard.type("nex")
      await page.locator("[role=option][data-highlighted]", { hasText: "next" }).waitFor()
      await page.keyboard.press("Enter")
      await page.locator(".cm-line", { hasText: "in inches" }).waitFor()
      await page.waitForURL(({ searchParams }) => searchParams.get("ref") === "next")
      await page.getByRole("combobox", { name: /Branch or tag/ }).click()
      await page.getByRole("option", { name: "v1" }).click()
      await page.waitForURL(/ref=v1/)
      await page.goBack()
      await page.locator(".cm-line", { hasText: "in inches" }).waitFor()
    })
  })

  it("serves raw files without running their scripts", async () => {
    const raw = (path: string) => explorer.fetch(`api/raw?${new URLSearchParams({ ...place(repo), path })}`)
    for (const path of ["page.html", "src/main.ts"]) {
      const { headers } = await raw(path)
      assert.strictEqual(headers.get("content-type"), "text/plain; charset=utf-8", path)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.include(headers.get("content-security-policy") ?? "", "sandbox")
    }
    assert.strictEqual((await raw("dot.png")).headers.get("content-type"), "image/png")
    const svg = await raw("logo.svg")
    assert.strictEqual(svg.headers.get("content-type"), "image/svg+xml")
    assert.include(svg.headers.get("content-security-policy") ?? "", "sandbox")
    assert.match((await raw("binary.bin")).headers.get("content-disposition") ?? "", /^attachment/)
    const page = await open("page.html")
    const opened = page.context().waitForEvent("page")
    await page.getByRole("link", { name: "Raw" }).click()
    const tab = await opened
    await tab.getByText('document.title = "owned"').waitFor()
    assert.notStrictEqual(await tab.title(), "owned")
  })

  it("shows all kinds of files", async () => {
    const { errors, page } = await openAlone("crlf.txt")
    const go = (path: string) => navigate(page, address(path))
    await expectEventually(() => page.locator(".cm-line").allTextContents(), ["one", "two needle", "three"])
    await page.getByText("CRLF", { exact: true }).waitFor()
    await go("no-newline.txt")
    await page.getByText("no newline at the end").waitFor()
    await go("bidi.c")
    await page.getByText("characters that reorder text").waitFor()
    const hidden = ["U+202E", "U+2066", "U+2069", "U+2066", "U+200B", "U+0007"]
    await expectEventually(() => page.locator(".hidden-char").allTextContents(), hidden)
    await go("cjk.md")
    await page.getByText("日本語の文章です needle 👩‍💻 한국어").waitFor()
    await go("empty.txt")
    await page.getByText("This file has no content.").waitFor()
    await go("binary.bin")
    await page.getByRole("heading", { name: "Binary file" }).waitFor()
    await go("latin1.txt")
    await page.getByRole("heading", { name: "latin1.txt" }).waitFor()
    await page.getByRole("heading", { name: "Binary file" }).waitFor()
    await go("dot.png")
    await page.getByRole("img", { name: "dot.png" }).waitFor()
    await go("vendor/sub")
    await page.getByText("https://forge.example/octo/sub.git").waitFor()
    await go("src/a #1 & b?.ts")
    await page.getByText("export const odd").waitFor()
    await go("src/link.ts")
    await page.getByText("export class Circle").waitFor()
    await go("src/deep")
    await page.getByRole("link", { name: "er", exact: true }).waitFor()
    // A symbolic link has no symbols.
    const isMissing = (error: string) => error.includes("404 (Not Found)")
    assert.deepStrictEqual(
      errors.filter((error) => !isMissing(error)),
      []
    )
    assert.isAtMost(errors.filter(isMissing).length, 1)
    await page.context().close()
  })

  it("reports missing files, with alternatives", async () => {
    const { page } = await explorer.open(address("src/nothing.ts"))
    await page.getByText("src/nothing.ts at main").waitFor()
    await page.getByRole("link", { name: "Search for this file name" }).waitFor()
    await navigate(page, address("src/main.ts", "&ref=nowhere"))
    await page.getByText(`nowhere in ${repo}`).waitFor()
    await page.getByRole("link", { name: "Open on the default branch" }).click()
    await page.getByText("new Circle").waitFor()
    await navigate(page, "file?repo=nobody/nothing&path=a.ts")
    await page.getByText("No such repository or version.").waitFor()
    await page.context().close()
  })

  it("shows the history of a file by the address of a folder's", async () => {
    const { page } = await explorer.open(`history?repo=${repo}&path=src/main.ts`)
    await page.locator("ol.commits li").first().waitFor()
    assert.strictEqual(await page.getByText("not a folder").count(), 0)
    await page.context().close()
  })

  inLongTests(() => {
    it("renders only the visible part of a large file and of a very long line", async () => {
      const page = await open("large.ts")
      await page.locator(".tok-comment").first().waitFor()
      assert.isBelow(await page.locator(".cm-line").count(), 300)
      await page.keyboard.press("Control+End")
      await page.getByText("// the very last line").waitFor()
      await navigate(page, address("long.json", "&q=needle"))
      await page.locator(".match").first().waitFor()
      const drawn = await page.locator(".cm-line").textContent()
      assert.isBelow(drawn?.length ?? 0, 50_000)
      await expectEventually(() => page.getByRole("button", { name: "Wrap" }).count(), 0)
    })
  })

  inLongTests(() => {
    it("restores the scroll position", async () => {
      const page = await open("large.ts", "#L3000")
      await page.locator(".cm-line.selected-line").waitFor()
      await page.getByRole("link", { name: repo.split("/")[1] ?? "" }).click()
      await page.locator(".entries").waitFor()
      await page.goBack()
      await page.locator(".cm-line.selected-line").waitFor()
    })
  })

  it("navigates folders by keyboard and mouse", async () => {
    const { page } = await explorer.open(`tree?repo=${repo}`)
    await page.getByRole("link", { name: "src", exact: true }).waitFor()
    await page.keyboard.press("j")
    await hasFocus(page.getByRole("link", { name: "src", exact: true }))
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "geometry.ts" }).waitFor()
    await page.keyboard.press("u")
    await page.getByRole("link", { name: "large.ts" }).click()
    await hasFocus(page.locator(".cm-content"))
    await page.keyboard.press("u")
    await page.getByRole("link", { name: "large.ts" }).click()
    await hasFocus(page.locator(".cm-content"))
    await page.getByRole("navigation", { name: "Path" }).getByRole("link").first().click()
    await page.getByRole("link", { name: "vendor", exact: true }).waitFor()
    // Back at the previous entry.
    await page.setViewportSize({ width: 800, height: 300 })
    await page.getByRole("link", { name: "tabs.go" }).scrollIntoViewIfNeeded()
    await page.waitForFunction(() => scrollY > 0 && history.state?.scroll === scrollY)
    const before = await page.evaluate(() => scrollY)
    await page.getByRole("link", { name: "tabs.go" }).click()
    await page.locator(".cm-line").first().waitFor()
    await page.goBack()
    await page.waitForFunction((before) => scrollY === before, before)
    await page.context().close()
  })

  inLongTests(() => {
    it("works without the index on forges without one", async () => {
      const { page } = await openAlone("src/main.ts", "&q=circle", {
        prepare: (page) =>
          page.route("**/api/connection", async (route) => {
            const response = await route.fetch()
            await route.fulfill({ response, json: { ...(await response.json()), capabilities: { index: false } } })
          })
      })
      await expectEventually(() => page.locator(".match").allTextContents(), ["Circle", "circle", "Circle", "circle"])
      assert.strictEqual(await page.locator(".blame-status").count(), 0)
      await page.keyboard.press("b")
      // Computed from the versions of the file.
      await page
        .getByRole("status")
        .filter({ hasText: /^Blame: (\d+) of \1 lines, \d+ requests$/ })
        .waitFor()
      await page.keyboard.press("h")
      await page.getByRole("link", { name: /^Begin/ }).waitFor()
      await page.context().close()
    })
  })

  it("keeps the facts about a file on one line beside all buttons", async () => {
    const { page } = await explorer.open(address("src/geometry.ts", "&q=radius"), {})
    await page.locator(".stepper").waitFor()
    for (const width of [1440, 1280, 1100, 900, 760]) {
      await page.setViewportSize({ width, height: 800 })
      const lines = () =>
        page
          .locator(".toolbar .metadata span")
          .evaluateAll((facts) => new Set(facts.map((fact) => fact.getBoundingClientRect().top)).size)
      await expectEventually(lines, 1, `at ${width} px`)
    }
    await page.context().close()
  })

  it("has no axe violation, light and dark, in desktop and phone size", async () => {
    const { errors, page } = await explorer.open(`tree?repo=${repo}`, { reducedMotion: "reduce" })
    for (const [path, rest, isThere] of sample(
      [
        ["src/geometry.ts", "&q=radius&blame=1&side=symbols#L7-L9", ".blame-entry"],
        ["src/geometry.ts", "&side=history", ".commits a"],
        ["bidi.c", "", ".hidden-char"],
        ["binary.bin", "", ".notice"],
        ["src/deep", "", ".entries"]
      ] as const,
      2
    )) {
      // the text that each waits for
      await navigate(page, address(path, rest))
      await page.locator(isThere).first().waitFor()
      await expectAccessibleInEveryTheme(page, path)
    }
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  inLongTests(() => {
    it("has no axe violation with open menus and dialogs", async () => {
      const page = await open("src/geometry.ts")
      await page.emulateMedia({ reducedMotion: "reduce" })
      await page.keyboard.press("Control+f")
      await hasFocus(page.getByLabel("Find in this file"))
      await page.keyboard.type("point")
      await page.getByText("1 of 7").waitFor()
      await expectAccessible(page, "find")
      await page.keyboard.press("Escape")
      await hasFocus(page.locator(".cm-content"))
      await page.getByRole("combobox", { name: /Branch or tag/ }).click()
      await page.getByRole("option", { name: "v1" }).waitFor()
      await expectAccessible(page, "branches")
    })
  })
})

const number = (page: Page, line: number) =>
  page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: new RegExp(`^${line}$`) }).last()

const word = (page: Page, line: number, text: string) =>
  page
    .locator(".cm-line")
    .nth(line - 1)
    .locator("span", { hasText: new RegExp(`^${text}$`) })
    .first()

/** Waits until exactly these lines are selected. */
const chosenAre = (page: Page, lines: ReadonlyArray<number>) =>
  expectEventually(() => page.locator(".cm-lineNumbers .selected-line").allTextContents(), lines.map(String))

/** The parameters of a URL, sorted. */
const parts = ({ hash, searchParams }: URL) => ({ ...Object.fromEntries(searchParams), hash })

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

const place = (fullName: string) => {
  const [owner = "", repo = ""] = fullName.split("/")
  return { owner, repo }
}
