/** The forge with zoekt as the code index, and a stub of zoekt-webserver. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { commit, temporaryFolder, git, request, serve } from "./ForgeProcess.test-support.ts"
import { sendJson, httpServer } from "./TongsCommand.test-support.ts"

interface Recorded {
  readonly path: string
  readonly body: { readonly Q: string; readonly Opts?: { readonly MaxDocDisplayCount: number } }
}

/** A response of `/api/list` without zoekt's own statistics. */
const list = (source: string, version: string) => ({
  List: {
    Repos: [
      {
        Repository: {
          ID: 0,
          Name: "git.example.org/octo/hello",
          URL: "",
          Source: source,
          Branches: [{ Name: "HEAD", Version: version }],
          RawConfig: null,
          Rank: 0,
          HasSymbols: true,
          Tombstone: false
        },
        Stats: { Repos: 1, Shards: 1, Documents: 3, IndexBytes: 4096, ContentBytes: 60 }
      }
    ],
    Crashes: 0
  }
})

const file = (name: string, version: string) => ({
  Score: 500.5,
  FileName: name,
  Repository: "git.example.org/octo/hello",
  Branches: ["HEAD"],
  LineMatches: [
    {
      Line: Buffer.from("const needle = 1").toString("base64"),
      LineStart: 0,
      LineEnd: 16,
      LineNumber: 1,
      FileName: false,
      Score: 500,
      LineFragments: [{ LineOffset: 6, Offset: 6, MatchLength: 6, SymbolInfo: null }]
    }
  ],
  Checksum: "yhGbWvbLMvQ=",
  Language: "TypeScript",
  Version: version
})

const found = (files: ReadonlyArray<unknown>) => ({
  Result: {
    Duration: 1_200_000,
    FileCount: files.length,
    FilesSkipped: 0,
    ShardsScanned: 1,
    MatchCount: files.length,
    Files: files.length === 0 ? null : files,
    RepoURLs: {},
    LineFragments: {}
  }
})

/** A stub of zoekt-webserver that records requests. */
const zoekt = async (answer: (path: string, q: string) => { readonly status?: number; readonly body: unknown }) => {
  const requests: Array<Recorded> = []
  const url = await httpServer(({ url: path = "" }, body, response) => {
    requests.push({ path, body: JSON.parse(body) })
    const { body: output, status = 200 } = answer(path, JSON.parse(body).Q)
    sendJson(response, status, output)
  })
  return { url: `${url}/`, requests }
}

const repository = () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  const head = commit(
    path,
    { "src/a.ts": "const needle = 1\n", "src/b.ts": "const hay = 1\n", "c.md": "needle\n" },
    "one"
  )
  return { root, path, head }
}

const searched = (q: string) => `/search/code?q=${encodeURIComponent(q)}`

describe("tongs serve --code-index", () => {
  it("requests candidates from zoekt, and shows files that match", async () => {
    const { head, path, root } = repository()
    const files = ["src/a.ts", "src/b.ts", "gone.ts", "c.md"].map((name) => file(name, head))
    const { requests, url } = await zoekt((to, q) => {
      if (to === "/api/list") return { body: list(path, head) }
      return { body: found(q.includes("NOT-INDEXED") ? [] : files) }
    })
    const serving = await serve(root, "--code-index", url, "--search-deadline", "60000")

    const { json, status } = await request(serving, "GET", searched("needle language:typescript"))

    expect(status).toBe(200)
    expect(json.items.map((item: { readonly path: string }) => item.path)).toEqual(["src/a.ts"])
    expect(json).toMatchObject({ total_count: 1, incomplete_results: false })
    expect(requests.filter((one) => one.path === "/api/search").at(-1)?.body).toEqual({
      Q: String.raw`repo:"^(?:git\\.example\\.org/octo/hello)$" content:"needle" file:"(?i)(?:\\.ts|\\.cts|\\.mts|\\.tsx)$" case:no`,
      Opts: { MaxDocDisplayCount: 200, MaxWallTime: 60_000_000_000 }
    })
  })

  it("finds commits that zoekt has not indexed; searches without zoekt, and reports the reason, if it does not respond", async () => {
    const { head, path, root } = repository()
    const newer = commit(path, { "d.ts": "needle\n" }, "two")
    let works = true
    const { url } = await zoekt((to, q) => {
      if (!works) return { status: 500, body: { Error: "shards are being loaded" } }
      if (to === "/api/list") return { body: list(path, head) }
      return { body: found(q.includes("NOT-INDEXED") ? [] : [file("src/a.ts", head)]) }
    })
    const serving = await serve(root, "--code-index", url, "--search-deadline", "60000")

    const behind = await request(serving, "GET", searched("needle"))
    expect(behind.json.items.map((item: { readonly path: string }) => item.path).sort()).toEqual(["d.ts", "src/a.ts"])

    works = false
    const broken = await request(serving, "GET", searched("hay"))
    expect(broken.status).toBe(200)
    // The list of zoekt's repositories is cached for two seconds, so only the search fails.
    expect(broken.json.incomplete_results || broken.json.total_count === 1).toBe(true)
    const states = async () => (await request(serving, "GET", "/tongs/index")).json.repositories
    await expect
      .poll(states, { timeout: 20_000 })
      .toMatchObject([
        { state: "failed", commit: null, problem: expect.stringContaining("500: shards are being loaded") }
      ])
    expect((await request(serving, "GET", searched("hay"))).json).toMatchObject({
      incomplete_results: false,
      items: [{ path: "src/b.ts" }]
    })

    expect(newer).not.toBe(head)
  })

  it("searches without zoekt in repositories that zoekt does not have", async () => {
    const { root } = repository()
    const { requests, url } = await zoekt(() => ({ body: { List: { Repos: null } } }))
    const serving = await serve(root, "--code-index", url, "--search-deadline", "60000")

    const { json } = await request(serving, "GET", searched("hay"))

    expect(json).toMatchObject({ total_count: 1, items: [{ path: "src/b.ts" }] })
    expect(requests.map((one) => one.path)).not.toContain("/api/search")
  })
})
