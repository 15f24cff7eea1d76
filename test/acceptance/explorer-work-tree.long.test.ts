/** The work tree in the explorer: the built `tongs explore` over a repository with uncommitted changes, in a browser. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import {
  expectAccessibleInEveryTheme,
  expectEventually,
  type Explorer,
  launch,
  launchOver,
  skipReason,
  waitForIndex
} from "./ExplorerBrowser.test-support.ts"

const COMMITTED = "export const first = 1\n\nexport function distance() {\n  return first\n}\n"
const ON_DISK = `// a line above\n${COMMITTED}export const needle = distance()\n`

const makeRepository = () => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-work-tree-"))
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
      encoding: "utf8"
    })
  const write = (path: string, text: string) => Fs.writeFileSync(Path.join(folder, path), text)
  Fs.mkdirSync(Path.join(folder, "src"))
  write("README.md", "# Greeting\n")
  write("src/distance.ts", COMMITTED)
  write(".gitignore", "*.ignored\n")
  git("init", "--quiet", "--initial-branch=main")
  git("add", ".")
  git("commit", "--quiet", "--message=Add a greeting")
  write("src/distance.ts", ON_DISK)
  write("src/fresh.ts", 'export const fresh = "never committed"\n')
  write("src/secret.ignored", "ignored\n")
  return {
    folder,
    head: git("rev-parse", "HEAD").trim(),
    write,
    remove: () => Fs.rmSync(folder, { recursive: true, force: true })
  }
}

const textOf = async (page: Page): Promise<string> =>
  (await page.locator(".cm-line").allTextContents()).join("\n").trimEnd()

describe.skipIf(skipReason !== "")(`the work tree in tongs explore${skipReason}`, () => {
  let explorer: Explorer
  let repo: string
  let world: ReturnType<typeof makeRepository>
  let close = async () => {}

  beforeAll(async () => {
    ;({ close, explorer, repo, world } = await launchOver(makeRepository))
    await waitForIndex(explorer)
  })

  afterAll(() => close())

  const address = (view: string, path = "", rest = "") => `${view}?repo=${repo}&path=${encodeURIComponent(path)}${rest}`

  it("lists the files on disk with their status, and shows the changes", async () => {
    const { errors, page } = await explorer.open(address("tree", "src"))
    const entry = (name: string) => page.locator(".entry", { hasText: name })
    await entry("fresh.ts").getByTitle("added, not committed").waitFor()
    await entry("distance.ts").getByTitle("modified, not committed").waitFor()
    assert.strictEqual(await page.getByText("secret.ignored").count(), 0)
    await page.getByRole("tree").getByText("fresh.ts").waitFor()
    await page.getByRole("combobox", { name: "work tree of main" }).waitFor()
    await expectAccessibleInEveryTheme(page, "a folder of a work tree")
    await page.getByRole("link", { name: "2 changed files" }).click()
    await page.getByText("needle = distance()").first().waitFor()
    assert.include(page.url(), `base=${world.head}`)
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("shows a file as on disk, and its definitions, until a version is chosen", async () => {
    const { errors, page } = await explorer.open(address("file", "src/distance.ts"))
    await expectEventually(() => textOf(page), ON_DISK.trimEnd())
    await page.getByText("M not committed").waitFor()
    await page.locator(".cm-line", { hasText: "needle" }).getByText("distance", { exact: true }).click()
    await page.keyboard.press("F12")
    await page.waitForURL(/distance\.ts#L4$/)
    await page.getByRole("combobox", { name: "work tree of main" }).click()
    await page.getByRole("option", { name: "main" }).click()
    await page.waitForURL(/ref=main/)
    await expectEventually(() => textOf(page), COMMITTED.trimEnd())
    await page.getByRole("link", { name: "Work tree" }).click()
    await expectEventually(() => textOf(page), ON_DISK.trimEnd())
    assert.deepStrictEqual(errors, [])
    await page.context().close()
  })

  it("finds an uncommitted line and opens the file there, and reads the file again", async () => {
    const { page } = await explorer.open("search?q=needle")
    await page.locator(".result", { hasText: "not committed" }).locator(".line", { hasText: "needle" }).click()
    await page.waitForURL(/distance\.ts.*#L7$/)
    await page.locator(".cm-line.selected-line", { hasText: "needle" }).waitFor()
    world.write("src/distance.ts", `${ON_DISK}// saved meanwhile\n`)
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await page.getByText("// saved meanwhile").waitFor()
    world.write("src/distance.ts", ON_DISK)
    await page.context().close()
  })

  it("copies a permanent link to the commit of an unchanged file, and a link without commit to a changed one", async () => {
    const { page } = await explorer.open(address("file", "README.md", "#L1"), {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    const copied = async (path: string) => {
      await page.goto(new URL(address("file", path, "#L1"), explorer.url).href)
      await page.locator(".cm-line").first().waitFor()
      await page.keyboard.press("y")
      await page.getByText("Link: copied").waitFor()
      return new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams.get("ref")
    }
    assert.strictEqual(await copied("README.md"), world.head)
    assert.strictEqual(await copied("src/distance.ts"), null)
    await page.context().close()
  })

  it("shows commits to other callers than the owner of this machine", async () => {
    const shared = await launch(["--repos", world.folder, "--host", "0.0.0.0"])
    const json = async (path: string): Promise<string> => (await shared.fetch(path)).text()
    const [owner, name] = repo.split("/")
    const folder = await json(`api/tree?owner=${owner}&repo=${name}&path=src`)
    assert.include(folder, "distance.ts")
    assert.notInclude(folder, "fresh.ts")
    assert.notInclude(folder, "workTree")
    assert.notInclude(await json("api/tongs/search?q=needle&source=work_trees"), "src/distance.ts")
    await shared.close()
  })
})
