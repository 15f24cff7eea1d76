/** The forge with real zoekt servers. */
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import * as Zoekt from "./ZoektServer.test-support.ts"

const deadline = ["--search-deadline", "60000"]

/** Creates an empty repository in the served folder. */
const repository = (root: string, name: string) => {
  const path = join(root, "repos", name)
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  return path
}

/** Writes files of the work tree and commits all changes. Undefined removes a file. */
const commit = (path: string, files: Readonly<Record<string, string | Buffer | undefined>>, message: string) => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    if (content === undefined) rmSync(file)
    else writeFileSync(file, content)
  }
  git(path, ["add", "--all"])
  git(path, ["commit", "--quiet", "-m", message])
}

/** Creates a repository with an index and a server, and a forge over both. */
const setting = async (files: Readonly<Record<string, string | Buffer>>, ...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  const path = repository(root, "hello")
  commit(path, files, "one")
  const shards = join(root, "zoekt")
  Zoekt.index(shards, path, ...flags)
  const server = await Zoekt.start(shards)
  const forge = await serve(root, "--code-index", server.url, ...deadline)
  return { root, path, shards, server, forge }
}

const status = async (forge: Awaited<ReturnType<typeof serve>>) =>
  (await request(forge, "GET", "/tongs/index")).json.repositories

describe.skipIf(!Zoekt.isInstalled)("zoekt-webserver and zoekt-git-index", () => {
  it("finds files by language, path and name, and shows the state of the index", async () => {
    const { forge, path } = await setting({
      "src/a.ts": "export const needle = 1\n",
      "src/deep/b.py": "needle = 2\n",
      "c (1) [x].md": "# Needle\n",
      'ärger/é "quoted".txt': "needle\n"
    })
    const all = ["hello/c (1) [x].md", "hello/src/a.ts", "hello/src/deep/b.py", 'hello/ärger/é "quoted".txt']

    expect((await Zoekt.search(forge, "needle")).paths).toEqual(all)
    expect((await Zoekt.search(forge, "needle language:python")).paths).toEqual(["hello/src/deep/b.py"])
    expect((await Zoekt.search(forge, "needle path:src")).paths).toEqual(["hello/src/a.ts", "hello/src/deep/b.py"])
    expect((await Zoekt.search(forge, "Needle case:yes")).paths).toEqual(["hello/c (1) [x].md"])
    expect((await Zoekt.search(forge, String.raw`/need\w+ = \d/`)).paths).toEqual([
      "hello/src/a.ts",
      "hello/src/deep/b.py"
    ])
    expect((await Zoekt.search(forge, "filename:quoted")).paths).toEqual(all.slice(3))
    const { done } = await Zoekt.search(forge, "needle")
    expect(done).toMatchObject({ incomplete: [], notes: [] })
    const head = git(path, ["rev-parse", "HEAD"]).trim()
    expect(await status(forge)).toMatchObject([{ state: "ready", commit: head, files: 4, left_out: 0 }])
  })

  it("finds what zoekt skips: short, UTF-16 and trigram-rich files; and lists the files that cannot be searched", async () => {
    const random = Array.from({ length: 30_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)))
    const { forge } = await setting(
      {
        "tiny.txt": "zq",
        "odd.txt": `zqneedle\n${random.join("")}\n`,
        "wide.txt": Buffer.from("\ufeffzqneedle\n", "utf16le"),
        "large.txt": `${"line of text\n".repeat(20_000)}zqneedle\n`,
        "image.bin": Buffer.from([0, 1, 2, 3, 0x7a, 0x71])
      },
      "-file_limit",
      "100000"
    )
    const paths = ["hello/large.txt", "hello/odd.txt", "hello/tiny.txt", "hello/wide.txt"]
    expect((await Zoekt.search(forge, "zq in:file")).paths).toEqual(paths)
    const [{ owner }] = await status(forge)
    const { json } = await request(forge, "GET", `/tongs/repos/${owner}/hello/index/left-out`)
    expect(json).toMatchObject([{ path: "image.bin", reason: "binary" }])
    expect(await status(forge)).toMatchObject([{ left_out: 1 }])
  })

  it("searches a default branch that is not zoekt's first branch", async () => {
    const root = temporaryFolder()
    const path = repository(root, "hello")
    commit(path, { "a.txt": "needle main\n" }, "one")
    git(path, ["switch", "--quiet", "--create", "dev"])
    commit(path, { "a.txt": "needle dev\n", "only-dev.txt": "needle\n" }, "two")
    git(path, ["switch", "--quiet", "main"])
    Zoekt.index(join(root, "zoekt"), path, "-branches", "dev,main")
    const server = await Zoekt.start(join(root, "zoekt"))
    const forge = await serve(root, "--code-index", server.url, ...deadline)

    const found = await Zoekt.search(forge, "needle")
    expect(found.paths).toEqual(["hello/a.txt"])
    expect(found.files[0]?.chunks[0]?.lines[0]?.text).toBe("needle main")
    expect(found.done).toMatchObject({ incomplete: [], notes: [] })
  })

  it("searches revisions that zoekt has indexed, and others by their difference", async () => {
    const root = temporaryFolder()
    const path = repository(root, "hello")
    commit(path, { "a.txt": "needle old\n", "b.txt": "needle\n" }, "one")
    git(path, ["tag", "v1"])
    git(path, ["switch", "--quiet", "--create", "dev"])
    commit(path, { "a.txt": "needle dev\n", "only-dev.txt": "needle\n" }, "two")
    git(path, ["switch", "--quiet", "main"])
    commit(path, { "a.txt": "needle main\n" }, "three")
    Zoekt.index(join(root, "zoekt"), path, "-branches", "HEAD,dev")
    const server = await Zoekt.start(join(root, "zoekt"))
    const forge = await serve(root, "--code-index", server.url, ...deadline)
    const texts = async (q: string) =>
      (await Zoekt.search(forge, q)).files.map(
        (file) => `${file.path} ${file.revisions?.join() ?? ""} ${file.chunks[0]?.lines[0]?.text}`
      )

    expect((await texts("needle rev:dev")).sort()).toEqual([
      "a.txt dev needle dev",
      "b.txt dev needle",
      "only-dev.txt dev needle"
    ])
    expect((await texts("needle rev:v1")).sort()).toEqual(["a.txt v1 needle old", "b.txt v1 needle"])
    expect((await texts("needle rev:dev rev:main path:b.txt")).sort()).toEqual(["b.txt dev,main needle"])
    expect((await Zoekt.search(forge, "needle rev:none")).done.notes).not.toEqual([])
  })

  it("searches several shards of a repository, and reads the files of a damaged shard with git", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`src/file${at}.txt`, `needle ${at}\n${"text ".repeat(500)}\n`])
    )
    const { forge, server, shards } = await setting(files, "-shard_limit", "20000")
    const names = readdirSync(shards)
    expect(names.length).toBeGreaterThan(3)
    expect((await Zoekt.search(forge, "needle")).paths).toHaveLength(40)

    await server.stop()
    truncateSync(join(shards, names[1] ?? ""), 100)
    await Zoekt.start(shards, server.port)
    const search = () => Zoekt.search(forge, "needle")
    await expect.poll(async () => (await search()).paths.length, { timeout: 20_000 }).toBe(40)
  })

  it("ranks definitions first", async () => {
    const { forge } = await setting({
      "a/uses.ts": "parseConfig()\nparseConfig()\nparseConfig()\n",
      "b/config.ts": "export function parseConfig() {\n  return 1\n}\n",
      "c/test/config.test.ts": "parseConfig()\n"
    })
    expect((await Zoekt.search(forge, "parseConfig")).files.toSorted((a, b) => b.rank - a.rank)[0]?.path).toBe(
      "b/config.ts"
    )
    expect((await Zoekt.search(forge, "symbol:parseConfig")).paths).toEqual(["hello/b/config.ts"])
  })

  it.skipIf(!hasPrograms("ctags"))("searches an index with symbols", async () => {
    const root = temporaryFolder()
    const path = repository(root, "hello")
    commit(path, { "a.c": "int use(void) { return make(); }\n", "b.c": "int make(void)\n{\n  return 1;\n}\n" }, "one")
    Zoekt.indexSymbols(join(root, "zoekt"), path)
    const server = await Zoekt.start(join(root, "zoekt"))
    const forge = await serve(root, "--code-index", server.url, ...deadline)
    const { files } = await Zoekt.search(forge, "make")
    expect(files.toSorted((a, b) => b.rank - a.rank).map((file) => file.path)).toEqual(["b.c", "a.c"])
  })

  it("keeps apart repositories with one name in zoekt", async () => {
    const root = temporaryFolder()
    const first = repository(root, "first")
    const second = repository(root, "second")
    commit(first, { "one.txt": "needle one\n" }, "one")
    commit(second, { "two.txt": "needle two\n" }, "two")
    // Both have the same remote name in zoekt, so the second replaces the first there.
    for (const path of [first, second]) git(path, ["config", "zoekt.name", "example.org/octo/same"])
    for (const path of [first, second]) Zoekt.index(join(root, "zoekt"), path)
    const server = await Zoekt.start(join(root, "zoekt"))
    const forge = await serve(root, "--code-index", server.url, ...deadline)
    expect((await Zoekt.search(forge, "needle")).paths).toEqual(["first/one.txt", "second/two.txt"])
  })
})

describe.skipIf(!Zoekt.isInstalled)("failures of zoekt-webserver", () => {
  it("finds commits that zoekt has not indexed", async () => {
    const { forge, path, shards } = await setting({ "a.txt": "needle\n", "b.txt": "needle\n" })
    expect((await Zoekt.search(forge, "needle")).paths).toHaveLength(2)
    commit(path, { "b.txt": undefined, "c.txt": "needle\n" }, "two")
    const paths = ["hello/a.txt", "hello/c.txt"]
    const behind = await Zoekt.search(forge, "needle")
    expect(behind.paths).toEqual(paths)
    expect(behind.done).toMatchObject({ incomplete: [], notes: [] })
    expect(await status(forge)).toMatchObject([{ state: "failed", problem: expect.stringContaining("but zoekt has") }])
    Zoekt.index(shards, path)
    await expect.poll(() => status(forge), { timeout: 60_000 }).toMatchObject([{ state: "ready" }])
    expect((await Zoekt.search(forge, "needle")).paths).toEqual(paths)
  })

  it("searches with git while the server is down, and with zoekt after its restart", async () => {
    const { forge, server, shards } = await setting({ "a.txt": "needle\n", "b.txt": "hay\n" })
    expect((await Zoekt.search(forge, "needle")).paths).toEqual(["hello/a.txt"])
    await server.stop()
    const down = await Zoekt.search(forge, "needle")
    expect(down.paths).toEqual(["hello/a.txt"])
    await expect
      .poll(() => status(forge), { timeout: 20_000 })
      .toMatchObject([{ state: "failed", problem: expect.stringContaining(server.url) }])
    await Zoekt.start(shards, server.port)
    await expect.poll(() => status(forge), { timeout: 20_000 }).toMatchObject([{ state: "ready" }])
    expect((await Zoekt.search(forge, "needle")).done).toMatchObject({ incomplete: [], notes: [] })
  })

  it("merges two servers, and explains results while one is down", async () => {
    const root = temporaryFolder()
    const servers = []
    for (const name of ["first", "second"]) {
      const path = repository(root, name)
      commit(path, { "a.txt": `needle ${name}\n` }, "one")
      Zoekt.index(join(root, `zoekt-${name}`), path)
      servers.push(await Zoekt.start(join(root, `zoekt-${name}`)))
    }
    const forge = await serve(root, ...servers.flatMap(({ url }) => ["--code-index", url]), ...deadline)
    const both = await Zoekt.search(forge, "needle")
    expect(both.paths).toEqual(["first/a.txt", "second/a.txt"])
    expect(both.done).toMatchObject({ incomplete: [], notes: [] })

    await servers[1]?.stop()
    const one = await Zoekt.search(forge, "needle")
    expect(one.paths).toEqual(["first/a.txt", "second/a.txt"])
    expect(one.done.notes).toEqual([expect.stringContaining("A zoekt server does not respond")])
    expect(one.done.notes.join()).not.toContain("127.0.0.1")
    await expect
      .poll(async () => (await status(forge)).map(({ problem }: { readonly problem?: string }) => problem), {
        timeout: 20_000
      })
      .toEqual([undefined, expect.stringContaining(servers[1]?.url ?? "")])
  })
})
