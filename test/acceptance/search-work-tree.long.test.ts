/** Searches of the work tree: found by the owner's own commands and page, and never through a server for others. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { describe, expect, it, onTestFinished } from "vitest"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import * as McpProcess from "./McpProcess.test-support.ts"
import { compileCache, program, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const { git } = ForgeProcess

const write = (path: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
}

/** A repository whose work tree differs from the commit in every way. Each file has a line with `needle`. */
const setUp = () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  const committed = ["same", "edited", "deleted", "renamed", "staged", "in/moved"]
  write(path, Object.fromEntries(committed.map((name) => [name, `needle committed ${name}\n`])))
  write(path, { ".gitignore": ".env\n" })
  git(path, ["add", "."])
  git(path, ["commit", "--quiet", "-m", "first"])
  write(path, {
    edited: "needle uncommitted\n",
    staged: "needle uncommitted\n",
    "new/untracked": "needle uncommitted\n",
    ".env": "needle ignored\n"
  })
  git(path, ["add", "staged"])
  git(path, ["mv", "renamed", "other"])
  rmSync(join(path, "deleted"))
  renameSync(join(path, "in"), join(path, "out"))
  write(root, { outside: "needle outside\n" })
  symlinkSync(root, join(path, "in"))
  return { root, path, data: join(root, "data") }
}

const expected = [
  "edited:1:needle uncommitted",
  "new/untracked:1:needle uncommitted",
  "other:1:needle committed renamed",
  "out/moved:1:needle committed in/moved",
  "same:1:needle committed same",
  "staged:1:needle uncommitted"
]

/** Query texts that could lead to the work tree. */
const queries = ["needle", "uncommitted", "ignored", "needle rev:HEAD", "needle rev:main", "needle rev:stash"]

/** References that could name uncommitted files. */
const refs = ["", "HEAD", ":", ":0", "WORKTREE", "refs/stash", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"]

const noSecret = (text: string) => expect(text).not.toMatch(/needle (?:uncommitted|ignored|outside)/)

describe("the work tree", () => {
  it("is searched by tongs search as ripgrep searches it", async () => {
    const { data, path, root } = setUp()
    const { tongs } = shell(root)
    const search = async () => {
      const { stdout } = await tongs(["search", "needle", "--repos", path, "--data", data])
      const lines = stdout.toString().trimEnd().split("\n")
      return lines.map((line) => line.slice(line.indexOf(":") + 1)).sort()
    }
    expect(await search()).toEqual(expected)
    const rg = spawnSync("rg", ["--line-number", "--no-heading", "needle", "."], { cwd: path, encoding: "utf8" })
    if (rg.error === undefined) {
      expect(rg.stdout.trimEnd().replaceAll("./", "").split("\n").sort()).toEqual(expected)
    }
    git(path, ["add", "--all"])
    git(path, ["commit", "--quiet", "-m", "second"])
    expect(await search()).toEqual(expected)
    write(path, { same: "nothing\n" })
    expect(await search()).toEqual(expected.filter((line) => !line.startsWith("same")))
  }, 120_000)

  it("is searched by an operation of the owner, with the id and size of the content, but not by default", async () => {
    const { data, path, root } = setUp()
    const { tongs } = shell(root)
    const ask = async (parameters: string) => {
      const address = `/tongs/search?q=needle&deadline=30000${parameters}`
      const { stderr, stdout } = await tongs(["api", address, "--repos", path, "--data", data])
      expect(stderr).toBe("")
      return stdout.toString()
    }
    const events = (await ask("&source=work_trees"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const edited = events.find((event) => event.path === "edited")
    expect(edited).toMatchObject({ uncommitted: true, size: 19, oid: git(path, ["hash-object", "edited"]) })
    expect(events.find((event) => event.path === "same")).not.toHaveProperty("uncommitted")
    expect(events.at(-1)).toMatchObject({ _tag: "Done", files: 6, notes: [], incomplete: [] })
    for (const parameters of ["", "&source=commits", "&source=work_trees+rev:HEAD"]) noSecret(await ask(parameters))
  }, 120_000)

  it("is never searched through tongs serve, with any token", async () => {
    const { path, root } = setUp()
    const serving = await ForgeProcess.serve(root)
    const { json: user } = await ForgeProcess.request(serving, "GET", "/user")
    const ask = async (address: string, headers: Readonly<Record<string, string>>) => {
      const response = await fetch(`${serving.url}${address}`, { headers: { "user-agent": "test", ...headers } })
      return response.text()
    }
    const all = [{ authorization: `Bearer ${serving.token}` }, { authorization: "Bearer wrong" }, {}]
    for (const headers of all) {
      for (const q of queries) {
        for (const source of ["work_trees", "commits", "worktree"]) {
          noSecret(await ask(`/tongs/search?q=${encodeURIComponent(q)}&lines=all&source=${source}`, headers))
        }
      }
      for (const ref of refs) {
        const parameters = `q=needle&ref=${encodeURIComponent(ref)}&source=work_trees`
        noSecret(await ask(`/tongs/repos/${user.login}/hello/matches/edited?${parameters}`, headers))
        noSecret(await ask(`/tongs/repos/${user.login}/hello/matches/.env?${parameters}`, headers))
      }
    }
    const own = await ask("/tongs/search?q=needle&source=work_trees", { authorization: `Bearer ${serving.token}` })
    expect(own).toContain("needle committed edited")
    expect(JSON.parse(own.trimEnd().split("\n").at(-1) ?? "").notes).toEqual([
      expect.stringContaining("Only commits were searched")
    ])
    // The owner's own process beside the server finds the files.
    const { stdout } = await shell(root).tongs(["search", "needle", "--repos", path, "--data", join(root, "data")])
    expect(stdout.toString()).toContain("needle uncommitted")
  }, 120_000)

  it("is searched through tongs explore by the browser with its link, and by nobody on another host", async () => {
    const { data, path, root } = setUp()
    const ask = async (...options: ReadonlyArray<string>) => {
      const args = [program, "explore", "--port", "0", "--json", "--repos", path, "--data", data, ...options]
      const child = spawn(process.execPath, args, {
        cwd: path,
        env: { PATH: process.env["PATH"], HOME: root, ...compileCache },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const ended = once(child, "close")
      const stop = async () => {
        child.kill("SIGKILL")
        await ended
      }
      onTestFinished(stop)
      const [line] = await once(createInterface(child.stdout), "line")
      const { token, url } = JSON.parse(String(line))
      const exchanged = await fetch(`${url}?token=${token}`, { redirect: "manual" })
      const [cookie = ""] = (exchanged.headers.get("set-cookie") ?? "").split(";", 1)
      const search = async (headers: Readonly<Record<string, string>>) => {
        const found = await Promise.all(
          queries.flatMap((q) =>
            ["", "&source=work_trees"].map(async (source) => {
              const address = `/api/tongs/search?q=${encodeURIComponent(q)}${source}`
              const response = await fetch(new URL(address, url), {
                headers: { origin: new URL(url).origin, ...headers }
              })
              return response.text()
            })
          )
        )
        return found.join("\n")
      }
      const answers = { owner: await search({ cookie }), others: await search({}) }
      await stop()
      return answers
    }
    const { others, owner } = await ask()
    expect(owner).toContain("needle uncommitted")
    expect(owner).not.toMatch(/needle (?:ignored|outside)/)
    expect(others).not.toContain("needle")
    const shared = await ask("--host", "0.0.0.0")
    noSecret(shared.owner)
    expect(shared.owner).toContain("needle committed edited")
  }, 120_000)

  it("is searched through tongs mcp over stdio, and never over HTTP", async () => {
    const { data, path, root } = setUp()
    const environment = { PATH: process.env["PATH"] ?? "", HOME: root, ...compileCache }
    const search = async (client: Client, query: string) =>
      JSON.stringify(await client.callTool({ name: "search_code", arguments: { query } }))
    const args = ["--repos", path, "--data", data]
    const overHttp = new Client({ name: "test", version: "1.0.0" })
    await McpProcess.connectHttp(overHttp, await McpProcess.serveHttp({ environment, repository: path }, args))
    for (const query of queries) noSecret(await search(overHttp, query))
    expect(await search(overHttp, "needle")).toContain("needle committed edited")
    const overStdio = new Client({ name: "test", version: "1.0.0" })
    const workspace = { folder: root, repository: path, environment, git: () => "" }
    await McpProcess.connectStdio(overStdio, workspace, args)
    const own = await search(overStdio, "needle")
    expect(own).toContain("needle uncommitted")
    expect(own).not.toMatch(/needle (?:ignored|outside|committed edited)/)
  }, 120_000)
})
