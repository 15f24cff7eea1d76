/**
 * Documents, images and names of a hostile repository in the explorer, with the content security policy switched off:
 * even then the page must run nothing, load nothing from elsewhere, and not navigate away.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  expectAccessible,
  expectEventually,
  expectNoOverflow,
  type Explorer,
  launchOver,
  navigate,
  phone,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import * as HostileRepository from "./HostileRepository.test-support.ts"

describe.skipIf(skipReason !== "")(`a hostile repository in tongs explore${skipReason}`, () => {
  let explorer: Explorer
  let repo: string
  let close = async () => {}

  beforeAll(async () => {
    ;({ close, explorer, repo } = await launchOver(HostileRepository.make))
  })

  afterAll(() => close())

  const address = (view: string, path: string) => `${view}?${new URLSearchParams({ repo, path })}`

  /** Opens a page without the policy, and gives a check that nothing hostile has happened in the page. */
  const open = async (path: string) => {
    const dialogs: Array<string> = []
    const navigations: Array<string> = []
    const opened = await explorer.open(path, {
      bypassCSP: true,
      prepare: async (page) => {
        page.on("dialog", (dialog) => {
          dialogs.push(dialog.message())
          void dialog.dismiss()
        })
        page.on("framenavigated", (frame) => navigations.push(frame.url()))
        page.on("popup", (popup) => navigations.push(popup.url()))
      }
    })
    const check = async (what: string) => {
      // Loads, errors and timers of the document have happened by then.
      await opened.page.waitForLoadState("networkidle")
      assert.deepStrictEqual(dialogs, [], what)
      assert.isFalse(await opened.page.evaluate(() => "owned" in window), what)
      assert.deepStrictEqual(
        opened.requests.filter((url) => !url.startsWith(explorer.url)),
        [],
        what
      )
      assert.deepStrictEqual(
        navigations.filter((url) => !url.startsWith(explorer.url)),
        [],
        what
      )
      assert.strictEqual(opened.page.frames().length, 1, what)
    }
    return { ...opened, check }
  }

  it("has no effect in a folder's listing and README", async () => {
    const { check, page } = await open(address("tree", ""))
    await page.getByText("before <U+202E> reversed").waitFor()
    await page.locator(".entry-commit a").first().waitFor()
    await check("README")
    // Ids are unique to the page's own elements, and no element covers these elements.
    assert.strictEqual(await page.locator("#page, #main").count(), 2)
    assert.strictEqual(
      await page.locator(".markdown [style], .markdown form, .markdown svg, .markdown iframe").count(),
      0
    )
    for (const id of await page.locator(".markdown [id]").evaluateAll((all) => all.map(({ id }) => id))) {
      assert.match(id, /^user-content-/)
    }
    for (const url of await page.locator(".markdown a").evaluateAll((all) => all.map((a) => a.getAttribute("href")))) {
      assert.match(url ?? "", /^(https?:|mailto:|#|file\?|tree\?)/)
    }
    await expectNoOverflow(page, "README")
    await expectAccessible(page, "README")
    await page.context().close()
  })

  it("has no effect in a file of any kind", async () => {
    const { check, page } = await open(address("tree", "names"))
    for (const path of sample(HostileRepository.paths)) {
      await navigate(page, "./")
      await page.locator(".card").first().waitFor()
      await navigate(page, address("file", path))
      await shown(page)
      await check(path)
    }
    await page.context().close()
  })

  inLongTests(() => {
    it("does not block the page with a document that takes too long", async () => {
      const { check, page } = await open(address("file", "slow.md"))
      await page.getByText("too complex to be rendered").waitFor()
      await page.getByRole("button", { name: "Code" }).click()
      await page.locator(".cm-line", { hasText: "[^0]" }).first().waitFor()
      await check("slow.md")
      await page.context().close()
    })
  })

  it("has no effect in the tree, the finder and the names of a folder", async () => {
    const { check, page } = await open(address("tree", "names"))
    const items = page.getByRole("treeitem")
    await items
      .filter({ hasText: "inner.txt" })
      .or(items.filter({ hasText: "folder" }))
      .first()
      .waitFor()
    await expectEventually(() => page.locator(".entries a.entry").count(), HostileRepository.names.length + 2)
    for (const text of ["<U+202E>gpj.exe", "␇bell␛[31m.txt", "line␊break.txt"]) {
      await page.locator(".entries").getByText(text).waitFor()
      await page.getByRole("tree").getByText(text).waitFor()
    }
    await check("names")
    await page.keyboard.press("t")
    await page.getByRole("combobox", { name: "Go to file" }).fill("onerror")
    await page.getByRole("option").first().waitFor()
    await check("finder")
    await expectAccessible(page, "finder")
    await page.keyboard.press("Enter")
    await page.waitForURL(/file\?/)
    await shown(page)
    await check("opened")
    await page.setViewportSize(phone)
    await expectNoOverflow(page, "a file with a hostile name")
    await page.context().close()
  })

  it("shows images as images, and never as pages", async () => {
    const { check, page } = await open(address("file", "picture.svg"))
    const picture = page.getByRole("img", { name: "picture.svg" })
    await picture.waitFor()
    await expectEventually(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), 120)
    await check("SVG")
    await page.getByRole("button", { name: "Code" }).click()
    await page.locator(".cm-line", { hasText: "foreignObject" }).waitFor()
    await check("code of the SVG")
    const raw = `api/raw?${new URLSearchParams({ owner: repo.split("/")[0] ?? "", repo: repo.split("/")[1] ?? "", path: "picture.svg" })}`
    // Opened as a page, the image is plain text.
    const response = await page.goto(new URL(raw, explorer.url).href)
    assert.strictEqual(response?.headers()["content-type"], "text/plain; charset=utf-8")
    await check("raw SVG")
    await page.goto(new URL(address("file", "broken.png"), explorer.url).href)
    await page.getByRole("heading", { name: "Broken image" }).waitFor()
    await page.goto(new URL(address("file", "html.png"), explorer.url).href)
    await page.getByRole("heading", { name: "Broken image" }).waitFor()
    await check("images")
    await page.context().close()
  })
})

/** Waits until the content of a file has rendered. */
const shown = (page: Page) => page.locator(".cm-line, .notice, .image-preview img, .markdown h1").first().waitFor()
