/** Threads of review comments in the explorer. */
import { assert, describe, it } from "@effect/vitest"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  expectNoOverflow,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import * as ExplorerIssues from "./ExplorerIssues.test-support.ts"

const AT = "/repos/acme/buoys"

const lines = (changes: Readonly<Record<number, string>>) =>
  Buffer.from(
    Array.from({ length: 40 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join("")
  ).toString("base64")

describe.skipIf(skipReason !== "")(`reviews in tongs explore${skipReason}`, () => {
  it("show their threads below the lines, and their texts in the conversation", async () => {
    const { explorer, send } = await ExplorerIssues.start()
    const put = (content: string, branch: string, sha?: string) =>
      send("ann", "PUT", `${AT}/contents/chart.txt`, {
        message: "Draw the chart",
        content,
        branch,
        ...(sha === undefined ? {} : { sha })
      })
    const first = await put(lines({}), "main")
    await send("ann", "POST", `${AT}/git/refs`, { ref: "refs/heads/chart", sha: first.commit.sha })
    const second = await put(lines({ 3: "three", 30: "thirty" }), "chart", first.content.sha)
    await send("ann", "POST", `${AT}/pulls`, { title: "Redraw", head: "chart", base: "main" })
    const comment = (body: string, place: object) =>
      send("bob", "POST", `${AT}/pulls/1/comments`, { body, path: "chart.txt", commit_id: second.commit.sha, ...place })
    const thread = await comment("Say **which** three", { line: 3, side: "RIGHT" })
    await comment("Was this line wrong?", { line: 30, side: "LEFT" })
    await comment("This one will change", { start_line: 29, line: 30, side: "RIGHT" })
    await comment("Is this file used?", { subject_type: "file" })
    await send("ann", "POST", `${AT}/pulls/1/comments/${thread.id}/replies`, { body: "The third buoy" })
    await put(lines({ 3: "three", 30: "again" }), "chart", second.content.sha)

    const own = await explorer("eve")
    const { errors, page } = await own.open("acme/buoys/pull/1/files", { viewport: { width: 1280, height: 2400 } })
    const threads = page.locator(".review-thread")
    await expectEventually(() => threads.count(), 4)
    // Threads without a line are at the top of the file, the others below their lines.
    await expectEventually(
      () => threads.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
      [
        "Thread on chart.txt, lines 29 to 30 of an older version",
        "Thread on chart.txt, whole file",
        "Thread on chart.txt, line 3",
        "Thread on chart.txt, line 30 before the changes"
      ]
    )
    const above = await page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>(".diff-line, .review-thread")]
      return rows
        .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
        .flatMap((row, index, all) => (row.matches(".review-thread") ? [all[index - 1]?.textContent ?? ""] : []))
    })
    assert.match(above[2] ?? "", /three/)
    assert.match(above[3] ?? "", /line 30/)
    assert.include(await threads.nth(2).innerHTML(), "<strong>which</strong>")
    await threads.nth(2).getByText("The third buoy").waitFor()
    await expectAccessibleInEveryTheme(page, "threads of a review")
    await page.setViewportSize({ width: 380, height: 800 })
    await expectNoOverflow(page, "threads of a review")
    await send("bob", "POST", `${AT}/pulls/1/reviews`, { event: "APPROVE", body: "Ship **it**" })
    await page.goto(new URL("acme/buoys/pull/1", own.url).href)
    const review = page.locator(".conversation .event", { hasText: "bob approved this" })
    await review.locator("strong", { hasText: "it" }).waitFor()
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })
})
