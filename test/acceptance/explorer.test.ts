/**
 * The explorer as a person meets it: the built `tongs explore` over this very repository, in a real browser, by
 * keyboard and by mouse.
 */
import * as Fs from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { type Explorer, fileHit, focused, inView, launch, missing, withIndex } from "./Explorer.test-support.ts"

/** Files of two repositories and languages. */
const files = [
  fileHit("src/first.ts", { rank: 9 }),
  fileHit("src/second.ts", { rank: 8 }),
  fileHit("lib/third.go", { rank: 7, language: "Go", chunks: [], matchCount: 0, inPath: [[4, 7]] }),
  fileHit("src/fourth.ts", { rank: 3, repo: "other", matchCount: 30 })
]

const paths = (page: Page) => page.locator(".hit h3").allTextContents()

const requests = (asked: ReadonlyArray<string>, path: string) => asked.filter((url) => url.includes(path))

describe.skipIf(missing !== "")(`tongs explore${missing}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch()
  })

  afterAll(() => explorer?.close())

  it("finds a word of this repository, and Enter opens the file at the line", async () => {
    const { asked, complaints, page } = await explorer.open("")
    // The box has the focus from the start.
    await page.locator("#suggestions").waitFor({ state: "attached" })
    await page.keyboard.type("createRoot filename:main.tsx")
    await page.keyboard.press("Enter")
    const hit = page.locator("[data-hit='0']")
    await page.locator("[data-hit='0']:focus").waitFor()
    assert.include(await hit.textContent(), "apps/explorer/src/page/main.tsx")
    assert.strictEqual(await page.locator(".piece mark").first().textContent(), "createRoot")

    await page.keyboard.press("Enter")
    await page.waitForURL(/\/file\?.*#L\d+$/)
    const there = page.url()
    await page.reload()
    assert.strictEqual(page.url(), there)

    await page.goBack()
    await page.waitForURL(/\/search\?/)
    await page.locator("[data-hit='0']:focus").waitFor()

    assert.deepStrictEqual(complaints, [])
    assert.deepStrictEqual(
      asked.filter((request) => !request.startsWith(explorer.url)),
      []
    )
    await page.context().close()
  })

  it("takes what was typed before its script was there", async () => {
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { page } = await explorer.open("about:blank")
    await page.route("**/assets/*.js", async (route) => {
      await held
      await route.continue()
    })
    await page.goto(explorer.url, { waitUntil: "commit" })
    await page.locator("#early:focus").waitFor()
    await page.keyboard.type("create")
    go()
    await page.locator("#suggestions").waitFor({ state: "attached" })
    assert.strictEqual(await page.getByLabel("Search the code").inputValue(), "create")
    assert.strictEqual(await focused(page), "INPUT")
    await page.waitForURL(/search\?q=create$/)
    await page.context().close()
  })

  it("says what is wrong with a query while it is typed, and asks nobody", async () => {
    const { asked, page } = await explorer.open("")
    await page.locator("#suggestions").waitFor({ state: "attached" })
    await page.keyboard.insertText("repo:tongs word")
    await page.getByText("Name the repository with its owner, as repo:owner/name.").waitFor()
    assert.strictEqual(
      await page
        .locator(".colours [data-wrong]")
        .allTextContents()
        .then((all) => all.join("")),
      "repo:tongs"
    )
    await page.keyboard.press("Enter")
    assert.deepStrictEqual(requests(asked, "search?"), [])
    assert.strictEqual(new URL(page.url()).pathname, "/")
    await page.context().close()
  })

  it("searches while one types, and completes what is typed", async () => {
    const { asked, page } = await explorer.open("", { before: withIndex({ files }) })
    await page.locator("#suggestions").waitFor({ state: "attached" })
    await page.keyboard.type("hit")
    await page.locator("[data-hit]").first().waitFor()
    assert.strictEqual(await focused(page), "INPUT")
    await page.keyboard.type(" lang")
    await page.getByRole("option", { name: "language:" }).waitFor()
    await page.keyboard.press("Tab")
    await page.getByRole("option", { name: "TypeScript" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.getByLabel("Search the code").inputValue(), "hit language:TypeScript ")
    await page.keyboard.press("Enter")
    await page.locator("[data-hit='0']:focus").waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("q")?.trim(), "hit language:TypeScript")
    // Many keys, few searches.
    assert.isAtMost(requests(asked, "/tongs/search").length, 8)
    await page.context().close()
  })

  it("is walked by its keys", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    await page.locator("[data-hit='1']").waitFor()
    assert.strictEqual(await focused(page), "INPUT")
    await page.keyboard.press("Escape")
    const steps = [
      ["j", "0"],
      ["j", "1"],
      ["j", "2"],
      ["k", "1"],
      ["End", "3"],
      ["Home", "0"]
    ] as const // pairs
    for (const [key, hit] of steps) {
      await page.keyboard.press(key)
      await page.locator(`[data-hit='${hit}']:focus`).waitFor()
    }
    const opened = page.context().waitForEvent("page")
    await page.keyboard.press("o")
    assert.include((await opened).url(), "path=src/first.ts")
    await page.keyboard.press("?")
    await page.getByRole("heading", { name: "Keys and syntax" }).waitFor()
    // What stands behind it stays as it is.
    for (const key of ["j", "/"]) await page.keyboard.press(key)
    assert.isTrue(await page.getByRole("dialog").evaluate((dialog) => dialog.contains(document.activeElement)))
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Keys and syntax" }).waitFor({ state: "detached" })
    await page.keyboard.press("/")
    assert.strictEqual(await focused(page), "INPUT")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Search the code" }).waitFor()
    await page.context().close()
  })

  it("groups by repository, shows every match in its context, and all of them when asked", async () => {
    const lines = [10, 11, 20].map((number) => ({ number, text: `hit ${number}`, cut: 0, matches: [[0, 3] as const] })) // pairs
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files, lines }) })
    await page.getByRole("heading", { name: "octo/hello 3 files" }).waitFor()
    await page.getByRole("heading", { name: "octo/other 1 file" }).waitFor()
    assert.deepStrictEqual(await paths(page), ["src/first.ts", "src/second.ts", "lib/third.go", "src/fourth.ts"])
    const first = page.locator(".hit").first()
    assert.deepStrictEqual(
      await first.locator(".number").evaluateAll((all) => all.map((one) => one.getAttribute("data-line"))),
      ["3", "4", "5", "40"]
    )
    assert.deepStrictEqual(await first.locator("mark").allTextContents(), ["hit", "hit", "hit"])
    await first.getByRole("button", { name: "Show all 7 matches" }).click()
    await first.getByText("hit 20").waitFor()
    assert.strictEqual(await first.locator("mark").count(), 3)
    await page.keyboard.press("Home")
    await page.locator("[data-hit='0']:focus").waitFor()
    await page.keyboard.press("e")
    await first.getByText("const hit = 1").waitFor()
    await page.context().close()
  })

  it("is narrowed by its facets, which put qualifiers in and take them out", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    const facets = page.getByRole("complementary", { name: "Narrow the results" })
    const q = () => new URL(page.url()).searchParams.get("q")
    await facets.getByRole("button", { name: "Go 1", exact: true }).click()
    await page.waitForURL(/language/)
    assert.strictEqual(q(), "hit language:Go")
    assert.strictEqual(await page.getByLabel("Search the code").inputValue(), "hit language:Go")
    await facets.getByRole("button", { name: "Go, take out" }).click()
    await page.waitForURL((url) => url.searchParams.get("q") === "hit")
    await facets.getByRole("button", { name: "Without octo/other" }).click()
    await page.waitForURL(/-repo/)
    assert.strictEqual(q(), "hit -repo:octo/other")
    await facets.getByRole("button", { name: "constant" }).click()
    await page.waitForURL(/kind=constant/)
    assert.notInclude(await paths(page), "lib/third.go")
    await page.goBack()
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get("q") === "hit")
    await page.context().close()
  })

  it("is ordered as one likes, and the URL says how", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    await page.getByRole("button", { name: "Sort: best match" }).click()
    await page.getByRole("menuitemradio", { name: "most matches" }).click()
    await page.waitForURL(/sort=matches/)
    await page.locator(".hit").first().getByText("fourth.ts").waitFor()
    await page.reload()
    await page.locator(".hit").first().getByText("fourth.ts").waitFor()
    // By keyboard.
    await page.getByRole("button", { name: "Sort: most matches" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitemradio", { name: "best match" }).waitFor()
    for (const key of ["Home", "ArrowDown", "Enter"]) await page.keyboard.press(key)
    await page.waitForURL(/sort=path/)
    await page.context().close()
  })

  it("can be taken along as CSV and as JSON lines", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    const saved = async (item: string) => {
      await page.getByRole("button", { name: "Export" }).click()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click()
      ])
      return Fs.readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\n")
    }
    const csv = await saved("As CSV")
    assert.strictEqual(csv[1]?.trimEnd(), `octo/hello,${"c".repeat(40)},src/first.ts,4,7,const hit = 1`)
    const jsonl = await saved("As JSON lines")
    assert.deepStrictEqual(
      jsonl.map((line): unknown => JSON.parse(line).path),
      files.map(({ path }) => path)
    )
    await page.context().close()
  })

  it("keeps searches, and remembers them", async () => {
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files }) })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Saved", pressed: true }).waitFor()
    await page.getByLabel("Search the code").fill("other")
    await page.keyboard.press("Enter")
    await page.locator("[data-hit='0']:focus").waitFor()
    await page.goto(explorer.url)
    await page.getByRole("link", { name: "hit", exact: true }).waitFor()
    await page.keyboard.press("ArrowDown")
    assert.deepStrictEqual(await page.getByRole("option").locator("code").allTextContents(), ["hit", "other"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/q=hit/)
    await page.goBack()
    await page.getByRole("button", { name: "Forget hit" }).click()
    await page.getByRole("link", { name: "hit", exact: true }).waitFor({ state: "detached" })
    await page.context().close()
  })

  it("copies a link to the line at the commit", async () => {
    const { page } = await explorer.open("search?q=hit", {
      before: withIndex({ files }),
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await page.locator(".hit").first().hover()
    await page.locator(".hit").first().getByRole("button", { name: "Copy link" }).click()
    await page.getByText("Copied").waitFor()
    assert.strictEqual(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${explorer.url}file?repo=octo/hello&path=src/first.ts&ref=${"c".repeat(40)}#L4`
    )
    await page.context().close()
  })

  it("opens a line by a click on it, and comes back to where one was", async () => {
    const many = Array.from({ length: 120 }, (_, at) => fileHit(`src/${at}.ts`, { rank: 200 - at }))
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files: many }) })
    await page.locator("[data-hit='0']").waitFor()
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 6_000)
    await page.waitForFunction(() => scrollY > 5_000 && history.state?.scroll === scrollY)
    // A line in the middle of the window.
    const line = page
      .locator(".row", { has: page.locator(".line[data-match]") })
      .filter({ visible: true })
      .nth(5)
    const path = (await line.locator("h3").textContent()) ?? ""
    await line.scrollIntoViewIfNeeded()
    await page.waitForFunction(() => history.state?.scroll === scrollY)
    const before = await line.boundingBox()
    await line.locator(".line[data-match] code").first().click()
    await page.waitForURL(/\/file\?.*#L4$/)
    await page.goBack()
    const after = page.locator(".row", { hasText: path })
    await after.waitFor()
    assert.approximately((await after.boundingBox())?.y ?? 0, before?.y ?? -1, 3)
    await page.context().close()
  })

  it("has a bounded number of a thousand results in the page, wherever one is", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => fileHit(`src/${at}.ts`, { rank: 2_000 - at }))
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files: many }) })
    await page.locator("[data-hit='0']").waitFor()
    await page.keyboard.press("Escape")
    const drawn = () => page.locator(".row").count()
    assert.isAtMost(await drawn(), 30)
    await page.keyboard.press("End")
    await page.locator("[data-hit='999']:focus").waitFor()
    assert.isTrue(await inView(page, "[data-hit='999']"))
    assert.isAtMost(await drawn(), 30)
    assert.strictEqual(
      await page.locator("[data-hit='999']").locator("xpath=ancestor::article").getAttribute("aria-setsize"),
      "1000"
    )
    await page.keyboard.press("k")
    await page.locator("[data-hit='998']:focus").waitFor()
    await page.context().close()
  })

  it("does not move what one looks at while better results come in", async () => {
    const { page } = await explorer.open("", {
      before: async (page) => {
        await withIndex({ files })(page)
        // A search whose answer comes when the test says so.
        await page.addInitScript(() => {
          const ask = window.fetch
          const bytes = new TransformStream<Uint8Array, Uint8Array>()
          const writer = bytes.writable.getWriter()
          addEventListener("message", ({ data }: MessageEvent<unknown>) => {
            if (typeof data === "string") void writer.write(new TextEncoder().encode(`${data}\n`))
          })
          window.fetch = (input, init) =>
            typeof input === "string" && input.startsWith("api/tongs/search")
              ? Promise.resolve(new Response(bytes.readable))
              : ask(input, init)
        })
      }
    })
    const come = (path: string, rank: number) =>
      page.evaluate((event) => postMessage(event, origin), JSON.stringify(fileHit(path, { rank })))
    await page.locator("#suggestions").waitFor({ state: "attached" })
    await page.keyboard.type("hit")
    await page.waitForURL(/search/)
    await come("worse.ts", 1)
    await page.locator(".hit", { hasText: "worse.ts" }).waitFor()
    await come("better.ts", 2)
    await page.locator(".hit", { hasText: "better.ts" }).waitFor()
    // Nobody has touched them: the best is first.
    assert.deepStrictEqual(await paths(page), ["better.ts", "worse.ts"])
    await page.locator(".hit").first().hover()
    await come("best.ts", 3)
    await come("worst.ts", 0)
    await page.locator(".hit", { hasText: "worst.ts" }).waitFor()
    assert.deepStrictEqual(await paths(page), ["better.ts", "worse.ts", "best.ts", "worst.ts"])
    await page.getByRole("button", { name: "1 file belongs further up: put in order" }).click()
    await page.locator(".hit:first-child", { hasText: "best.ts" }).first().waitFor()
    assert.deepStrictEqual(await paths(page), ["best.ts", "better.ts", "worse.ts", "worst.ts"])
    await page.context().close()
  })

  it("shows text of a repository as text", async () => {
    const text = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>\u202Ehit`
    const evil = fileHit(`<b onmouseover=alert(1)>.ts`, {
      chunks: [{ lines: [{ number: 1, text, cut: 0, matches: [[text.length - 3, text.length]] }] }]
    })
    const { page } = await explorer.open("search?q=hit", { before: withIndex({ files: [evil] }) })
    await page.locator(".piece mark").waitFor()
    assert.strictEqual(await page.locator(".list img, .list script, .list b").count(), 0)
    assert.include(await page.locator(".piece code").textContent(), "<U+202E>")
    assert.notStrictEqual(await page.title(), "ran")
    await page.context().close()
  })
})
