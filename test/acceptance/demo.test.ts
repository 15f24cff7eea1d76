/** The demonstration has data on all screens. An invalid fixture file is rejected with a position. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import { temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const dist = fileURLToPath(new URL("../../apps/cli/dist", import.meta.url))

const environment = (home: string) => ({ PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: home })

/** Runs the command in an empty home, from a folder with only the bundle. */
const setUp = () => {
  const home = temporaryFolder()
  cpSync(dist, join(home, "program"), { recursive: true })
  const program = join(home, "program", "tongs.js")
  const tongs = async (...args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: home, env: environment(home), stdio: "pipe" })
    child.stdin.end()
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
    return { code: Number(code), stdout, stderr }
  }
  const json = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await tongs("--demo", "--json", ...args)
    expect([code, stderr]).toEqual([0, ""])
    return JSON.parse(stdout)
  }
  return { home, json, program, tongs }
}

const at = ["--owner", "north-pier", "--repo", "lighthouse"]
const org = ["--org", "north-pier"]

it("`tongs --demo` reuses its own forge until the fixture file changes", async () => {
  const { home, json, tongs } = setUp()
  const plain = await tongs("--demo", "--plain")
  expect([plain.code, plain.stderr]).toEqual([0, ""])
  expect(plain.stdout).toContain("north-pier/lighthouse\n")
  expect(plain.stdout).toContain("灯台 守")
  expect(plain.stdout).toContain("Demonstration: the data is invented")
  const mine = await tongs("--demo", "repositories", "mine")
  for (const name of ["ada/knots", "north-pier/foghorn", "south-pier/ferry"]) expect(mine.stdout).toContain(name)

  const forges = () => readdirSync(join(home, ".cache", "tongs", "demo"))
  const [first] = forges()
  const usage = async () => (await json("billing", "usage", ...org)).usageItems
  expect(await usage()).toEqual(await usage())
  expect(forges()).toEqual([first])
  const file = join(home, "program", "fixtures", "demo.json")
  writeFileSync(file, readFileSync(file, "utf8").replace("Knots worth knowing", "Knots worth untying"))
  expect((await json("users", "me")).name).toBe("Ada Fenwick")
  expect((await tongs("--demo", "repositories", "mine")).stdout).toContain("untying")
  expect(forges()).toHaveLength(1)
  expect(forges()).not.toEqual([first])

  const both = await tongs("--demo", "--repos", ".", "--plain")
  expect([both.code, both.stderr]).toEqual([
    2,
    expect.stringContaining("--demo cannot be combined with --url, --data or --repos")
  ])
})

it("the demonstration has data for all lists", async () => {
  const { json } = setUp()
  const lists: ReadonlyArray<ReadonlyArray<string>> = [
    ["branches", "list", ...at],
    ["tags", "list", ...at],
    ["commits", "list", ...at],
    ["commit-comments", "list", ...at],
    ["review-comments", "list", ...at],
    ["artifacts", "list", ...at],
    ["repository-hooks", "list", ...at],
    ["events", "list-for-repository", ...at],
    ["events", "list-for-organization", ...org],
    ["organization-hooks", "list", ...org],
    ["rulesets", "list", ...org],
    ["keys", "mine"],
    ["blocks", "list"],
    ["installations", "mine"],
    ["search", "lamp repo:north-pier/lighthouse"]
  ]
  const lengthOf = async (list: ReadonlyArray<string>) => {
    const found = await json(...list)
    return (Array.isArray(found) ? found : (found.artifacts ?? found.installations ?? found.items)).length
  }
  // A search has no results until a busy machine has indexed a repository.
  for (const list of sample(lists, 5)) {
    await expect.poll(() => lengthOf(list), { timeout: TIMEOUT, message: list.join(" ") }).toBeGreaterThan(0)
  }
  const configuration = await json("agent-configurations", "get", ...at)
  expect(configuration.custom_allowlist).toEqual(["charts.lighthouse.example"])
})

inLongTests(() => {
  it.skipIf(!hasPrograms("tmux"))("tmux: the terminal UI opens on the demonstration", async () => {
    const { home, program } = setUp()
    const tmux = (...args: ReadonlyArray<string>) =>
      execFileSync("tmux", ["-S", join(home, "tmux"), "-f", "/dev/null", ...args], {
        env: { ...environment(home), TERM: "screen-256color" },
        encoding: "utf8"
      })
    tmux("new-session", "-d", "-x", "100", "-y", "30", "-c", home, process.execPath, program, "--demo")
    onTestFinished(() => void tmux("kill-server"))
    const screen = () => tmux("capture-pane", "-p")
    await expect.poll(screen, { timeout: TIMEOUT }).toContain("north-pier/lighthouse")
    await expect.poll(screen, { timeout: TIMEOUT }).toContain("Show the flash pattern on a page")
  })
})

inLongTests(() => {
  it("`tongs serve --fixtures` reports the position of an error, and exits 2", async () => {
    const { home, tongs } = setUp()
    mkdirSync(join(home, "repos"))
    const file = join(home, "broken.json")
    const serve = (content: string) => {
      writeFileSync(file, content)
      return tongs("serve", "--port", "0", "--repos", "repos", "--data", "data", "--fixtures", "broken.json")
    }
    const cases: ReadonlyArray<readonly [content: string, output: string]> = [
      ["{", "broken.json"],
      ["[]", "must contain a JSON object"],
      ['{"user": []}', "user: unknown key"],
      ['{"users": [{"login": "a"}, {"login": 1}]}', "users[1].login: "],
      ['{"users": [{"login": "a", "nick": "b"}]}', "users[0].nick: "],
      ['{"repositories": [{"full_name": "not-here/x"}]}', "repositories[0].full_name: "],
      ['{"users": [{"login": "a"}], "repositories": [{"full_name": "a/x", "git": "none"}]}', "repositories[0].git: "],
      ['{"keys": [{"user": "not-here", "key": "x"}]}', "keys[0].user: "]
    ]
    for (const [content, output] of cases) {
      const { code, stderr, stdout } = await serve(content)
      expect([content, code, stdout, stderr]).toEqual([content, 2, "", expect.stringContaining(output)])
    }
    const missing = await tongs("serve", "--port", "0", "--repos", "repos", "--data", "data", "--fixtures", "none.json")
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("none.json")])
  })
})
