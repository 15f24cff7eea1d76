/**
 * The file tree, the file finder, listings, READMEs, previews and images of `tongs explore`, by keyboard and by mouse.
 */
import * as ChildProcess from "node:child_process"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  hasFocus,
  launchOver,
  navigate,
  phone,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as ViewerRepository from "./ViewerRepository.test-support.ts"

/** Number of files in the folder `entries` of the branch `large`. */
const ENTRIES = 12_345

/** Adds the branch `large`, whose other file is a long Markdown document. */
const addLargeBranch = ({ folder }: ViewerRepository.ViewerRepository) => {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const chapters = Array.from(
    { length: 600 },
    (_, at) => `## Chapter ${at}\n\n${"Some words of the text. ".repeat(40)}\n\n[next](#chapter-${at + 1})\n`
  )
  const stream = [
    "blob\nmark :1\n",
    data("one\n"),
    "commit refs/heads/large\ncommitter Ada Lovelace <ada@example.org> 1767300000 +0000\n",
    data("Add many files"),
    ...Array.from({ length: ENTRIES }, (_, at) => `M 100644 :1 entries/entry-${String(at).padStart(5, "0")}.txt\n`),
    `M 100644 inline guide.md\n${data(chapters.join("\n"))}`,
    "\ndone\n"
  ]
  ChildProcess.execFileSync("git", ["-C", folder, "fast-import", "--quiet", "--done"], { input: stream.join("") })
}

describe.skipIf(skipReason !== "")(`the file tree of tongs explore${skipReason}`, () => {
  let explorer: Explorer
  let repo: string
  let world: ViewerRepository.ViewerRepository
  let close = async () => {}

  beforeAll(async () => {
    ;({ close, explorer, repo, world } = await launchOver(ViewerRepository.make))
  })

  afterAll(() => close())

  const address = (view: string, path = "", rest = "") => `${view}?repo=${repo}&path=${encodeURIComponent(path)}${rest}`

  it("reveals the file, and opens others by keyboard and by mouse", async () => {
    const { errors, page } = await explorer.open(address("file", "src/deep/er/file.ts"))
    const tree = page.getByRole("tree")
    const current = tree.locator("[aria-current=page]")
    await current.filter({ hasText: "file.ts" }).waitFor()
    assert.strictEqual(await current.getAttribute("aria-level"), "4")
    await tree.focus()
    await page.keyboard.press("Home")
    const active = tree.locator("[data-active]")
    await active.filter({ hasText: "src" }).waitFor()
    await page.keyboard.press("ArrowLeft")
    await expectEventually(() => current.count(), 0)
    await page.keyboard.press("ArrowRight")
    await page.keyboard.type("geo")
    await active.filter({ hasText: "geometry.ts" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/geometry\.ts/)
    await current.filter({ hasText: "geometry.ts" }).waitFor()
    await tree.getByRole("treeitem", { name: "main.ts" }).click()
    await page.waitForURL(/main\.ts/)
    // The arrow expands without opening the folder.
    await tree.getByRole("treeitem", { name: "vendor" }).locator(".tree-arrow").click()
    await tree.getByRole("treeitem", { name: "sub" }).waitFor()
    assert.include(page.url(), "main.ts")
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  inLongTests(() => {
    it("keeps its width, and whether it is visible", async () => {
      const { page } = await explorer.open(address("file", "src/main.ts"))
      const border = page.getByRole("separator", { name: "Width of the file tree" })
      await border.focus()
      const before = Number(await border.getAttribute("aria-valuenow"))
      await page.keyboard.press("ArrowRight")
      await expectEventually(() => border.getAttribute("aria-valuenow"), String(before + 16))
      await page.reload()
      await expectEventually(() => border.getAttribute("aria-valuenow"), String(before + 16))
      await page.keyboard.press("f")
      await border.waitFor({ state: "detached" })
      await page.reload()
      await page.getByRole("button", { name: "Show the file tree" }).click()
      await border.waitFor()
      await page.context().close()
    })
  })

  it("goes to a file by its path", async () => {
    const { page } = await explorer.open(address("tree"))
    await page.locator(".entries").waitFor()
    await page.keyboard.press("t")
    const box = page.getByRole("combobox", { name: "Go to file" })
    await hasFocus(box)
    // Enter, pressed before the response, opens the first file.
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => {
      void page.route(/file-paths\?q=main&/, async (route) => {
        resolve()
        await new Promise<void>((resolve) => (answer = resolve))
        return route.continue()
      })
    })
    await page.keyboard.type("main")
    await isAsked
    await page.keyboard.press("Enter")
    answer()
    await page.waitForURL(/main\.ts/)
    await page.keyboard.press("t")
    await hasFocus(box)
    await page.keyboard.type("geom src:7")
    await page.getByRole("option", { name: "src/geometry.ts" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/geometry\.ts#L7$/)
    await page.setViewportSize(phone)
    await page.getByRole("button", { name: "Show the file tree" }).click()
    const drawer = page.getByRole("dialog", { name: "Files" })
    await drawer.getByRole("treeitem", { name: "main.ts" }).click()
    await page.waitForURL(/main\.ts/)
    await drawer.waitFor({ state: "detached" })
    await page.context().close()
  })

  inLongTests(() => {
    it("lists the last commits, and previews documents and images", async () => {
      const { errors, page } = await explorer.open(address("tree", "src"))
      const geometry = page.locator(".entries li", { hasText: "geometry.ts" }).last()
      await geometry.getByRole("link", { name: "Say the unit" }).waitFor()
      await navigate(page, address("file", "cjk.md"))
      await page.getByRole("heading", { name: "漢字とかな" }).waitFor()
      await page.keyboard.press("v")
      await page.locator(".cm-line", { hasText: "# 漢字とかな" }).waitFor()
      await page.getByRole("button", { name: "Preview" }).click()
      await page.locator(".markdown").waitFor()
      await navigate(page, address("file", "cjk.md", "#L1"))
      await page.locator(".cm-line.selected-line").waitFor()
      await navigate(page, address("file", "dot.png"))
      await page.getByText("1 × 1").waitFor()
      await page.keyboard.press("1")
      await page.getByText("100 %").waitFor()
      assert.deepStrictEqual(errors, [])
      await page.context().close()
    })
  })

  it("leads from the last commit of an entry, and of the folder, to the commit", async () => {
    const { page } = await explorer.open(address("tree", "src"))
    const geometry = page.locator(".entries li", { hasText: "geometry.ts" }).last()
    await geometry.getByRole("link", { name: "Say the unit" }).click()
    await page.waitForURL(new RegExp(`commit\\?repo=${repo}&ref=${world.commits.at(-1)}$`))
    await page.getByRole("heading", { name: "Say the unit" }).waitFor()
    await page.goBack()
    await page.locator(".latest-commit").getByRole("link", { name: "Say the unit" }).click()
    await page.getByRole("heading", { name: "Say the unit" }).waitFor()
    await page.context().close()
  })

  it("lists 10,000 entries of a larger folder, few of them at a time, and the parts of a long document", async () => {
    addLargeBranch(world)
    const { errors, page } = await explorer.open(address("tree", "entries", "&ref=large"))
    await page.getByText("10,000 of 12,345 entries").waitFor()
    const entries = page.locator(".entries li")
    await entries.filter({ hasText: "entry-00000.txt" }).waitFor()
    assert.isAtMost(await entries.count(), 80)
    assert.strictEqual(await entries.first().getAttribute("aria-setsize"), "10001")
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const last = entries.filter({ hasText: "entry-09999.txt" })
    await last.getByRole("link", { name: "entry-09999.txt" }).click()
    await page.waitForURL(/entry-09999\.txt/)
    // Back restores the offset, and keys continue from the row with the focus, also after that row was scrolled away.
    await page.goBack()
    await last.waitFor()
    await last.locator("a.entry").focus()
    await page.evaluate(() => scrollTo(0, 0))
    await entries.filter({ hasText: "entry-00000.txt" }).waitFor()
    await page.keyboard.press("k")
    await hasFocus(page.getByRole("link", { name: "entry-09998.txt" }))
    const tree = page.getByRole("tree")
    await tree.focus()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowUp")
    await tree.getByText("2,345 more entries").waitFor()
    await page.getByRole("button", { name: "Find the others by name" }).click()
    await page.keyboard.type("entry-12340")
    await page.getByRole("option", { name: "entries/entry-12340.txt" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/entry-12340\.txt/)

    await navigate(page, address("file", "guide.md", "&ref=large#chapter-500"))
    const chapter = page.getByRole("heading", { name: "Chapter 500", exact: true })
    const isAtTop = () => chapter.evaluate((heading) => Math.abs(heading.getBoundingClientRect().top - 180) < 80)
    await expectEventually(isAtTop, true)
    assert.isBelow(await page.locator(".markdown h2").count(), 200)
    await page.getByRole("link", { name: "next" }).first().waitFor()
    await page.keyboard.press("Home")
    await page.getByRole("heading", { name: "Chapter 0", exact: true }).waitFor()
    await expectEventually(() => chapter.count(), 0)
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("has no axe violation, light and dark, in desktop and phone size", async () => {
    const { page } = await explorer.open(address("tree", "src"), { reducedMotion: "reduce" })
    for (const [view, path, shown] of [
      ["tree", "src", ".entry-commit a"],
      ["file", "cjk.md", ".markdown"],
      ["file", "dot.png", ".image-preview img"]
    ] as const) {
      await navigate(page, address(view, path))
      await page.locator(shown).first().waitFor()
      await expectAccessibleInEveryTheme(page, path)
    }
    await page.context().close()
  })
})
