/** Definitions and uses in the explorer: the built `tongs explore` in a browser, with keyboard, mouse and touch. */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  hasFocus,
  launchOver,
  navigate,
  phone,
  skipReason,
  waitForIndex
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as ViewerRepository from "./ViewerRepository.test-support.ts"

describe.skipIf(skipReason !== "")(`definitions in tongs explore${skipReason}`, () => {
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

  /** A page that several tests share, until one fails. */
  let reader: Page | undefined

  afterEach(({ task }) => {
    if (task.result?.state === "fail") reader = undefined
  })

  /** Opens a file in the shared page, without earlier state, and waits for the colours. */
  const open = async (path: string, rest = "") => {
    reader ??= (await explorer.open("")).page
    await navigate(reader, "./")
    await reader.locator(".card").first().waitFor()
    await navigate(reader, address(path, rest))
    await reader.locator(".tok-keyword").first().waitFor()
    await reader.mouse.move(1, 1)
    return reader
  }

  it("goes to a definition by key, and back to the exact place", async () => {
    const page = await open("src/main.ts")
    await word(page, 4, "distance").click()
    const before = await page.locator(".status-line").textContent()
    await page.keyboard.press("F12")
    await page.waitForURL(/geometry\.ts.*#L23$/)
    await page.locator(".cm-line.selected-line", { hasText: "function distance" }).waitFor()
    await page.getByText("Line 23, column 17").waitFor()
    await page.goBack()
    await page.locator(".cm-line", { hasText: "new Circle" }).waitFor()
    await page.getByText(before ?? "").waitFor()
  })

  inLongTests(() => {
    it("returns to the place in the same file", async () => {
      const page = await open("src/geometry.ts")
      await word(page, 8, "Point").click({ modifiers: ["ControlOrMeta"] })
      await page.waitForURL(/#L2$/)
      await page.getByText("Line 2, column 18").waitFor()
      await page.goBack()
      await page.getByText(/Line 8, column 2\d/).waitFor()
      assert.notInclude(page.url(), "#")
      await page.goForward()
      await page.waitForURL(/#L2$/)
      await page.locator(".cm-line.selected-line", { hasText: "interface Point" }).waitFor()
    })
  })

  it("shows a definition to the pointer, without the focus", async () => {
    const page = await open("src/main.ts")
    await word(page, 4, "distance").hover()
    const card = cardOf(page, "distance")
    await card.getByText("export function distance(a: Point, b: Point): number").waitFor()
    await card.getByText("function · src/geometry.ts:23").waitFor()
    await card.getByRole("button", { name: /^\d uses?$/ }).waitFor()
    await hasFocus(page.locator(".cm-content"))
    // The identifier stays visible.
    const [box, place] = [await card.boundingBox(), await word(page, 4, "distance").boundingBox()]
    assert.isTrue(box !== null && place !== null && (box.y + box.height <= place.y || box.y >= place.y + place.height))
    // The pointer may move to the card.
    await card.getByRole("link", { name: "src/geometry.ts:23" }).hover()
    await page.waitForTimeout(500)
    await card.getByRole("link", { name: "src/geometry.ts:23" }).click()
    await page.waitForURL(/geometry\.ts.*#L23$/)
    await card.waitFor({ state: "detached" })
  })

  it("stays open when the pointer presses a button of the card, with the caret in another line", async () => {
    const page = await open("src/main.ts")
    await word(page, 1, "import").click()
    await word(page, 4, "distance").hover()
    const uses = cardOf(page, "distance").getByRole("button", { name: /uses?$/ })
    await uses.hover()
    await page.mouse.down()
    // The editor has lost the focus.
    await hasFocus(uses)
    await page.waitForTimeout(300)
    await page.mouse.up()
    await page.locator(".uses-panel").waitFor()
  })

  inLongTests(() => {
    it("shows the documentation", async () => {
      const page = await open("src/geometry.ts")
      await word(page, 8, "Point").hover()
      const card = cardOf(page, "Point")
      await card.getByText("A point on the plane, in metres.").waitFor()
      await card.getByText("interface · src/geometry.ts:2").waitFor()
    })
  })

  inLongTests(() => {
    it("closes the card when the pointer leaves, and by Escape", async () => {
      const page = await open("src/main.ts")
      const card = cardOf(page, "Circle")
      await word(page, 3, "Circle").hover()
      await card.waitFor()
      await page.mouse.move(2, 2)
      await card.waitFor({ state: "detached" })
      await word(page, 3, "Circle").hover()
      await card.waitFor()
      await page.keyboard.press("Escape")
      await card.waitFor({ state: "detached" })
      assert.include(page.url(), "main.ts")
    })
  })

  inLongTests(() => {
    it("shows no card for keywords, strings, comments and numbers", async () => {
      const page = await open("src/geometry.ts")
      const requests: Array<string> = []
      page.on("request", (request) => requests.push(request.url()))
      for (const [line, text] of [
        [1, "/** A point on the plane, in metres. */"],
        [2, "export"],
        [21, "0"]
      ] as const) {
        // a line, and a text in it
        await page
          .locator(".cm-line")
          .nth(line - 1)
          .getByText(text, { exact: true })
          .first()
          .hover()
        await page.waitForTimeout(400)
      }
      assert.deepStrictEqual(
        requests.filter((url) => url.includes("/definitions/")),
        []
      )
    })
  })

  it("shows a definition by key, and lets the keyboard enter the card", async () => {
    const page = await open("src/main.ts")
    await word(page, 4, "distance").click()
    await page.keyboard.press("i")
    const card = cardOf(page, "distance")
    await card.getByText("function · src/geometry.ts:23").waitFor()
    await hasFocus(page.locator(".cm-content"))
    await page.keyboard.press("i")
    await hasFocus(card.getByRole("link", { name: "src/geometry.ts:23" }))
    await page.keyboard.press("Escape")
    await card.waitFor({ state: "detached" })
    await hasFocus(page.locator(".cm-content"))
  })

  inLongTests(() => {
    it("lists several definitions by their distance", async () => {
      const page = await open("src/main.ts")
      const isAsked = (url: URL) => url.pathname.endsWith("/definitions/area")
      const [owner, name] = repo.split("/")
      const definition = { owner, repo: name, commit: world.commits.at(-1), name: "area", kind: "method", line: 7 }
      const items = [
        { ...definition, path: "src/geometry.ts", text: "export class Circle {", scope: "shapes" },
        { ...definition, path: "src/main.ts", line: 3, text: "class Circle" },
        { ...definition, repo: "other", path: "lib/c.ts", text: "class Circle extends Shape {" }
      ]
      await page.route(isAsked, (route) =>
        route.fulfill({ json: { total_count: 3, incomplete_results: false, items } })
      )
      await word(page, 4, "area").click()
      await page.keyboard.press("d")
      const list = page.getByRole("dialog")
      await expectEventually(
        () => list.locator("h3").allTextContents(),
        ["This file", "This repository", "Other repositories"]
      )
      await list.getByText("in shapes").waitFor()
      await hasFocus(list.getByRole("link").first())
      await expectAccessible(page, "candidates")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL(/geometry\.ts.*#L7$/)
      await page.unroute(isAsked)
    })
  })

  it("lists uses by file, by keyboard", async () => {
    const page = await open("src/main.ts")
    await word(page, 4, "distance").click()
    await page.keyboard.press("d")
    await page.waitForURL(/geometry\.ts.*#L23$/)
    // On the definition, the key lists the uses.
    await page.getByText("Line 23, column 17").waitFor()
    await page.keyboard.press("d")
    const panel = panelOf(page, "distance")
    await panel
      .getByRole("status")
      .getByText(/uses? in \d files?/)
      .waitFor()
    await page.waitForURL(/uses=distance@src\/geometry\.ts:23:17/)
    const use = panel.getByRole("link", { name: /distance\(origin/ })
    await expectEventually(() => panel.locator("a:focus").count(), 1)
    await use.waitFor()
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await page.waitForURL(/main\.ts.*#L4$/)
    // The list stays open, and continues by key.
    await panel.locator("[aria-current]", { hasText: "distance(origin" }).waitFor()
    await hasFocus(page.locator(".cm-content"))
    await page.keyboard.press("Shift+F4")
    await page.waitForURL(/main\.ts.*#L1$/)
    await page.keyboard.press("F4")
    await page.waitForURL(/main\.ts.*#L4$/)
    const box = panel.getByLabel("Filter uses by path")
    await box.fill("nothing like it")
    await panel.getByText("No uses in paths that contain the filter.").waitFor()
    await box.fill("")
    // In the box, the keys of the page are letters.
    await box.press("n")
    await expectEventually(() => box.inputValue(), "n")
    await page.keyboard.press("Escape")
    await expectEventually(() => box.inputValue(), "")
    await page.keyboard.press("Escape")
    await panel.waitFor({ state: "detached" })
    await hasFocus(page.locator(".cm-content"))
    assert.notInclude(page.url(), "uses=")
    // Escape in the text closes the list before leaving the file.
    await page.keyboard.press("r")
    await panel.locator("a:focus").waitFor()
    await word(page, 4, "distance").click()
    await page.keyboard.press("Escape")
    await panel.waitFor({ state: "detached" })
    assert.include(page.url(), "main.ts")
  })

  it("keeps the list of uses in its place while the next file loads", async () => {
    const { errors, page } = await explorer.open(address("src/geometry.ts", "&uses=Circle@src/geometry.ts:7:14"))
    const panel = panelOf(page, "Circle")
    const use = panel.getByRole("link", { name: /^3 .*new Circle/ })
    await use.waitFor()
    await page.locator(".tok-keyword").first().waitFor()
    let answer = () => {}
    const isRequested = new Promise<void>((resolve) => {
      const isNext = (url: URL) => url.pathname.endsWith("api/file") && url.searchParams.get("path") === "src/main.ts"
      void page.route(isNext, async (route) => {
        resolve()
        await new Promise<void>((resolve) => (answer = resolve))
        return route.continue()
      })
    })
    const element = await panel.elementHandle()
    const place = await panel.boundingBox()
    await use.click()
    await isRequested
    await page.getByText("Loading the file").waitFor({ state: "attached" })
    await panel.locator("[aria-current]", { hasText: "new Circle" }).waitFor()
    assert.deepStrictEqual(await panel.boundingBox(), place)
    answer()
    await page.getByText("Line 3, column 20").waitFor()
    await hasFocus(page.locator(".cm-content"))
    assert.isTrue(await element?.evaluate((element) => element.isConnected))
    await page.goBack()
    await page.waitForURL(({ searchParams }) => searchParams.get("path") === "src/geometry.ts")
    await panel.getByRole("button", { name: "Close" }).click()
    await panel.waitFor({ state: "detached" })
    assert.include(page.url(), "geometry.ts")
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  inLongTests(() => {
    it("opens a shared list of uses, and opens its lines by mouse", async () => {
      const { errors, page } = await explorer.open(address("src/geometry.ts", "&uses=Circle@src/geometry.ts:7:14"))
      const panel = panelOf(page, "Circle")
      await panel.getByRole("heading", { name: "Definition" }).waitFor()
      await panel.getByRole("button", { name: /src\/main\.ts/ }).click()
      await panel.getByRole("link", { name: /^3 .*new Circle/ }).waitFor({ state: "detached" })
      await panel.getByRole("button", { name: /src\/main\.ts/ }).click()
      await panel.getByRole("link", { name: /^3 .*new Circle/ }).click()
      await page.waitForURL(/path=src\/main\.ts.*uses=Circle@src\/geometry\.ts:7:14#L3$/)
      await page.getByText("Line 3, column 20").waitFor()
      await page.goBack()
      await page.waitForURL(({ searchParams }) => searchParams.get("path") === "src/geometry.ts")
      await panel.getByRole("button", { name: "Close" }).click()
      await panel.waitFor({ state: "detached" })
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("loads all uses page by page", async () => {
      const page = await open("src/geometry.ts")
      const [owner, name] = repo.split("/")
      const total = 1_250
      const isAsked = (url: URL) => url.pathname.endsWith("/references/origin")
      const asked: Array<number> = []
      await page.route(isAsked, (route) => {
        const at = Number(new URL(route.request().url()).searchParams.get("page"))
        asked.push(at)
        const items = Array.from({ length: Math.min(100, total - 100 * (at - 1)) }, (_, index) => {
          const number = 100 * (at - 1) + index
          const path = `src/part-${Math.floor(number / 50)}.ts`
          return {
            owner,
            repo: name,
            commit: world.commits.at(-1),
            path,
            line: (number % 50) + 1,
            text: "origin",
            matches: [[0, 6]]
          }
        })
        return route.fulfill({ json: { total_count: total, incomplete_results: false, items } })
      })
      await word(page, 21, "origin").click()
      await page.keyboard.press("r")
      const panel = panelOf(page, "origin")
      await panel.getByText("1,250 uses, 100 loaded").waitFor()
      assert.isBelow(await panel.locator("[data-index]").count(), 60)
      await page.keyboard.press("End")
      await panel.getByText("1,250 uses, 200 loaded").waitFor()
      // The filter needs all.
      await panel.getByLabel("Filter uses by path").fill("part-24")
      await panel.getByText("1,250 uses in 25 files").waitFor()
      await expectEventually(() => panel.locator(".uses-path").allTextContents(), ["src/part-24.ts"])
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 13 }, (_, at) => at + 1)
      )
      await page.keyboard.press("Escape")
      await page.keyboard.press("Escape")
      await page.unroute(isAsked)
    })
  })

  it("shows empty, incomplete and failed lists of uses", async () => {
    const page = await open("src/geometry.ts")
    const isAsked = (url: URL) => url.pathname.endsWith("/references/area")
    const answer = async (options: Parameters<Parameters<Parameters<Page["route"]>[1]>[0]["fulfill"]>[0]) => {
      await page.unroute(isAsked)
      await page.route(isAsked, (route) => route.fulfill(options))
    }
    const panel = panelOf(page, "area")
    await answer({ status: 500, json: { kind: "ServiceFailed", message: "The index is locked." } })
    await word(page, 16, "area").click()
    await page.keyboard.press("r")
    await panel.getByText("The index is locked.").waitFor()
    await answer({ json: { total_count: 0, incomplete_results: false, items: [] } })
    await panel.getByRole("button", { name: "Try again" }).click()
    await panel.getByText("No uses in this repository.").waitFor()
    await page.keyboard.press("Escape")
    await page.unroute(isAsked)
  })

  inLongTests(() => {
    it("highlights all occurrences of the identifier at the caret, and steps through them", async () => {
      const page = await open("src/geometry.ts")
      await word(page, 9, "radius").click()
      const marks = page.locator(".occurrence")
      await expectEventually(() => marks.count(), 5)
      await page.locator(".occurrence.current", { hasText: "radius" }).waitFor()
      await page.keyboard.press("n")
      await page.waitForURL(/#L11$/)
      await page.keyboard.press("N")
      await page.waitForURL(/#L9$/)
      await page.keyboard.press("N")
      await page.waitForURL(/#L17$/)
      await page.keyboard.press("F4")
      await page.waitForURL(/#L9$/)
    })
  })

  inLongTests(() => {
    it("shows symbols as a tree, and those around the current line", async () => {
      const page = await open("src/geometry.ts", "&side=symbols")
      const side = page.getByRole("complementary", { name: "Symbols" })
      const scope = page.getByRole("navigation", { name: "Enclosing symbols" })
      await word(page, 17, "radius").click()
      await side.locator("[aria-current]", { hasText: "area" }).waitFor()
      await expectEventually(() => scope.getByRole("button").count(), 3)
      await scope.getByRole("button", { name: "Circle" }).click()
      await page.waitForURL(/#L7$/)
      await side.locator("[aria-current]", { hasText: "Circle" }).waitFor()
      await page.goBack()
      await side.locator("[aria-current]", { hasText: "area" }).waitFor()
      await page.getByText(/^Line 17, column/).waitFor()
      const area = side.getByRole("button", { name: /area/ })
      await side.getByRole("button", { name: "Symbols in Circle" }).click()
      await area.waitFor({ state: "detached" })
      // The enclosing symbol is marked instead.
      const circle = side.locator("[aria-current]", { hasText: "Circle" })
      await circle.focus()
      await page.keyboard.press("ArrowRight")
      await area.waitFor()
      await page.keyboard.press("ArrowLeft")
      await area.waitFor({ state: "detached" })
      await side.getByLabel("Filter symbols").fill("are")
      await area.waitFor()
      await expectAccessible(page, "symbols")
    })
  })

  inLongTests(() => {
    it("shows the definition as a sheet on a phone", async () => {
      const { errors, page } = await explorer.open(address("src/main.ts"), {
        viewport: phone,
        hasTouch: true,
        isMobile: true
      })
      await page.locator(".tok-keyword").first().waitFor()
      await word(page, 4, "distance").tap()
      const card = cardOf(page, "distance")
      await card.getByText("function · src/geometry.ts:23").waitFor()
      const box = await card.boundingBox()
      assert.strictEqual(Math.round((box?.y ?? 0) + (box?.height ?? 0)), phone.height)
      assert.strictEqual(box?.width, phone.width)
      await expectAccessible(page, "sheet")
      await card.getByRole("button", { name: /use/ }).tap()
      const panel = panelOf(page, "distance")
      await panel.getByRole("link", { name: /distance\(origin/ }).waitFor()
      assert.strictEqual((await panel.boundingBox())?.height, phone.height)
      await expectAccessible(page, "uses on a phone")
      await panel.getByRole("link", { name: /distance\(origin/ }).tap()
      await panel.waitFor({ state: "detached" })
      await page.goBack()
      await panel.waitFor()
      await page.goBack()
      await panel.waitFor({ state: "detached" })
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  })

  it("has no axe violation with cards and lists of uses", async () => {
    const { page } = await explorer.open(address("src/geometry.ts", "&uses=Circle@src/geometry.ts:7:14"), {
      reducedMotion: "reduce"
    })
    await panelOf(page, "Circle")
      .getByRole("link", { name: /^3 .*new Circle/ })
      .waitFor()
    await expectAccessibleInEveryTheme(page, "uses")
    await navigate(page, address("src/main.ts"))
    await word(page, 4, "distance").click()
    await page.keyboard.press("i")
    await cardOf(page, "distance")
      .getByRole("button", { name: /^\d uses?$/ })
      .waitFor()
    await expectAccessibleInEveryTheme(page, "card")
    await page.context().close()
  })
})

const cardOf = (page: Page, name: string) => page.getByRole("group", { name: `Definition of ${name}` })

const panelOf = (page: Page, name: string) => page.getByRole("region", { name: `Uses of ${name}` })

const word = (page: Page, line: number, text: string) =>
  page
    .locator(".cm-line")
    .nth(line - 1)
    .getByText(text, { exact: true })
    .first()
