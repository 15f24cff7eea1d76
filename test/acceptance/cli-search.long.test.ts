/** `tongs search` on the embedded forge, with lines, and on a remote forge, with fragments. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { temporaryFolder, shell, removeFolder } from "./TongsCommand.test-support.ts"

const files = {
  "src/greet.ts": 'import "x"\n\nexport const greet = () => "\u001b[31mahoy\u001b[0m, 世界 ahoy"\r\n',
  "src/ahoy.md": "nothing\n",
  "test/greet.test.ts": "greet()\n"
}

/** Creates a repository, and runs the command there. */
const setUp = (root: string) => {
  const path = join(root, "repos", "hello")
  mkdirSync(path, { recursive: true })
  ForgeProcess.git(path, ["init", "--quiet", "--initial-branch=main"])
  ForgeProcess.commit(path, files, "one")
  ForgeProcess.git(path, ["reset", "--quiet", "--hard"])
  const { tongs } = shell(root)
  const search = async (...args: ReadonlyArray<string>) => {
    for (;;) {
      const ran = await tongs(["search", ...args, "--repos", path, "--data", join(root, "data")])
      const output = { code: ran.code, stderr: ran.stderr, stdout: ran.stdout.toString() }
      if (!isEarly.test(output.stderr + output.stdout)) return output
    }
  }
  return { search, tongs }
}

/** The message of an incomplete search on a busy machine. The test repeats the search. */
const isEarly = /the search stopped|the index is not complete yet|"incomplete_results": true/

describe("tongs search in a pipe", () => {
  // One repository and index for all tests.
  const root = mkdtempSync(join(tmpdir(), "tongs-acceptance-"))
  const { search } = setUp(root)
  afterAll(() => removeFolder(root))

  it("prints matching lines, best file first, and the count on stderr", async () => {
    const { code, stderr, stdout } = await search("greet", "in:file")
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^[\w-]+\/hello:src\/greet\.ts:3:export const greet = \(\) => "␛\[31mahoy␛\[0m, 世界 ahoy"\n[\w-]+\/hello:test\/greet\.test\.ts:1:greet\(\)\n$/
    )
    expect(stderr).toBe("2 files, 2 matches\n")
  })

  it("accepts the explorer's query language", async () => {
    expect((await search("symbol:greet", "/=>.*ahoy/")).stdout).toMatch(/^[^\n]*src\/greet\.ts:3:[^\n]*\n$/)
    expect((await search("(nothing OR everything)", "path:*.md")).stdout).toMatch(/^[^\n]*src\/ahoy\.md:1:nothing\n$/)
    expect((await search("ahoy", "in:path")).stdout).toMatch(/^[\w-]+\/hello:src\/ahoy\.md\n$/)
  })

  it("highlights matches with --color", async () => {
    const { stdout } = await search("ahoy", "in:file", "--color")
    expect(stdout).toContain('␛[31m\u001b[33mahoy\u001b[39m␛[0m, 世界 \u001b[33mahoy\u001b[39m"\n')
  })

  it("prints at most --limit files, and mentions further ones", async () => {
    const { stderr, stdout } = await search("greet", "in:file", "--limit", "1")
    expect(stdout.split("\n")).toHaveLength(2)
    expect(stderr).toMatch(/^\d files?, \d match(es)?.*; --limit shows more\n$/)
    expect(await search("greet", "--limit", "0")).toMatchObject({ code: 2, stdout: "" })
  })

  it("prints the contract's members with --json, and those of the rich language", async () => {
    const { stdout } = await search("/ah.y/", "path:*.ts", "--json")
    const match = { text: "ahoy", indices: [33, 37] }
    expect(JSON.parse(stdout)).toMatchObject({
      total_count: 1,
      incomplete_results: false,
      items: [
        {
          name: "greet.ts",
          path: "src/greet.ts",
          sha: expect.stringMatching(/^[0-9a-f]{40}$/),
          url: expect.stringMatching(/\/contents\/src\/greet\.ts\?ref=main$/),
          repository: { name: "hello", private: true, owner: { type: "User" } },
          text_matches: [{ property: "content", fragment: expect.stringContaining("greet"), matches: [match, {}] }],
          match_count: 2,
          lines: [{ number: 3, matches: [[33, 37], expect.anything()] }]
        }
      ],
      total_is_minimum: false,
      incomplete: [],
      notes: []
    })
    const limited = JSON.parse((await search("greet", "in:file", "--json", "--limit", "1")).stdout)
    expect(limited).toMatchObject({ total_count: 2, incomplete_results: false, incomplete: ["limit"] })
    expect(limited.items).toHaveLength(1)
  })

  it("prints commits with --json", async () => {
    const { stdout } = await search("one", "type:commit", "--json")
    expect(JSON.parse(stdout)).toMatchObject({
      total_count: 1,
      items: [],
      commits: [{ repo: "hello", message: expect.stringMatching(/^one/), in_message: [[0, 3]] }]
    })
  })

  it("includes the work tree in --json, and the notes of the forge", async () => {
    const path = join(root, "repos", "hello", "draft.ts")
    writeFileSync(path, "unfinished\n")
    const { stdout } = await search("unfinished", "--json")
    rmSync(path)
    expect(JSON.parse(stdout).items).toMatchObject([{ path: "draft.ts", uncommitted: true }])
    const { notes } = JSON.parse((await search("greet", "rev:nowhere", "--json")).stdout)
    expect(notes).toEqual([expect.stringContaining("nowhere")])
  })

  inLongTests(() => {
    it("limits results with count: and --limit", async () => {
      expect((await search("greet", "in:file", "count:1")).stdout.split("\n")).toHaveLength(2)
      expect((await search("greet", "in:file", "count:1", "--limit", "9")).stdout.split("\n")).toHaveLength(2)
      expect((await search("greet", "in:file", "count:all", "--limit", "1")).stdout.split("\n")).toHaveLength(2)
      expect((await search("greet", "in:file", "count:all")).stdout.split("\n")).toHaveLength(3)
    })
  })

  it.each([
    [["nowhere"], "Search for a part of the word: it matches longer names too."],
    [["nowhere", "greet"], "A file must contain all words. Remove one, or put OR between them."],
    [["greet", "path:docs"], "Remove a qualifier."],
    [["Greet", "case:yes"], "Remove case:yes and word:yes."]
  ])("suggests other queries if %j has no result", async (words, advice) => {
    expect(await search(...words)).toEqual({ code: 0, stdout: "", stderr: `0 files, 0 matches\n${advice}\n` })
  })

  it("explains an invalid query below its text", async () => {
    const { code, stderr, stdout } = await search("日本 size:big")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/^tongs: Invalid query\.\n {2}日本 size:big\n {7}\^{8} Write a size/)
    expect((await search("(greet", "ahoy")).stderr).toMatch(/\n {2}\(greet ahoy\n {2}\^ Close this parenthesis/)
    expect((await search("author:mona", "it's")).stderr).toMatch(
      /\nTry: tongs search 'author:mona type:commit it'\\''s'\n$/
    )
  })
})

describe("tongs search over a remote forge", () => {
  it("shows lines of fragments, and reports unsupported syntax", async () => {
    const root = temporaryFolder()
    const { tongs } = setUp(root)
    const { token, url } = await ForgeProcess.serve(root, "--search-deadline", "60000")
    const search = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await tongs(["search", ...args], { env: { TONGS_URL: url, TONGS_TOKEN: token } })
      return { code, stderr, stdout: stdout.toString() }
    }

    expect(await search("ahoy")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\w-]+\/hello:src\/greet\.ts:export const greet = [^\n]*, 世界 ahoy"\n$/),
      // A slow answer is announced.
      stderr: expect.stringMatching(/^(tongs: waiting for [^\n]*\n)?1 file\n$/)
    })
    expect(await search("ahoy path:*.ts")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /\n {7}\^{9} Patterns are not supported here. Write extension:ts\.\nTry: tongs search 'ahoy extension:ts'\n$/
      )
    })
  })
})
