/** Which repositories `tongs search` covers without `--repos`. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { userInfo } from "node:os"
import { describe, expect, it } from "vitest"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const init = (path: string) => {
  mkdirSync(path, { recursive: true })
  ForgeProcess.git(path, ["init", "--quiet", "--initial-branch=main"])
}

/** Creates a folder as the working directory, and a forge that hosts a repository with the word `lantern`. */
const setUp = async (home: string) => {
  const data = join(temporaryFolder(), "data")
  const { tongs } = shell(home)
  const run = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await tongs([...args, "--data", data])
    return { code, stderr, stdout: stdout.toString() }
  }
  const account = userInfo().username.replaceAll(/[^A-Za-z0-9-]+/g, "-")
  expect(await run("repositories", "create", "--name", "hosted")).toMatchObject({ code: 0 })
  const note = ["notes.md", "--message", "Add notes", "--content", "a lantern"]
  expect(await run("contents", "create-or-update", `${account}/hosted`, ...note)).toMatchObject({ code: 0 })
  /** Repeats an incomplete search of a busy machine. */
  const search = async (...args: ReadonlyArray<string>) => {
    for (;;) {
      const ran = await run("search", ...args)
      if (!/the search stopped|not complete yet/.test(ran.stderr)) return ran
    }
  }
  return { account, search }
}

describe("tongs search without --repos", () => {
  it("covers the repository of the working directory, and says so", async () => {
    const home = temporaryFolder()
    init(home)
    const { account, search } = await setUp(home)
    const here = await search("lantern OR lamp")
    expect(here.stdout).toBe("")
    expect(here.stderr).toMatch(/^Searching [\w-]+\/[\w.-]+\. --all searches every repository of the forge\.\n0 files/)
    ForgeProcess.commit(home, { "lamp.txt": "a lamp\n" }, "lamp")
    ForgeProcess.git(home, ["reset", "--quiet", "--hard"])
    expect((await search("lantern OR lamp")).stdout).toMatch(/^[^\n]*lamp\.txt:1:a lamp\n[^\n]*$/)
    // Other repositories may only be named: these queries do not select any other repository.
    expect((await search("lantern", "-repo:octo/none")).stdout).toBe("")
    expect((await search("lantern", "--all")).stdout).toBe(`${account}/hosted:notes.md:1:a lantern\n`)
    expect((await search("lantern", `repo:${account}/hosted`)).stdout).toBe(`${account}/hosted:notes.md:1:a lantern\n`)
  }, 120_000)

  it("covers the clones of a folder that is no repository", async () => {
    const home = temporaryFolder()
    for (const name of ["one", "two"]) {
      init(join(home, name))
      ForgeProcess.commit(join(home, name), { "lamp.txt": `a lamp of ${name}\n` }, "lamp")
      ForgeProcess.git(join(home, name), ["reset", "--quiet", "--hard"])
    }
    const { search } = await setUp(home)
    const found = await search("lamp")
    expect(found.stderr).toMatch(/^Searching 2 repositories of this folder, and those that the forge hosts\.\n/)
    expect(found.stdout.split("\n").filter((line) => /(?:one|two):lamp\.txt:1:a lamp of/.test(line))).toHaveLength(2)
  }, 120_000)

  it("covers what the forge hosts, in a folder without repositories", async () => {
    const { account, search } = await setUp(temporaryFolder())
    const found = await search("lantern")
    expect(found.stdout).toContain(`${account}/hosted:notes.md:1:a lantern\n`)
    expect(found.stderr).toMatch(/^[^]*Searching every repository of the forge, because the working directory/)
  }, 120_000)
})
