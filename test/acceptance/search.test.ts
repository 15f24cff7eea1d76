/** Code search with several clients: Octokit's paging and text matches, pushes, deadlines, malicious expressions. */
import { once } from "node:events"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Octokit } from "@octokit/rest"
import { assert, describe, it } from "vitest"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import type { Done, FileHit, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import { temporaryFolder, git, request, serve, type ForgeProcess } from "./ForgeProcess.test-support.ts"

/** Creates a repository of files that contain the word `common`. */
const repository = (root: string, name: string, count: number) => {
  const path = join(root, "repos", name)
  mkdirSync(join(path, "src"), { recursive: true })
  for (let at = 0; at < count; at++) {
    writeFileSync(
      join(path, "src", `file${at}.ts`),
      `export const value${at} = ${at}\r\n\t// 😀 common 在 common${at}\r\n`
    )
  }
  git(path, ["init", "--quiet", "--initial-branch=main"])
  git(path, ["add", "--all"])
  git(path, ["commit", "--quiet", "-m", "All"])
  return path
}

const nothing = () => {}
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** A deadline for complete results on a busy machine. */
const patient = ["--search-deadline", "60000"]

const octokit = ({ token, url }: ForgeProcess) =>
  new Octokit({ auth: token, baseUrl: url, request: { retries: 0 }, log: quiet })

/** The events of an explorer search, in order. */
const events = async (
  { token, url }: ForgeProcess,
  query: string,
  signal: AbortSignal | null = null
): Promise<ReadonlyArray<SearchEvent>> => {
  const response = await fetch(`${url}/tongs/search?${query}`, {
    headers: { authorization: `Bearer ${token}`, "user-agent": "test" },
    signal
  })
  assert.strictEqual(response.headers.get("content-type"), "application/x-ndjson")
  return (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

const files = (all: ReadonlyArray<SearchEvent>) => all.filter((one): one is FileHit => one._tag === "File")
const done = (all: ReadonlyArray<SearchEvent>) => all.find((one): one is Done => one._tag === "Done")

/** Expressions without end: one to run, the other to compile, which even ending a thread does not interrupt. */
const hostile = [
  ["runs", encodeURIComponent("/(a+)+$/")],
  ["is prepared", encodeURIComponent(`/${"(|)".repeat(40)}q/`)]
] as const

const evil = (root: string) => {
  const path = join(root, "repos", "evil")
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, "a.txt"), `${"a".repeat(60)}!\n`)
  writeFileSync(join(path, "b.txt"), "needle\n")
  git(path, ["init", "--quiet", "--initial-branch=main"])
  git(path, ["add", "--all"])
  git(path, ["commit", "--quiet", "-m", "All"])
  return path
}

describe("the contract's search", () => {
  it("pages through at most a thousand results with Octokit, with exact text matches", async () => {
    const root = temporaryFolder()
    repository(root, "many", 1_100)
    const forge = octokit(await serve(root, "--dialect", "github", ...patient))
    const first = await forge.search.code({ q: "common", per_page: 100 })
    assert.include(first.data, { total_count: 1_100, incomplete_results: false })
    const all = await forge.paginate(forge.search.code, { q: "common", per_page: 100 })
    assert.strictEqual(all.length, 1_000)
    assert.strictEqual(new Set(all.map(({ path }) => path)).size, 1_000)

    const [item] = (await forge.search.code({ q: "COMMON7 filename:file7.ts", mediaType: { format: "text-match" } }))
      .data.items
    assert.strictEqual(item?.path, "src/file7.ts")
    const matches = item?.text_matches ?? []
    assert.deepStrictEqual(
      matches.map(({ fragment, matches, property }) => ({ fragment, matches, property })),
      [
        {
          property: "content",
          fragment: "\t// 😀 common 在 common7",
          matches: [{ text: "common7", indices: [16, 23] }]
        }
      ]
    )
  })

  it("rejects queries that are too long, have too many operators, or unsupported syntax", async () => {
    const root = temporaryFolder()
    repository(root, "few", 2)
    const serving = await serve(root)
    const refused = async (q: string) => {
      const { json, status } = await request(serving, "GET", `/search/code?q=${encodeURIComponent(q)}`)
      assert.strictEqual(status, 422, q)
      return String(json.errors[0].message)
    }
    assert.match(await refused("x".repeat(257)), /256/)
    assert.match(await refused("a OR b OR c OR d OR e OR f OR g"), /at most 5/)
    for (const q of ["(a OR b) c", "/reg.*ex/", "symbol:main", "case:yes x"]) assert.match(await refused(q), /\.$/)
  })

  it("returns partial results at the deadline", async () => {
    const root = temporaryFolder()
    repository(root, "many", 300)
    const serving = await serve(root, "--search-deadline", "1")
    const { json, status } = await request(serving, "GET", "/search/code?q=common")
    assert.strictEqual(status, 200)
    assert.strictEqual(json.incomplete_results, true)
    assert.isAtMost(json.items.length, json.total_count)
  })
})

describe("the index", () => {
  it("has an external push of a hundred files at the next search, and removes deleted files", async () => {
    const root = temporaryFolder()
    const path = repository(root, "live", 50)
    const serving = await serve(root, ...patient)
    const paths = async (q: string, more = ""): Promise<ReadonlyArray<string>> => {
      const { json } = await request(serving, "GET", `/search/code?per_page=100&q=${encodeURIComponent(q)}${more}`)
      assert.strictEqual(json.incomplete_results, false)
      return json.items.map((item: { readonly path: string }) => item.path)
    }
    assert.lengthOf(await paths("common"), 50)
    for (let at = 0; at < 100; at++) writeFileSync(join(path, `new${at}.md`), `fresh arrival ${at}\n`)
    git(path, ["rm", "--quiet", "src/file3.ts"])
    git(path, ["add", "--all"])
    git(path, ["commit", "--quiet", "-m", "More"])
    assert.lengthOf(await paths("arrival"), 100)
    assert.notInclude(await paths("common"), "src/file3.ts")
    // All pages are sorted newest first, or oldest first.
    const isNew = (path: string) => path.startsWith("new")
    const newest = await paths("common OR arrival", "&sort=indexed")
    const rest = await paths("common OR arrival", "&sort=indexed&order=desc&page=2")
    assert.deepStrictEqual([newest.length, newest.every(isNew), rest.length, rest.some(isNew)], [100, true, 49, false])
    const oldest = await paths("common OR arrival", "&sort=indexed&order=asc")
    assert.deepStrictEqual([oldest.findIndex(isNew), oldest.slice(49).every(isNew)], [49, true])
    git(path, ["reset", "--quiet", "--hard", "HEAD~1"])
    assert.lengthOf(await paths("arrival"), 0)
    assert.lengthOf(await paths("common"), 50)
  })

  inLongTests(() => {
    it("is rebuilt when its file is damaged", async () => {
      const root = temporaryFolder()
      repository(root, "some", 20)
      const find = async (serving: ForgeProcess) => (await request(serving, "GET", "/search/code?q=common")).json
      const before = await serve(root, ...patient)
      assert.strictEqual((await find(before)).total_count, 20)
      await before.kill("SIGTERM")
      for (const suffix of ["", "-wal"])
        writeFileSync(IndexDatabase.fileIn(join(root, "data")) + suffix, "no database\n".repeat(9_000))
      const after = await serve(root, ...patient)
      assert.include(await find(after), { total_count: 20, incomplete_results: false })
    })
  })

  inLongTests(() => {
    it("continues without a repository that was removed, and reports it", async () => {
      const root = temporaryFolder()
      repository(root, "one", 3)
      const two = repository(root, "two", 3)
      const serving = await serve(root, ...patient)
      const find = async () => (await request(serving, "GET", "/search/code?q=common")).json
      assert.include(await find(), { total_count: 6, incomplete_results: false })
      renameSync(two, `${two}-moved`)
      assert.include(await find(), { total_count: 3, incomplete_results: true })
      assert.deepStrictEqual(done(await events(serving, "q=common&deadline=60000"))?.incomplete, ["failed"])
      const { repositories } = (await request(serving, "GET", "/tongs/index")).json
      assert.deepStrictEqual(
        repositories.map(({ problem, repo, state }: IndexedRepository) => [repo, state, problem]),
        [
          ["one", "ready", undefined],
          ["two", "failed", `${two}/.git is not a git repository`]
        ]
      )
      renameSync(`${two}-moved`, two)
      assert.include(await find(), { total_count: 6, incomplete_results: false })
    })
  })

  it("reports its contents, and skipped files with the reason", async () => {
    const root = temporaryFolder()
    const path = repository(root, "mixed", 3)
    writeFileSync(join(path, "image.png"), Buffer.from([0x89, 0x50, 0, 1]))
    writeFileSync(join(path, "large.sql"), "x".repeat(32 * 1024 * 1024))
    // Larger than the limit of the contract's search, and smaller than that of the index.
    writeFileSync(join(path, "medium.sql"), `-- common\n${"x".repeat(400 * 1024)}`)
    writeFileSync(join(path, "koi8.txt"), Buffer.from("f0d2c9d7c5d4", "hex"))
    writeFileSync(join(path, "lost.ts"), "common\n")
    git(path, ["add", "--all"])
    git(path, ["commit", "--quiet", "-m", "Mixed"])
    const lost = git(path, ["rev-parse", "HEAD:lost.ts"])
    rmSync(join(path, ".git/objects", lost.slice(0, 2), lost.slice(2)))
    const serving = await serve(root, ...patient)
    assert.strictEqual((await request(serving, "GET", "/search/code?q=common")).json.total_count, 3)
    const { owner, repo, ...state } = (await request(serving, "GET", "/tongs/index")).json.repositories[0]
    assert.include(done(await events(serving, "q=common&deadline=60000")), { files: 4 })
    assert.include(state, { state: "ready", files: 8, left_out: 4, commit: git(path, ["rev-parse", "HEAD"]) })
    const { json } = await request(serving, "GET", `/tongs/repos/${owner}/${repo}/index/left-out`)
    assert.deepStrictEqual(json, [
      { path: "image.png", size: 4, reason: "binary" },
      { path: "koi8.txt", size: 6, reason: "encoding" },
      { path: "large.sql", size: 32 * 1024 * 1024, reason: "size" },
      { path: "lost.ts", size: null, reason: "unreadable" }
    ])
    const matches = async (path: string) =>
      (await request(serving, "GET", `/tongs/repos/${owner}/${repo}/matches/${path}?q=x`)).json
    for (const { path, reason } of json.slice(0, 3))
      assert.deepStrictEqual(await matches(path), { lines: [], missing: reason })
    assert.deepStrictEqual(await matches("src/file1.ts"), {
      lines: [{ number: 1, text: "export const value1 = 1", cut: 0, matches: [[1, 2]] }]
    })
  })
})

describe("the explorer's search", () => {
  it("streams results, then totals", async () => {
    const root = temporaryFolder()
    repository(root, "many", 40)
    const serving = await serve(root)
    const all = await events(
      serving,
      `q=${encodeURIComponent("/common3\\d?\\b/ path:src")}&limit=5&context=0&deadline=60000`
    )
    assert.lengthOf(files(all), 5)
    assert.include(done(all), { files: 5 })
    assert.deepStrictEqual(done(all)?.incomplete, ["limit"])
    assert.deepStrictEqual(done(all)?.facets.language, [{ value: "TypeScript", count: 5 }])
    for (const { chunks } of files(all)) {
      const [line] = chunks[0]?.lines ?? []
      assert.strictEqual(line?.number, 2)
      for (const range of line?.matches ?? []) assert.match(line?.text.slice(...range) ?? "", /^common3\d?$/)
    }
    const none = await events(serving, "q=symbol:value7&deadline=60000")
    assert.deepStrictEqual(
      files(none).map(({ path }) => path),
      ["src/file7.ts"]
    )
  })

  it("shows no private repositories to other callers", async () => {
    const root = temporaryFolder()
    repository(root, "secret", 3)
    const serving = await serve(root)
    const { url } = serving
    const [{ owner }] = (await request(serving, "GET", "/tongs/index")).json.repositories
    const anonymous = async (path: string) => (await fetch(url + path, { headers: { "user-agent": "test" } })).text()
    assert.notInclude(await anonymous("/tongs/search?q=common"), "file1")
    assert.deepStrictEqual(JSON.parse(await anonymous("/tongs/index")), { repositories: [] })
    assert.include(await anonymous(`/tongs/repos/${owner}/secret/definitions/value1`), '"message":"Not Found"')
  })

  it.each(sample(hostile))(
    "stays responsive while a malicious expression %s, which ends at its deadline",
    async (_, hostile) => {
      const root = temporaryFolder()
      evil(root)
      const serving = await serve(root, ...patient)
      await request(serving, "GET", "/search/code?q=needle")
      const controller = new AbortController()
      const slow = events(serving, `q=${hostile}&deadline=60000`, controller.signal).then(
        () => "ended",
        () => "aborted"
      )
      for (let at = 0; at < 3; at++) {
        assert.strictEqual((await request(serving, "GET", "/search/code?q=needle")).json.total_count, 1)
        assert.lengthOf(files(await events(serving, `q=${encodeURIComponent("/need[a-z]e/")}&deadline=60000`)), 1)
      }
      controller.abort()
      assert.strictEqual(await slow, "aborted")
      assert.deepStrictEqual(done(await events(serving, `q=${hostile}&deadline=500`))?.incomplete, ["deadline"])
    }
  )

  const onLinux = it.skipIf(process.platform !== "linux")
  onLinux.each(sample(hostile))("ends with the request that asked for it while it %s", async (_, hostile) => {
    const root = temporaryFolder()
    evil(root)
    const serving = await serve(root)
    await request(serving, "GET", "/search/code?q=needle")
    const busy = httpRequest(`${serving.url}/tongs/search?q=${hostile}&deadline=60000`, {
      headers: { authorization: `Bearer ${serving.token}`, "user-agent": "test" }
    })
    busy.end()
    const [response] = await once(busy, "response")
    await once(response, "data")
    response.destroy()
    // A running expression would use a whole processor.
    let used = processorTime(serving.pid)
    for (let tries = 0; ; tries++) {
      await sleep(200)
      const now = processorTime(serving.pid)
      if (now - used < 5) break
      assert.isBelow(tries, 50)
      used = now
    }
  })
})

/** CPU time of a process and all children (hundredths of a second). */
const processorTime = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
    return children.reduce((sum, child) => sum + processorTime(Number(child)), Number(user) + Number(system))
  } catch {
    // The process has exited.
    return 0
  }
}
