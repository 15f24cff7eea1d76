/** Issues in the explorer: conversations, links to comments, lists, access, and hostile texts. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  expectAccessible,
  expectAccessibleInEveryTheme,
  expectEventually,
  expectNoOverflow,
  type Explorer,
  hasFocus,
  isInView,
  launch,
  phone,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import * as ExplorerIssues from "./ExplorerIssues.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as HostileRepository from "./HostileRepository.test-support.ts"

/** The path of a page of the forge. */
const pathOf = (url: string): string => {
  const { hash, pathname } = new URL(url)
  return pathname.slice(1) + hash
}

/** The visible text of each event, without its time. */
const eventsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page
    .locator(".conversation .event")
    .evaluateAll((events) =>
      events.map((event) => (event.textContent ?? "").replace(/(?:\d+ \w+ ago|now)$/, "").trim())
    )

describe.skipIf(skipReason !== "")(`issues in tongs explore${skipReason}`, () => {
  it("shows an issue at the forge's URL, with its conversation", async () => {
    const forge = await ExplorerIssues.start()
    const story = await ExplorerIssues.createStory(forge)
    const explorer = await forge.explorer("bob")
    const { errors, page, requests } = await explorer.open(pathOf(story.url))
    await page.getByRole("heading", { level: 1, name: `${story.title} #${story.number}` }).waitFor()
    assert.strictEqual(new URL(page.url()).pathname, "/issue")
    const main = page.getByRole("main")
    await main.locator(".issue-state", { hasText: "Closed as completed" }).waitFor()
    await main.getByText("locked as resolved").waitFor()

    const description = page.locator(".issue-main > .written")
    await description.getByText("ann opened this").waitFor()
    await description.locator("strong", { hasText: "buoy 7" }).waitFor()
    assert.strictEqual(await description.locator("input[type=checkbox]:disabled").count(), 2)
    await description.locator("pre .tok-keyword", { hasText: "const" }).waitFor()
    await expectEventually(() => description.getByRole("list", { name: "Reactions" }).innerText(), "👍 2\n❤️ 1")
    // References lead to the explorer's own views.
    const links = description.locator(".markdown a")
    assert.deepStrictEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), [
      `issue?repo=acme/buoys&number=${story.fleet.number}`,
      `${forge.forge.url}/bob`,
      `commit?repo=acme/buoys&ref=${forge.head}`,
      "file?repo=acme/buoys&path=README.md"
    ])

    const facts = (await page.getByRole("complementary", { name: "Details" }).innerText()).replaceAll(/\n+/g, "\n")
    for (const [title, ...content] of [
      ["Assignees", "ann"],
      ["Labels", "night", "bell"],
      ["Type", "Bug"],
      ["Milestone", "Before the storm"],
      ["Parent issue", "Check the whole fleet #1"],
      ["Sub-issues", "1 of 2 closed", "Oil the clapper #3", "Tie the clapper #4"],
      ["Blocked by", "Wait for calm weather #5"]
    ] as const)
      assert.include(facts, [title, ...content].join("\n"))

    // The forge orders what happened in the same second.
    assert.sameMembers(Array.from(await eventsOf(page)), [
      "ann added this to the milestone Before the storm",
      "ann added the label night",
      "ann added the label fog",
      "ann assigned bob",
      "ann set the type to Bug",
      "bob was mentioned",
      "bob subscribed to this",
      `ann made this a sub-issue of OpenCheck the whole fleet #${story.fleet.number}`,
      "ann added the sub-issue Closed as completedOil the clapper #3",
      "ann added the sub-issue OpenTie the clapper #4",
      "ann marked this as blocked by OpenWait for calm weather #5",
      "ann added the label bell",
      "ann removed the label fog",
      "ann self-assigned this",
      "ann unassigned bob",
      `ann changed the title from ${story.title.slice(0, -1)} to ${story.title}`,
      "ann mentioned this in OpenAnother bell #6",
      "ann closed this as not planned",
      "ann reopened this",
      "ann closed this as completed",
      "ann locked the conversation as resolved"
    ])
    const comments = page.locator(".comment")
    assert.strictEqual(await comments.count(), 2)
    await comments.first().locator("strong", { hasText: "at home" }).waitFor()
    await comments.nth(1).getByText("member", { exact: true }).waitFor()

    await expectAccessibleInEveryTheme(page, "an issue")
    assert.deepStrictEqual(errors, [])
    assert.isEmpty(requests.filter((url) => !url.startsWith(explorer.url)))

    // A link to a comment scrolls to it, from elsewhere and from the page itself.
    await page.setViewportSize({ width: 800, height: 400 })
    await page.goto(new URL(pathOf(story.comment.html_url), explorer.url).href)
    await page.locator(`#issuecomment-${story.comment.id}[data-linked]`).waitFor()
    await expectEventually(() => isInView(page, `#issuecomment-${story.comment.id} header`), true)
    await page.evaluate(() => scrollTo(0, 0))
    await comments.nth(1).locator(".markdown a").click()
    await page.waitForURL(/#issuecomment-/)
    await expectEventually(() => isInView(page, `#issuecomment-${story.comment.id} header`), true)
    await comments.nth(1).locator("time").click()
    await page.locator("[data-linked]", { hasText: "Quiet since noon" }).waitFor()
    await page.goto(new URL(`${pathOf(story.url)}#issuecomment-999`, explorer.url).href)
    await page.getByText("The linked comment does not exist.").waitFor()

    // Another issue, and back to the list.
    await page
      .getByRole("complementary", { name: "Details" })
      .getByRole("link", { name: /Check the whole fleet/ })
      .click()
    await page.getByRole("heading", { level: 1, name: "Check the whole fleet #1" }).waitFor()
    await page.getByText("No description provided.").waitFor()
    await page.keyboard.press("u")
    await page.getByRole("heading", { level: 1, name: "Issues" }).waitFor()
  })

  it("shows nothing of private issues to other users", async () => {
    const forge = await ExplorerIssues.start()
    const secret = await forge.send("ann", "POST", "/repos/acme/vault/issues", { title: "Where the gold is" })
    await forge.send("ann", "POST", "/repos/acme/vault/issues/1/comments", { body: "Below the stairs" })
    const shared = await forge.send("ann", "POST", "/repos/acme/buoys/issues", { title: "Paint" })
    await forge.send("ann", "PATCH", "/repos/acme/vault/issues/1", { body: `Like acme/buoys#${shared.number}` })
    const [own, others] = await Promise.all([forge.explorer("ann"), forge.explorer("eve")])
    const seen = await own.open(pathOf(secret.html_url))
    await seen.page.getByText("Below the stairs").waitFor()
    for (const path of [pathOf(secret.html_url), "acme/vault/issues", "acme/buoys/issues/99"]) {
      const { page } = await others.open(path)
      await page.getByRole("heading", { name: "Not found" }).waitFor()
      await expectAccessible(page, path)
      assert.notInclude(await page.content(), "gold")
      await page.context().close()
    }
    for (const path of [
      "issue?owner=acme&repo=vault&number=1",
      "timeline?owner=acme&repo=vault&number=1&page=1",
      "issues?owner=acme&repo=vault&state=open&page=1"
    ])
      assert.strictEqual((await others.fetch(`api/${path}`)).status, 404)
    // The reference from the private issue is an event for its readers only.
    const events = async (explorer: Explorer) => {
      const { page } = await explorer.open(pathOf(shared.html_url))
      await page.getByText("No description provided.").waitFor()
      await page.waitForLoadState("networkidle")
      return eventsOf(page)
    }
    assert.deepStrictEqual(await events(own), ["ann mentioned this in OpenWhere the gold is acme/vault#1"])
    assert.deepStrictEqual(await events(others), [])
    // Without the link of the explorer, there is no issue at all.
    const outside = await own.open(pathOf(secret.html_url), { isSignedOut: true })
    await outside.page.getByRole("heading", { name: "This page needs its link" }).waitFor()
    assert.isEmpty(outside.requests.filter((url) => url.includes("/api/")))
  })

  it("runs and loads nothing of hostile texts", async () => {
    const forge = await ExplorerIssues.start()
    const { html, names, text } = HostileRepository
    const title = `<img src=x onerror="top.owned=1"> \u202e${names[1]}`
    const base = "/repos/acme/buoys"
    await forge.send("ann", "POST", `${base}/labels`, { name: '<b onclick="top.owned=1">', color: "ffffff" })
    const { number } = await forge.send("ann", "POST", `${base}/issues`, {
      title,
      body: text,
      labels: ['<b onclick="top.owned=1">']
    })
    await forge.send("eve", "POST", `${base}/issues/${number}/comments`, { body: text })
    const explorer = await forge.explorer("ann")
    // The second time, the forge itself sends HTML that is not safe.
    for (const hostile of [undefined, html]) {
      const dialogs: Array<string> = []
      const addresses: Array<string> = []
      const { page, requests } = await explorer.open(`issue?repo=acme/buoys&number=${number}`, {
        bypassCSP: true,
        prepare: async (page) => {
          page.on("dialog", (dialog) => {
            dialogs.push(dialog.message())
            void dialog.dismiss()
          })
          page.on("framenavigated", (frame) => addresses.push(frame.url()))
          if (hostile === undefined) return
          await page.route("**/api/issue?**", async (route) => {
            const response = await route.fetch()
            await route.fulfill({ response, json: { ...(await response.json()), html: hostile, author: null } })
          })
        }
      })
      await page.locator(".comment .markdown").waitFor()
      if (hostile === undefined) await page.locator(".comment").getByText("before <U+202E> reversed").waitFor()
      else await page.locator(".issue-main > .written .account", { hasText: "ghost" }).waitFor()
      await page.getByRole("heading", { level: 1 }).getByText("<U+202E>").waitFor()
      await page.waitForLoadState("networkidle")
      assert.deepStrictEqual(dialogs, [])
      assert.isFalse(await page.evaluate(() => "owned" in window))
      assert.isEmpty([...requests, ...addresses].filter((url) => !url.startsWith(explorer.url)))
      assert.strictEqual(page.frames().length, 1)
      for (const id of await page.locator(".markdown [id]").evaluateAll((all) => all.map(({ id }) => id)))
        assert.match(id, /^user-content-/)
      await page.setViewportSize(phone)
      await expectNoOverflow(page, "hostile texts")
      await page.context().close()
    }
  })

  inLongTests(() => {
    it("shows a long conversation page by page, and finds a linked comment in it", async () => {
      const forge = await ExplorerIssues.start()
      const { html_url: url, number } = await forge.send("ann", "POST", "/repos/acme/buoys/issues", { title: "Long" })
      let last = ""
      for (let at = 1; at <= 120; at++) {
        const body = { body: `Comment ${at}` }
        last = (await forge.send("eve", "POST", `/repos/acme/buoys/issues/${number}/comments`, body)).html_url
      }
      const explorer = await forge.explorer("ann")
      const { page } = await explorer.open(pathOf(url))
      const comments = page.locator(".comment")
      await page.getByText("50 of 120 comments and events").waitFor()
      await expectEventually(() => comments.count(), 50)
      await expectAccessible(page, "a long conversation")
      await page.getByRole("button", { name: "Show 50 more" }).click()
      await page.getByText("100 of 120 comments and events").waitFor()
      // A page that cannot be loaded leaves the others, and can be tried again.
      await page.route("**/api/timeline?**", (route) => route.abort())
      await page.getByRole("button", { name: "Show 20 more" }).click()
      await page.getByRole("alert").getByText("The explorer does not respond.").waitFor()
      assert.strictEqual(await comments.count(), 100)
      await page.unroute("**/api/timeline?**")
      await page.getByRole("button", { name: "Show 20 more" }).click()
      await expectEventually(() => comments.count(), 120)
      assert.strictEqual(await page.getByRole("button", { name: /^Show/ }).count(), 0)

      const linked = await explorer.open(pathOf(last))
      await linked.page.locator("[data-linked]", { hasText: "Comment 120" }).waitFor()
      await expectEventually(() => isInView(linked.page, "[data-linked]"), true)

      // Without the explorer, the page says so and continues when it is back.
      await page.route("**/api/**", (route) => route.abort())
      await page.getByRole("link", { name: "Issues" }).click()
      await page.getByRole("heading", { name: "The explorer is not running" }).waitFor()
      await page.unroute("**/api/**")
      await page.getByText("1 open").waitFor()
    })
  })
})

describe.skipIf(skipReason !== "")(`issues of the demonstration in tongs explore${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  it("lists open and closed issues, from the repository and back", async () => {
    const { errors, page } = await explorer.open("tree?repo=north-pier/lighthouse")
    await page.getByRole("main").getByRole("link", { name: "Issues" }).click()
    const rows = page.locator(".issue-list > li")
    await page.getByRole("link", { name: /^\d+ open$/, exact: true }).waitFor()
    const open = Number.parseInt(await page.getByRole("link", { name: /^\d+ open$/ }).innerText(), 10)
    await expectEventually(() => rows.count(), open)
    await rows.locator(".label", { hasText: "good first issue" }).first().waitFor()
    await page.keyboard.press("j")
    await hasFocus(rows.first().getByRole("link"))
    await expectAccessibleInEveryTheme(page, "the list of issues")
    await page.getByRole("link", { name: /^\d+ closed$/ }).click()
    await rows.getByText("CHEAP HERRING").click()
    await page.locator(".issue-state", { hasText: "Closed as not planned" }).waitFor()
    // The embedded forge has no pages of its own, so nothing leads there.
    assert.strictEqual(await page.locator("a[href*='forge.localhost']").count(), 0)
    await page.goBack()
    await rows.getByText("CHEAP HERRING").waitFor()
    await page.keyboard.press("u")
    await page.getByRole("main").getByRole("link", { name: "History" }).waitFor()
    await page.goto(new URL("issues?repo=north-pier/lighthouse&page=9", explorer.url).href)
    await page.getByRole("heading", { name: "No such page" }).waitFor()
    await page.goto(new URL("issues?repo=north-pier/foghorn&state=closed", explorer.url).href)
    await page.getByRole("heading", { name: "No closed issues" }).waitFor()
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  inLongTests(() => {
    it("shows the pages of a long list", async () => {
      const issue = (number: number) => ({
        owner: "octo",
        repo: "hello",
        number,
        title: `Issue ${number}`,
        state: "open",
        stateReason: null,
        pull: null,
        author: null,
        createdAt: "2026-01-02T03:04:05Z",
        closedAt: null,
        labels: [],
        assignees: [],
        milestone: null,
        type: null,
        comments: 0
      })
      const { page } = await explorer.open("issues?repo=octo/hello", {
        prepare: (page) =>
          page.route("**/api/issues?**", (route) => {
            const at = Number(new URL(route.request().url()).searchParams.get("page"))
            const issues = Array.from({ length: 30 }, (_, index) => issue(5_000 - at * 30 - index))
            return route.fulfill({ json: { issues, open: 4_321, closed: 0, pages: 34, limit: 1_000 } })
          })
      })
      await page.getByText("4,321 open").waitFor()
      await page.getByText("Page 1 of 34").waitFor()
      await page.getByRole("link", { name: "Older" }).click()
      await page.getByText("Page 2 of 34").waitFor()
      await page.getByRole("link", { name: "Newer" }).click()
      await page.getByText("Page 1 of 34").waitFor()
      assert.strictEqual(await page.getByText("lists only the newest").count(), 0)
      await page.goto(new URL("issues?repo=octo/hello&page=34", explorer.url).href)
      await page.getByText("The forge lists only the newest 1,000 of 4,321.").waitFor()
      await page.locator(".account", { hasText: "ghost" }).first().waitFor()
      await expectAccessible(page, "a page of a list")
      await page.context().close()
    })
  })
})
