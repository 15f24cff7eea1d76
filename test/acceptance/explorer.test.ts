/**
 * The explorer's search: the built `tongs explore` over this repository, in a browser, with keyboard
 * and mouse.
 */
import * as Fs from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import type { Page } from "playwright-core"
import { inLongTests } from "../LongTests.test-support.ts"
import {
  expectEventually,
  type Explorer,
  fileHit,
  hasFocus,
  waitForIndex,
  isInView,
  launch,
  skipReason,
  searchBox,
  expectNotice,
  stubIndex
} from "./ExplorerBrowser.test-support.ts"

/** Results in two repositories and languages. */
const files = [
  fileHit("src/first.ts", { rank: 9 }),
  fileHit("src/second.ts", { rank: 8 }),
  fileHit("lib/third.go", { rank: 7, language: "Go", chunks: [], match_count: 0, in_path: [[4, 7]] }),
  fileHit("src/fourth.ts", { rank: 3, repo: "other", match_count: 30 })
]

const person = { name: "Ann", email: "ann@example.org", date: "2024-01-31T12:00:00Z" }

const commitHit: CommitHit = {
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha: "c".repeat(40),
  author: person,
  committer: person,
  message: "Fix the hit\n\nIt is fixed\nin two lines.\n",
  in_message: [
    [0, 3],
    [19, 22]
  ],
  files: []
}

const paths = (page: Page) => page.locator(".result h3").allTextContents()

const requestsTo = (urls: ReadonlyArray<string>, path: string) => urls.filter((url) => url.includes(path))

describe.skipIf(skipReason !== "")(`tongs explore${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch()
  })

  afterAll(() => explorer?.close())

  it("finds a word of this repository, and opens the file at the line with Enter", async () => {
    await waitForIndex(explorer)
    const { requests, errors, page } = await explorer.open("")
    // The box has the initial focus, so the shortcut of the box types no character.
    await hasFocus(searchBox(page))
    await page.keyboard.type("/createRoot filename:start.tsx")
    await page.keyboard.press("Enter")
    await page.locator("[data-result='0']:focus", { hasText: "apps/explorer/src/page/start.tsx" }).waitFor()
    await expectEventually(() => page.locator(".snippet mark").first().textContent(), "createRoot")

    await page.keyboard.press("Enter")
    await page.waitForURL(/\/file\?.*#L\d+$/)
    await page.locator(".cm-line.selected-line").waitFor()
    const there = page.url()
    await page.reload()
    await page.locator(".cm-line.selected-line").waitFor()
    assert.strictEqual(page.url(), there)

    await page.goBack()
    await page.waitForURL(/\/search\?/)
    await page.locator("[data-result='0']:focus").waitFor()

    assert.deepStrictEqual(errors, [])
    assert.deepStrictEqual(
      requests.filter((request) => !request.startsWith(explorer.url)),
      []
    )
    await page.context().close()
  })

  inLongTests(() => {
    it("opens the help with the key that the home page offers, although the search box has the focus", async () => {
      const { page } = await explorer.open("")
      await hasFocus(searchBox(page))
      await page.keyboard.press("?")
      await page.getByRole("heading", { name: "Keyboard shortcuts and search syntax" }).waitFor()
      await page.keyboard.press("Escape")
      await hasFocus(searchBox(page))
      // In a query the question mark is a character.
      await page.keyboard.type("a?")
      await expectEventually(() => searchBox(page).inputValue(), "a?")
      await page.context().close()
    })
  })

  it("explains an invalid query once", async () => {
    const { page } = await explorer.open("search?q=repo:acme/+hit", { prepare: stubIndex({ files }) })
    await page.getByRole("heading", { name: "Invalid query" }).waitFor()
    await page.keyboard.press("/")
    await hasFocus(searchBox(page))
    const shown = () => page.getByText("Write user:acme.").filter({ visible: true }).count()
    assert.strictEqual(await shown(), 1)
    await page.keyboard.press("End")
    await page.keyboard.type(" more")
    await page.locator("#problems").getByText("Write user:acme.").waitFor()
    await page.context().close()
  })

  inLongTests(() => {
    it("shows the definition around a match, and leaves out lines that say nothing", async () => {
      const chunks = [
        {
          enclosing: { number: 7, text: "export const outer = () => {" },
          lines: [
            { number: 20, text: "  {", cut: 0, matches: [] },
            { number: 21, text: "    hit()", cut: 0, matches: [[4, 7] as const] }, // a pair
            { number: 22, text: "  }", cut: 0, matches: [] }
          ]
        }
      ]
      const { page } = await explorer.open("search?q=hit", {
        prepare: stubIndex({ files: [fileHit("src/a.ts", { chunks })] })
      })
      const shown = () => page.locator(".snippet code").allTextContents()
      await expectEventually(shown, ["export const outer = () => {", "    hit()"])
      await page.locator(".enclosing").click()
      await page.waitForURL(/\/file\?.*#L7$/)
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("keeps text that was typed before its script loaded", async () => {
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
      // The script's box replaces the plain one during typing.
      await page.keyboard.type("Root", { delay: 40 })
      await hasFocus(searchBox(page))
      await expectEventually(() => searchBox(page).inputValue(), "createRoot")
      await page.waitForURL(/search\?q=createRoot$/)
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("reports errors of a query during typing, without a request", async () => {
      const { requests, page } = await explorer.open("")
      await hasFocus(searchBox(page))
      await page.keyboard.insertText("repo:tongs/ word")
      await page.getByText("Write user:tongs.").waitFor()
      const wrong = page.locator(".query-highlight [data-invalid]")
      await expectEventually(async () => (await wrong.allTextContents()).join(""), "repo:tongs/")
      // A problem without a correction.
      await searchBox(page).fill('"word')
      await page.getByText("Close the quotation mark, or remove it.").waitFor()
      await page.keyboard.press("Enter")
      assert.deepStrictEqual(requestsTo(requests, "word"), [])
      assert.strictEqual(new URL(page.url()).pathname, "/")
      await page.context().close()
    })
  })

  it("searches during typing, and completes qualifiers", async () => {
    const { page } = await explorer.open("", { prepare: stubIndex({ files }) })
    await hasFocus(searchBox(page))
    await page.keyboard.type("hit")
    await page.locator("[data-result]").first().waitFor()
    await hasFocus(searchBox(page))
    await page.keyboard.type(" lang")
    await page.getByRole("option", { name: "language:" }).waitFor()
    // Immediately typed text follows the completion.
    await page.keyboard.press("Tab")
    await page.keyboard.type("Ty")
    await expectEventually(() => searchBox(page).inputValue(), "hit language:Ty")
    await page.getByRole("option", { name: "TypeScript" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.getByRole("option", { name: "TypeScript", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await expectEventually(() => searchBox(page).inputValue(), "hit language:TypeScript ")
    await page.keyboard.press("Enter")
    await page.locator("[data-result='0']:focus").waitFor()
    await page.waitForURL((url) => url.searchParams.get("q")?.trim() === "hit language:TypeScript")
    await page.context().close()
  })

  inLongTests(() => {
    it("edits the query by toggles, with the mouse and with keys", async () => {
      const { page } = await explorer.open("search?q=hit+path:src", { prepare: stubIndex({ files }) })
      await page.locator("[data-result='0']").waitFor()
      const searchesFor = async (q: string) => {
        await page.waitForURL(({ searchParams }) => searchParams.get("q") === q)
        await expectEventually(() => searchBox(page).inputValue(), q)
      }
      const toggle = (name: string, pressed: boolean) => page.getByRole("button", { name, pressed }).waitFor()
      await page.getByRole("button", { name: "Match case" }).click()
      await searchesFor("hit path:src case:yes")
      await toggle("Match case", true)
      // Outside of the box, with the keys of the page.
      await page.keyboard.press("Alt+w")
      await searchesFor("hit path:src case:yes word:yes")
      await page.keyboard.press("/")
      await hasFocus(searchBox(page))
      await page.keyboard.press("Alt+c")
      await searchesFor("hit path:src word:yes")
      await page.keyboard.press("Alt+r")
      await searchesFor("/hit/ path:src word:yes")
      await toggle("Regular expression", true)
      await page.reload()
      await toggle("Regular expression", true)
      await toggle("Match case", false)
      await page.getByRole("button", { name: "Regular expression" }).click()
      await searchesFor("hit path:src word:yes")
      await page.context().close()
    })
  })

  it("searches after a pause in typing, and keeps the focus of the box", async () => {
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { requests, page } = await explorer.open("", {
      prepare: async (page) => {
        await page.clock.install()
        await stubIndex({ files })(page)
        await page.route("**/api/tongs/search?q=hit&**", async (route) => {
          await held
          await route.fallback()
        })
      }
    })
    await page.getByText("Results appear as you type.").waitFor()
    await hasFocus(searchBox(page))
    await page.clock.pauseAt(Date.now() + 600_000)
    await page.keyboard.type("hit")
    await expectEventually(() => searchBox(page).inputValue(), "hit")
    assert.deepStrictEqual(requestsTo(requests, "/tongs/search"), [])
    await page.clock.resume()
    await expectEventually(() => requestsTo(requests, "/tongs/search").length, 1)
    // The first result would take the focus if no text was typed before the response.
    await page.keyboard.press("Enter")
    await page.keyboard.type(" repo:")
    go()
    await page.locator("[data-result='0']").waitFor()
    await hasFocus(searchBox(page))
    await page.keyboard.type("o")
    await expectEventually(() => searchBox(page).inputValue(), "hit repo:o")
    await page.context().close()
  })

  inLongTests(() => {
    it("has keyboard shortcuts", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      await page.locator("[data-result='1']").waitFor()
      // Results opened by a link take keys at once, instead of the search box.
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
        await page.locator(`[data-result='${hit}']:focus`).waitFor()
      }
      const opened = page.context().waitForEvent("page")
      await page.keyboard.press("o")
      await (await opened).waitForURL(/path=src\/first\.ts/)
      await page.keyboard.press("?")
      await page.getByRole("heading", { name: "Keyboard shortcuts and search syntax" }).waitFor()
      // The page below is unchanged.
      for (const key of ["j", "/"]) await page.keyboard.press(key)
      await hasFocus(page.getByRole("dialog").locator("*"))
      await page.keyboard.press("Escape")
      await page.getByRole("heading", { name: "Keyboard shortcuts and search syntax" }).waitFor({ state: "detached" })
      await page.keyboard.press("/")
      await hasFocus(searchBox(page))
      await page.keyboard.press("Escape")
      await page.keyboard.press("Escape")
      await page.getByRole("heading", { name: "Search the code" }).waitFor()
      await page.context().close()
    })
  })

  it("groups results by repository, shows matches in context, and all matches on request", async () => {
    const lines = [10, 11, 20].map((number) => ({ number, text: `hit ${number}`, cut: 0, matches: [[0, 3] as const] })) // pairs
    const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files, lines }) })
    await page.getByRole("heading", { name: "octo/hello 3 files" }).waitFor()
    await page.getByRole("heading", { name: "octo/other 1 file" }).waitFor()
    await expectEventually(() => paths(page), ["src/first.ts", "src/second.ts", "lib/third.go", "src/fourth.ts"])
    const first = page.locator(".result").first()
    const numbers = () => first.locator(".number").evaluateAll((all) => all.map((one) => one.getAttribute("data-line")))
    await expectEventually(numbers, ["3", "4", "5", "40"])
    await expectEventually(() => first.locator("mark").allTextContents(), ["hit", "hit", "hit"])
    await first.getByRole("button", { name: "Show all 7 matches" }).click()
    await first.getByText("hit 20").waitFor()
    await expectEventually(numbers, ["10", "11", "20"])
    await page.keyboard.press("Home")
    await page.locator("[data-result='0']:focus").waitFor()
    await page.keyboard.press("e")
    await first.getByText("const hit = 1").waitFor()
    await page.context().close()
  })

  inLongTests(() => {
    it("filters results by facets, which add and remove qualifiers", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      const facets = page.getByRole("complementary", { name: "Filters" })
      const searchesFor = (q: string) => page.waitForURL(({ searchParams }) => searchParams.get("q") === q)
      await facets.getByRole("button", { name: "Go 1", exact: true }).click()
      await searchesFor("hit language:Go")
      await expectEventually(() => searchBox(page).inputValue(), "hit language:Go")
      await facets.getByRole("button", { name: "Go, remove filter" }).click()
      await searchesFor("hit")
      await facets.getByRole("button", { name: "Exclude octo/other" }).click()
      await searchesFor("hit -repo:octo/other")
      await facets.getByRole("button", { name: "constant" }).click()
      await searchesFor("hit -repo:octo/other kind:constant")
      await facets.getByRole("button", { name: "constant, remove filter" }).waitFor()
      await page.goBack()
      await page.goBack()
      await searchesFor("hit")
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("marks facet counts that are minimums", async () => {
      const done = { facets_complete: false, incomplete: ["limit"] } as const // the reason must stay a literal
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files, done }) })
      const facets = page.getByRole("complementary", { name: "Filters" })
      await facets.getByRole("button", { name: "Go at least 1", exact: true }).getByText("+").waitFor()
      await page.getByRole("heading", { name: "more than 4 files" }).waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("gives what a facet of all files promises", async () => {
      await waitForIndex(explorer)
      const { page } = await explorer.open(`search?${new URLSearchParams({ q: "import" })}`)
      const facets = page.getByRole("complementary", { name: "Filters" })
      // More files match than are listed.
      await page.getByText("Only the first 200 files are listed.").waitFor()
      for (const title of ["Folder", "Language"]) {
        const facet = facets
          .locator("section", { has: page.getByRole("heading", { name: title }) })
          .locator("[aria-pressed=false]")
          .nth(1)
        const promised = await facet.locator(".facet-count").textContent()
        await facet.click()
        await page.waitForURL(/(path|language)%3A/)
        await page.locator("[aria-busy=false] h1", { hasText: new RegExp(`^${promised} files?\\b`) }).waitFor()
        await page.goBack()
        await page.getByText("Only the first 200 files are listed.").waitFor()
      }
      await page.context().close()
    })
  })

  it("shows results while others are counted, and cancels the count for a new query", async () => {
    const { page } = await explorer.open("", {
      prepare: async (page) => {
        await stubIndex({ files })(page)
        // The response of the first search does not end.
        await page.addInitScript(
          (event) => {
            const ask = window.fetch
            window.fetch = (input, init) =>
              typeof input === "string" && input.startsWith("api/tongs/search?q=first")
                ? Promise.resolve(
                    new Response(
                      new ReadableStream<Uint8Array>({
                        start: (stream) => {
                          stream.enqueue(new TextEncoder().encode(`${event}\n`))
                          init?.signal?.addEventListener(
                            "abort",
                            () => (document.documentElement.dataset["aborted"] = "")
                          )
                        }
                      })
                    )
                  )
                : ask(input, init)
          },
          JSON.stringify(fileHit("src/counting.ts"))
        )
      }
    })
    await hasFocus(searchBox(page))
    await page.keyboard.insertText("first")
    await page.locator(".result", { hasText: "counting.ts" }).waitFor()
    await page.getByRole("heading", { name: "1 file so far" }).waitFor()
    await searchBox(page).fill("second")
    await page.locator("html[data-aborted]").waitFor()
    await page.locator(".result", { hasText: "fourth.ts" }).waitFor()
    await page.context().close()
  })

  inLongTests(() => {
    it("offers the corrected query of an error, with Enter, by click and as a link", async () => {
      const { page } = await explorer.open("", { prepare: stubIndex({ files }) })
      const searchesFor = (q: string) => page.waitForURL(({ searchParams }) => searchParams.get("q") === q)
      await hasFocus(searchBox(page))
      await page.keyboard.insertText("repo:octo/ hit")
      await page.getByRole("option", { name: "user:octo hit" }).waitFor()
      await page.keyboard.press("Enter")
      await searchesFor("user:octo hit")
      await page.locator("[data-result='0']:focus").waitFor()
      await searchBox(page).fill("is:public other")
      await page.getByRole("option", { name: "other corrected query" }).click()
      await searchesFor("other")
      await page.goto(new URL("search?q=repo:acme/+hit", explorer.url).href)
      await page.getByRole("link", { name: "Search for user:acme hit" }).click()
      await searchesFor("user:acme hit")
      await page.context().close()
    })
  })

  it("shows the revisions of results and notes, and opens a result at its commit", async () => {
    const both = [
      fileHit("src/a.ts", { rank: 2, revisions: ["main", "v2.0"] }),
      fileHit("src/a.ts", { rank: 1, revisions: ["v1.0"], commit: "d".repeat(40) })
    ]
    const done = { notes: ["No repository has the revision v9."] }
    const { page } = await explorer.open("search?q=hit+rev:v*", { prepare: stubIndex({ files: both, done }) })
    await page.getByText("No repository has the revision v9.").first().waitFor()
    await expectEventually(() => page.locator(".tag.revision").allTextContents(), ["Revision main", "Revision v1.0"])
    await page.getByTitle("v2.0", { exact: true }).getByText("+1").waitFor()
    await page.getByRole("link", { name: "src/a.ts" }).nth(1).click()
    await page.waitForURL(({ searchParams }) => searchParams.get("ref") === "d".repeat(40))
    await page.context().close()
  })

  inLongTests(() => {
    it("shows commits without the tools for files", async () => {
      const { page } = await explorer.open("search?q=type:commit+fix", {
        prepare: stubIndex({ files: [], commits: [commitHit] })
      })
      await page.getByRole("heading", { name: "Fix the hit" }).waitFor()
      await page.getByRole("heading", { name: "1 commit" }).waitFor()
      await expectEventually(() => page.locator("pre.message").textContent(), "It is fixed\nin two lines.")
      await expectEventually(() => page.locator("mark").allTextContents(), ["Fix", "fix"])
      assert.strictEqual(await page.getByRole("button", { name: /^(Sort|Export|Filters)/ }).count(), 0)
      assert.strictEqual(await page.getByRole("heading", { name: /^(Language|Folder|Symbol kind)$/ }).count(), 0)
      await page.context().close()
    })
  })

  it("continues a search of commits, also one without results yet, and keeps the focus in the list", async () => {
    const older = { ...commitHit, sha: "e".repeat(40), message: "Older hit", in_message: [] }
    for (const commits of [[commitHit], []]) {
      const response = Promise.withResolvers<void>()
      const { page } = await explorer.open("search?q=type:commit+hit", {
        prepare: async (page) => {
          await stubIndex({ files: [], commits, done: { cursor: "next", incomplete: ["deadline"] } })(page)
          await page.route("**/api/tongs/search?*cursor=next*", async (route) => {
            await response.promise
            const last = {
              _tag: "Done",
              files: 1,
              matches: 1,
              took: 1,
              incomplete: [],
              facets_complete: true,
              notes: []
            }
            const facets = { repo: [], language: [], path: [], symbol: [] }
            await route.fulfill({
              contentType: "application/x-ndjson",
              body: `${JSON.stringify(older)}\n${JSON.stringify({ ...last, facets })}\n`
            })
          })
        }
      })
      await page.getByRole("button", { name: "Search older commits" }).click()
      await hasFocus(page.getByRole("button", { name: "Searching older commits…" }))
      response.resolve()
      await page.getByRole("heading", { name: "Older hit" }).waitFor()
      if (commits.length > 0) await hasFocus(page.getByRole("link", { name: "Older hit" }))
      await expectEventually(() => page.getByRole("button", { name: /older commits/ }).count(), 0)
      await page.context().close()
    }
  })

  inLongTests(() => {
    it("sorts results, with the order in the URL", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      await page.getByRole("button", { name: "Sort: best match" }).click()
      await page.getByRole("menuitemradio", { name: "most matches" }).click()
      await page.waitForURL(/sort=matches/)
      await page.locator(".result").first().getByText("fourth.ts").waitFor()
      await page.reload()
      await page.locator(".result").first().getByText("fourth.ts").waitFor()
      // With the keyboard.
      await page.getByRole("button", { name: "Sort: most matches" }).focus()
      await page.keyboard.press("Enter")
      const item = (name: string) => page.getByRole("menuitemradio", { name, exact: true })
      await hasFocus(page.getByRole("menuitemradio"))
      await page.keyboard.press("Home")
      await hasFocus(item("best match"))
      await page.keyboard.press("ArrowDown")
      await hasFocus(item("path"))
      await page.keyboard.press("Enter")
      await page.waitForURL(/sort=path/)
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("exports results as CSV and JSON lines", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      const saved = async (item: string) => {
        await page.getByRole("button", { name: "Export" }).click()
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("menuitem", { name: item }).click()
        ])
        await page.getByRole("menu").waitFor({ state: "detached" })
        return Fs.readFileSync(await download.path(), "utf8")
          .trimEnd()
          .split("\n")
      }
      const csv = await saved("CSV")
      assert.strictEqual(csv[1]?.trimEnd(), `octo/hello,${"c".repeat(40)},src/first.ts,4,7,const hit = 1`)
      const jsonl = await saved("JSON Lines")
      assert.deepStrictEqual(
        jsonl.map((line): unknown => JSON.parse(line).path),
        files.map(({ path }) => path)
      )
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("saves searches, and lists recent ones", async () => {
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files }) })
      await page.getByRole("button", { name: "Save this search" }).click()
      await page.getByRole("button", { name: "Actions for hit" }).waitFor()
      await searchBox(page).fill("other")
      await page.keyboard.press("Enter")
      await page.locator("[data-result='0']:focus").waitFor()
      await page.goto(explorer.url)
      await page.getByRole("link", { name: "hit", exact: true }).waitFor()
      await hasFocus(searchBox(page))
      await page.keyboard.press("ArrowDown")
      await expectEventually(() => page.getByRole("option").locator("code").allTextContents(), ["hit", "other"])
      await page.keyboard.press("ArrowDown")
      await page.getByRole("option", { name: "hit", selected: true }).waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(/q=hit/)
      await page.goBack()
      await page.getByRole("button", { name: "Actions for hit" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByRole("link", { name: "hit", exact: true }).waitFor({ state: "detached" })
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("copies a permanent link to a line", async () => {
      const { page } = await explorer.open("search?q=hit", {
        prepare: stubIndex({ files }),
        permissions: ["clipboard-read", "clipboard-write"]
      })
      await page.locator(".result").first().hover()
      await expectNotice(page, "Copied", () =>
        page.locator(".result").first().getByRole("button", { name: "Copy link" }).click()
      )
      await expectEventually(
        () => page.evaluate(() => navigator.clipboard.readText()),
        `${explorer.url}file?repo=octo/hello&path=src/first.ts&ref=${"c".repeat(40)}#L4`
      )
      await page.context().close()
    })
  })

  it("opens a line by click, and restores the position on return", async () => {
    const many = Array.from({ length: 120 }, (_, at) => fileHit(`src/${at}.ts`, { rank: 200 - at }))
    const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files: many }) })
    await page.locator("[data-result='0']").waitFor()
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 6_000)
    await page.waitForFunction(() => scrollY > 5_000 && history.state?.scroll === scrollY)
    // A file in the middle of the window.
    const path = await page
      .locator(".row", { has: page.locator(".line[data-match]") })
      .nth(5)
      .locator("h3")
      .textContent()
    const row = page.locator(".row", { hasText: path ?? "" })
    await row.scrollIntoViewIfNeeded()
    await page.waitForFunction(() => history.state?.scroll === scrollY)
    const top = async () => (await row.boundingBox())?.y ?? Number.NaN
    const before = await top()
    await row.locator(".line[data-match] code").first().click()
    await page.waitForURL(/\/file\?.*#L4$/)
    await row.waitFor({ state: "detached" })
    // A second key press before the browser is back has no effect.
    await page.evaluate(() => {
      for (let at = 0; at < 2; at++)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))
    })
    await expectEventually(async () => Math.abs((await top()) - before) <= 3, true)
    await page.context().close()
  })

  inLongTests(() => {
    it("renders a bounded number of a thousand results at any position", async () => {
      const many = Array.from({ length: 1_000 }, (_, at) => fileHit(`src/${at}.ts`, { rank: 2_000 - at }))
      const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files: many }) })
      await page.locator("[data-result='0']").waitFor()
      const drawn = () => page.locator(".row").count()
      assert.isAtMost(await drawn(), 30)
      await page.keyboard.press("End")
      await page.locator("[data-result='999']:focus").waitFor()
      await expectEventually(() => isInView(page, "[data-result='999']"), true)
      assert.isAtMost(await drawn(), 30)
      await page.locator("article[aria-setsize='1000']", { has: page.locator("[data-result='999']") }).waitFor()
      await page.keyboard.press("k")
      await page.locator("[data-result='998']:focus").waitFor()
      await page.context().close()
    })
  })

  inLongTests(() => {
    it("does not move visible results when better ones arrive", async () => {
      const { page } = await explorer.open("", {
        prepare: async (page) => {
          await stubIndex({ files })(page)
          // The test controls the response of this search.
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
      await hasFocus(searchBox(page))
      await page.keyboard.insertText("hit")
      await page.waitForURL(/search/)
      await come("worse.ts", 1)
      await page.locator(".result", { hasText: "worse.ts" }).waitFor()
      await come("better.ts", 2)
      await page.locator(".result", { hasText: "better.ts" }).waitFor()
      // Without interaction the best result is first.
      await expectEventually(() => paths(page), ["better.ts", "worse.ts"])
      await page.locator(".result").first().hover()
      await come("best.ts", 3)
      await come("worst.ts", 0)
      await page.locator(".result", { hasText: "worst.ts" }).waitFor()
      await expectEventually(() => paths(page), ["better.ts", "worse.ts", "best.ts", "worst.ts"])
      await page.getByRole("button", { name: "1 file ranks higher: sort again" }).click()
      await expectEventually(() => paths(page), ["best.ts", "better.ts", "worse.ts", "worst.ts"])
      await page.context().close()
    })
  })

  it("shows markup in results as text", async () => {
    const text = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>\u202Ehit`
    const evil = fileHit(`<b onmouseover=alert(1)>.ts`, {
      chunks: [{ lines: [{ number: 1, text, cut: 0, matches: [[text.length - 3, text.length]] }] }]
    })
    const { page } = await explorer.open("search?q=hit", { prepare: stubIndex({ files: [evil] }) })
    await page.locator(".snippet mark").waitFor()
    await page.locator(".snippet code", { hasText: "<U+202E>" }).waitFor()
    assert.strictEqual(await page.locator(".result-list img, .result-list script, .result-list b").count(), 0)
    assert.notStrictEqual(await page.title(), "ran")
    await page.context().close()
  })
})
