/** `tongs explore` on a remote forge without Tongs' extensions: the explorer's views from documented operations. */
import { assert, describe, it } from "@effect/vitest"
import { expectAccessibleInEveryTheme, expectEventually, skipReason } from "./ExplorerBrowser.test-support.ts"
import { COMMITS, expectNoRefusal, start } from "./ExplorerRemote.test-support.ts"

const address = (view: string, path: string, rest = "") =>
  `${view}?repo=ann/buoys&path=${encodeURIComponent(path)}${rest}`

/** The commit of each line. */
const commitsOf = ({ ranges }: Pick<Blame, "ranges">) =>
  ranges.flatMap(({ commit, from, to }) => Array.from({ length: to - from + 1 }, () => commit))

interface Blame {
  readonly ranges: ReadonlyArray<{ readonly from: number; readonly to: number; readonly commit: string }>
  readonly requests: number
  readonly complete: boolean
}

describe.skipIf(skipReason !== "")(`tongs explore on a remote forge${skipReason}`, () => {
  it("computes the blame in steps, and continues on request", async () => {
    const { answers, blame, explorer, tongs } = await start()
    const { errors, page } = await explorer.open(address("file", "src/buoy.c"))
    await page.locator(".code[aria-busy=false]").waitFor()
    // The tree and the outline send requests, too.
    await page.waitForLoadState("networkidle")
    const before = answers.length
    await page.keyboard.press("b")
    const status = page.getByRole("status").filter({ hasText: "Blame:" })
    await page.getByRole("button", { name: "Read older versions" }).waitFor()
    assert.match((await status.textContent()) ?? "", /^Blame: \d+ of \d+ lines, 20 requests$/)
    assert.isAtMost(answers.length - before, 20)
    await page.getByText("Renames are not followed.").waitFor()
    await page.locator(".blame-entry.first").first().getByText("Ann").waitFor()
    await expectAccessibleInEveryTheme(page, "blame on a remote forge")
    await page.getByRole("button", { name: "Read older versions" }).click()
    await status
      .filter({ hasText: `Blame: ${blame.length} of ${blame.length} lines, ${COMMITS + 1} requests` })
      .waitFor()
    await expectEventually(() => page.getByRole("button", { name: "Read older versions" }).count(), 0)

    // The first line was changed by the last commit. The card comes from the loaded blame.
    await page.locator(".cm-content").focus()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Shift+B")
    await page
      .locator(".hover-card")
      .getByText(`Add ring ${COMMITS - 1}`)
      .waitFor()
    await page.keyboard.press("Escape")

    // A reload reads nothing again, and the blame equals git's.
    const { commit }: { readonly commit: string } = await (
      await explorer.fetch("api/file?owner=ann&repo=buoys&path=src/buoy.c")
    ).json()
    await page.waitForLoadState("networkidle")
    const read = answers.length
    const computed: Blame = await (
      await explorer.fetch(`api/blame?owner=ann&repo=buoys&path=src/buoy.c&ref=${commit}&requests=20`)
    ).json()
    assert.strictEqual(answers.length, read)
    assert.isTrue(computed.complete)
    assert.deepStrictEqual(commitsOf(computed), blame)

    // The command, agents and the terminal UI have the same blame.
    const command = await tongs("history", "blame", "--repo", "ann/buoys", "src/buoy.c", "--ref", "main", "--json")
    assert.strictEqual(command.code, 0, command.stderr)
    assert.deepStrictEqual(commitsOf(JSON.parse(command.stdout.toString())), blame)
    const missing = await tongs("history", "blame", "--repo", "ann/buoys", "src/none.c")
    assert.deepStrictEqual([missing.code, missing.stderr.includes("no file src/none.c")], [4, true])
    expectNoRefusal(answers)
    assert.deepStrictEqual(errors, [])
  })

  it("shows symbols, folders, README and comparisons", async () => {
    const { answers, explorer } = await start()
    const { errors, page } = await explorer.open(address("file", "src/buoy.c"))
    await page.locator(".code[aria-busy=false]").waitFor()
    await page.keyboard.press("s")
    const symbols = page.getByRole("complementary", { name: "Symbols" })
    await symbols.getByRole("button", { name: /^function ring31/ }).waitFor()
    await symbols.getByRole("button", { name: /^enum tone/ }).waitFor()
    await page.keyboard.press("Escape")

    await page.goto(new URL(address("tree", ""), explorer.url).href)
    await page.getByRole("heading", { name: "Buoys" }).waitFor()
    await page.getByRole("main").getByRole("link", { name: "src" }).first().waitFor()

    await page.goto(new URL(address("tree", "src"), explorer.url).href)
    await page.getByRole("main").getByRole("link", { name: "tide.py" }).first().waitFor()

    await page.goto(new URL("compare?repo=ann/buoys&base=v1&head=main", explorer.url).href)
    await page.getByText("int ring31(void)").first().waitFor()
    expectNoRefusal(answers)
    assert.deepStrictEqual(
      errors.filter((error) => !error.includes("501")),
      []
    )
  })
})
