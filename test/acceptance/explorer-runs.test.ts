/** Releases and workflow runs in the explorer: lists, logs, access, and hostile texts. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  expectNoOverflow,
  type Explorer,
  hasFocus,
  launch,
  phone,
  skipReason
} from "./ExplorerBrowser.test-support.ts"
import * as ExplorerIssues from "./ExplorerIssues.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as HostileRepository from "./HostileRepository.test-support.ts"

const LIGHTHOUSE = "north-pier/lighthouse"

describe.skipIf(skipReason !== "")(`releases and runs in tongs explore${skipReason}`, () => {
  let explorer: Explorer

  beforeAll(async () => {
    explorer = await launch(["--demo"])
  })

  afterAll(() => explorer?.close())

  it("leads from the repository to a release and its assets", async () => {
    const { errors, page } = await explorer.open(LIGHTHOUSE)
    await page.getByRole("link", { name: "Releases" }).click()
    const list = page.locator(".release-list > li")
    await expectEventually(() => list.locator(".release-mark").allTextContents(), ["Pre-release", "Latest"])
    await page.keyboard.press("j")
    await hasFocus(list.first().getByRole("link", { name: "Winter season, for testing" }))
    await expectAccessibleInEveryTheme(page, "the list of releases")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "First light" }).waitFor()
    const asset = page.locator(".assets li", { hasText: "CHECKSUMS" })
    assert.match((await asset.locator("code").textContent()) ?? "", /^sha256:[0-9a-f]{64}$/)
    const file = await explorer.fetch((await asset.getByRole("link").getAttribute("href")) ?? "")
    assert.strictEqual(await file.text(), "see the digest of each asset\n")
    assert.match(file.headers.get("content-disposition") ?? "", /^attachment; filename\*=UTF-8''CHECKSUMS$/)
    await page.goto(new URL(`${LIGHTHOUSE}/releases/latest`, explorer.url).href)
    await page.getByRole("heading", { level: 1, name: "First light" }).waitFor()
    await page.keyboard.press("u")
    await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor()
    await page.goto(new URL("south-pier/ferry/releases", explorer.url).href)
    await page.getByRole("heading", { name: "No releases" }).waitFor()
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("leads from the runs to the failed job, its steps and its log", async () => {
    const { errors, page } = await explorer.open(`${LIGHTHOUSE}/actions`)
    const rows = page.locator(".issue-list > li")
    await expectEventually(
      () => rows.locator(".check-mark").evaluateAll((marks) => marks.map((mark) => mark.getAttribute("aria-label"))),
      ["Passed", "Failed"]
    )
    await expectAccessibleInEveryTheme(page, "the list of runs")
    await page.getByRole("combobox", { name: "Status" }).selectOption("queued")
    await page.getByText("No run matches the filters.").waitFor()
    await page.getByRole("combobox", { name: "Status" }).selectOption("failure")
    await expectEventually(() => rows.count(), 1)
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Job report" }).getByText("Write the report").waitFor()
    await page.getByRole("link", { name: "report" }).click()
    const lines = page.locator(".log-line")
    await lines.getByText("The printer has no paper.").waitFor()
    assert.strictEqual(await lines.locator("[data-color='red']").count(), 1)
    await expectAccessibleInEveryTheme(page, "a job")
    await page.getByRole("link", { name: "Line 2" }).click()
    await page.waitForURL(/#L2$/)
    await expectEventually(() => page.locator(".log-line[data-linked]").count(), 1)
    const log = await explorer.fetch((await page.getByRole("link", { name: "Download" }).getAttribute("href")) ?? "")
    assert.include(await log.text(), "\u001b[31mThe printer")
    await page.keyboard.press("u")
    await page.waitForURL(/run\?repo=north-pier\/lighthouse&id=41$/)
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("shows the start of a long log, the lines that follow, and nothing of hostile texts", async () => {
    const { html, text } = HostileRepository
    let isRunning = true
    const name = `<img src=x onerror="top.owned=1"> \u202e${html}`
    const { page, requests } = await explorer.open(`${LIGHTHOUSE}/actions/runs/42`, {
      bypassCSP: true,
      viewport: phone,
      prepare: async (page) => {
        await page.route("**/api/run?**", async (route) => {
          const response = await route.fetch()
          const { jobs, run, totalJobs } = await response.json()
          const state = isRunning ? { status: "in_progress", conclusion: null } : {}
          const hostile = { ...jobs[0], ...state, name, runner: name }
          await route.fulfill({
            response,
            json: { run: { ...run, ...state, title: name, branch: name, workflow: name }, jobs: [hostile], totalJobs }
          })
        })
        await page.route("**/api/log?**", (route) => {
          const end = isRunning ? "" : `##[error]${name}\n${text}\n`
          const log = `##[group]quiet\nhidden\n##[endgroup]\n##[group]${name}\n##[error]no lamp\n##[endgroup]\n${end}`
          return route.fulfill({ json: { text: log, size: 9_000_000, isWhole: false } })
        })
      }
    })
    await page.locator(".check-group a").first().click()
    await page.getByText("These are the first 3 lines of a long log.").or(page.getByText("no lamp")).first().waitFor()
    await page.getByText("no lamp").waitFor()
    assert.isFalse(await page.getByText("hidden").isVisible())
    await page.getByText("quiet").click()
    await page.getByText("hidden").waitFor()
    isRunning = false
    await page.locator(".run-status").getByText("Success after").waitFor()
    await page.locator(".log-part > .log-line[data-mark='error']").last().getByText("onerror").waitFor()
    await page.getByRole("button", { name: "Show the end" }).click()
    await page.getByText("without their numbers").waitFor()
    assert.strictEqual(await page.locator(".log-number").count(), 0)
    await expectNoOverflow(page, "a hostile log")
    assert.isFalse(await page.evaluate(() => "owned" in window))
    assert.isEmpty(requests.filter((url) => !url.startsWith(explorer.url)))
    await page.context().close()
  })
})

inLongTests(() => {
  describe.skipIf(skipReason !== "")(`access to releases and runs in tongs explore${skipReason}`, () => {
    it("shows nothing of private repositories to other users", async () => {
      const forge = await ExplorerIssues.start()
      const at = "/repos/acme/vault"
      const content = Buffer.from("name: Gold\non: workflow_dispatch\n").toString("base64")
      await forge.send("ann", "PUT", `${at}/contents/.github/workflows/gold.yml`, { message: "gold", content })
      const release = await forge.send("ann", "POST", `${at}/releases`, { tag_name: "v1", name: "Gold" })
      const { workflow_run_id: id } = await forge.send("ann", "POST", `${at}/actions/workflows/gold.yml/dispatches`, {
        ref: "main",
        return_run_details: true
      })
      const { jobs } = await forge.send("ann", "POST", `/tongs${at}/runs`, { run_id: id, jobs: [{ name: "dig" }] })
      assert.strictEqual(release.name, "Gold")
      const [own, others] = await Promise.all([forge.explorer("ann"), forge.explorer("eve")])
      for (const path of [
        "releases?page=1",
        "release?tag=v1",
        "release?",
        "runs?page=1",
        `run?id=${id}`,
        `log?job=${jobs[0].id}&part=start`
      ]) {
        const query = `api/${path}&owner=acme&repo=vault`.replace("?&", "?")
        assert.strictEqual((await own.fetch(query)).status, 200, path)
        assert.strictEqual((await others.fetch(query)).status, 404, path)
      }
      for (const path of [`log-file?job=${jobs[0].id}`, "asset?id=1"])
        assert.strictEqual((await others.fetch(`api/${path}&owner=acme&repo=vault`)).status, 404, path)
    })
  })
})
