/** Error states of the explorer: limited forge, exhausted budget, no server, incomplete index, slow responses. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import {
  expectAccessible,
  expectEventually,
  type Explorer,
  fileHit,
  hasFocus,
  launch,
  skipReason,
  searchBox,
  stubIndex
} from "./ExplorerBrowser.test-support.ts"

const files = [fileHit("src/first.ts", { rank: 9 }), fileHit("src/second.ts", { rank: 8 })]

const requestsTo = (urls: ReadonlyArray<string>, path: string) => urls.filter((url) => url.includes(path))

describe.skipIf(skipReason !== "")(`tongs explore, its states${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  it("works on a remote forge with few requests", async () => {
    const reset = Date.now() + 50_000
    const budget = [{ resource: "code_search", limit: 10, remaining: 7, reset }]
    const found = { owner: "octo", repo: "hello", path: "src/a.ts", inPath: [] }
    const { requests, page } = await explorer.open("", {
      prepare: async (page) => {
        await page.route("**/api/connection", (route) =>
          route.fulfill({
            json: {
              kind: "remote",
              label: "forge.example",
              here: null,
              notices: [],
              capabilities: { index: false },
              budget
            }
          })
        )
        await page.route("**/api/search?**", (route) =>
          route.fulfill({
            json: {
              total: 40,
              incomplete: false,
              hits: [{ ...found, fragments: [{ text: "the hit", line: null, matches: [[4, 7]] }] }],
              next: 2
            }
          })
        )
      }
    })
    await page.getByText("Press Enter to search. Each search counts against the rate limit.").waitFor()
    await page.getByRole("meter", { name: "searches: 7 of 10 left" }).waitFor()
    await expectAccessible(page)
    await hasFocus(searchBox(page))
    await page.keyboard.type("hit")
    await page.keyboard.press("Home")
    await page.keyboard.type("one ")
    assert.deepStrictEqual(requestsTo(requests, "/api/search"), [])
    await page.keyboard.press("Enter")
    await page.locator("[data-result='0']:focus").waitFor()
    assert.lengthOf(requestsTo(requests, "/api/search"), 1)
    // Cached data is not requested again.
    await page.goBack()
    await page.getByRole("heading", { name: "Repositories" }).waitFor()
    await page.goForward()
    await page.locator("[data-result='0']:focus").waitFor()
    assert.lengthOf(requestsTo(requests, "/api/search"), 1)
    // This forge does not support the explorer's own syntax.
    await searchBox(page).fill("symbol:parse OR")
    await page.locator("#problems p").first().waitFor()
    await page.keyboard.press("Enter")
    assert.lengthOf(requestsTo(requests, "/api/search"), 1)
    assert.deepStrictEqual(requestsTo(requests, "/api/tongs/"), [])
    await page.context().close()
  })

  inLongTests(() => {
    it("counts down while the budget is exhausted, then continues", async () => {
      let isUsedUp = true
      const { page } = await explorer.open("", {
        prepare: async (page) => {
          await page.clock.install()
          await stubIndex({ files })(page)
          await page.route("**/api/tongs/search?**", (route) =>
            isUsedUp
              ? route.fulfill({
                  status: 429,
                  json: { kind: "RateLimited", message: "No searches are left.", until: Date.now() + 40_000 }
                })
              : route.fallback()
          )
        }
      })
      await hasFocus(searchBox(page))
      await page.keyboard.insertText("hit")
      await page.getByRole("heading", { name: "Rate limit exceeded" }).waitFor()
      await page.locator(".countdown", { hasText: /^Retrying in \d+ s$/ }).waitFor()
      isUsedUp = false
      await page.clock.fastForward(41_000)
      await page.locator("[data-result='0']").waitFor()
      await page.context().close()
    })
  })

  it("reports that the explorer is not running, and continues when it is back", async () => {
    const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
    await page.locator("[data-result='0']").waitFor()
    const header = page.getByRole("banner")
    await header.getByText(/^embedded/i).waitFor()
    await page.route("**/api/**", (route) => route.abort())
    await searchBox(page).fill("hit again")
    await page.getByRole("heading", { name: "The explorer is not running" }).waitFor()
    await header.getByText("offline").waitFor()
    await expectAccessible(page)
    await page.unroute("**/api/**")
    await page.locator("[data-result='0']").waitFor()
    await header.getByText("offline").waitFor({ state: "detached" })
    await page.context().close()
  })

  inLongTests(() => {
    it("reports that the explorer has restarted, and continues when its new link was opened", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      await page.locator("[data-result='0']").waitFor()
      const refusal = { kind: "LinkNeeded", message: "Open the link that `tongs explore` printed when it started." }
      await page.route("**/api/**", (route) => route.fulfill({ status: 401, json: refusal }))
      await searchBox(page).fill("hit again")
      await page.getByRole("heading", { name: "The explorer was restarted" }).waitFor()
      await page.getByText(refusal.message).waitFor()
      await expectAccessible(page)
      await page.unroute("**/api/**")
      await page.locator("[data-result='0']").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("reports the progress of the index, and incomplete results", async () => {
      const progress = { files: 30, of: 120, bytes: 250_000, remaining: 9_000 }
      const prepare = stubIndex({ files, index: { state: "indexing", progress }, done: { incomplete: ["indexing"] } })
      const { page } = await explorer.open("", { prepare })
      await page.getByRole("heading", { name: "Indexing" }).waitFor()
      await page.getByText("25 %, 250 kB read, about 9 seconds left.").waitFor()
      await expectAccessible(page)
      await page.goto(new URL("search?q=hit", explorer.url).href)
      await page.getByText("Incomplete: indexing is in progress (25 %).").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("lists files that the index skips", async () => {
      const { page } = await explorer.open("unindexed?repo=octo/hello", { prepare: stubIndex({ files }) })
      await page.getByRole("heading", { name: "Too large 1 file" }).waitFor()
      await page.getByRole("heading", { name: "Binary 1 file" }).waitFor()
      await page.getByRole("link", { name: "data.json" }).waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("suggests other queries if there is no result", async () => {
      const { page } = await explorer.open("search?q=zzqq+language:rust", { prepare: stubIndex({ files: [] }) })
      await page.getByRole("heading", { name: "No results" }).waitFor()
      await page.getByRole("link", { name: "Without language:rust" }).click()
      await page.waitForURL((url) => url.searchParams.get("q") === "zzqq")
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("reports a wait", async () => {
      const { page } = await explorer.open("", {
        prepare: async (page) => {
          await page.clock.install()
          await page.route("**/api/tongs/search?**", () => {})
        }
      })
      await hasFocus(searchBox(page))
      await page.keyboard.insertText("slow")
      await page.getByText(/^Searching/).waitFor({ state: "attached" })
      await page.clock.fastForward(2_000)
      await page.getByText("Searching takes longer than usual…").waitFor()
      await page.context().close()
    })
  })

  it("never sends a token to the page", async () => {
    const { page } = await explorer.open("")
    const answers: Array<string> = []
    page.on("response", (response) => {
      if (response.url().includes("/api/"))
        void response.text().then(
          (text) => answers.push(text),
          () => {}
        )
    })
    await page.reload()
    await page.locator(".card").first().waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })
    )
    await expectEventually(() => answers.some((text) => text.includes("capabilities")), true)
    for (const text of [...answers, kept]) assert.notMatch(text, /gh[a-z]_|token_|"token"|bearer/i)
    await page.context().close()
  })
})
