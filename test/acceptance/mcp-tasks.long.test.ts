/**
 * Eight tasks of an agent, with few calls and tokens: in this repository and in the demonstration. Each step takes its
 * arguments from earlier answers, like an agent would.
 */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, describe, expect, it } from "vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import { program, removeFolder } from "./TongsCommand.test-support.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Maximum number of calls, and of tokens of calls and answers, of all tasks together. */
const max = { calls: 16, tokens: 6_000 }

interface Figures {
  readonly task: string
  readonly calls: number
  readonly tokens: number
}

const figures: Array<Figures> = []
const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-tasks-"))
afterAll(() => removeFolder(home))

/** Calls a tool, and returns the text of the answer. Fails if the answer is an error. */
type Call = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<string>

/** Runs a task with a new server. */
const task = (name: string, flags: ReadonlyArray<string>, steps: (call: Call) => Promise<void>) =>
  it(name, async () => {
    const client = new Client({ name: "agent", version: "1.0.0" })
    const env = { PATH: process.env["PATH"] ?? "", HOME: home }
    const args = [program, "mcp", ...flags]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root, env }))
    let calls = 0
    let tokens = 0
    try {
      await steps(async (tool, given = {}) => {
        const result = await client.callTool({ name: tool, arguments: given })
        const content: ReadonlyArray<{ readonly text?: unknown }> = Array.isArray(result.content) ? result.content : []
        const text = content.map((part) => String(part.text)).join("\n")
        calls += 1
        tokens += countTokens(JSON.stringify({ name: tool, arguments: given })) + countTokens(text)
        expect(result.isError, text).not.toBe(true)
        return text
      })
    } finally {
      await client.close()
    }
    figures.push({ task: name, calls, tokens })
  })

/** Returns the groups of a pattern in a text. Fails if the text does not match. */
const find = (text: string, pattern: RegExp): ReadonlyArray<string> => {
  const found = pattern.exec(text)
  expect(found, `${text}\n\nmust match ${pattern}`).not.toBeNull()
  return (found ?? []).slice(1)
}

const git = (...args: ReadonlyArray<string>) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" }).trim()

const hasHistory = Number(git("rev-list", "--count", "--first-parent", "HEAD")) > 300

describe("an agent", () => {
  task("finds a definition, and reads 40 lines around it", [], async (call) => {
    const found = await call("symbols", { name: "collectionRules", kind: "definitions" })
    const [path = "", line = ""] = find(found, /^(packages\S+\.ts)\n(\d+)/m)
    const text = await call("read_file", { path, around: Number(line) })
    expect(text).toContain("const collectionRules")
    expect(text.split("\n").filter((row) => /^\s*\d+\D/.test(row)).length).toBeGreaterThanOrEqual(40)
  })

  describe.skipIf(!hasHistory)("in the history", () => {
    inLongTests(() => {
      task("summarises the changes between two commits", [], async (call) => {
        const base = git("rev-parse", "HEAD~8")
        const text = await call("compare", { base, head: "HEAD" })
        for (const subject of git("log", "--format=%s", `${base}..HEAD`).split("\n"))
          expect(text).toContain(subject.slice(0, 40))
        const [path = ""] = git("diff", "--name-only", `${base}...HEAD`).split("\n").slice(-1)
        expect(await call("compare", { base, head: "HEAD", patch: "full", path })).toContain("@@")
      })
    })

    task("finds who last changed a file", [], async (call) => {
      const path = "apps/mcp/src/text/TokenEstimate.ts"
      const text = await call("list_commits", { path, limit: 1 })
      expect(text).toContain(git("log", "-1", "--format=%H", "--", path).slice(0, 7))
      expect(text).toContain(git("log", "-1", "--format=%s", "--", path))
    })

    inLongTests(() => {
      task("counts the authors of 300 commits", [], async (call) => {
        const text = await call("list_commits", { counts: true, limit: 300 })
        const authors = git("log", "-300", "--format=%aN").split("\n")
        const [most = "", count = 0] =
          [...Map.groupBy(authors, (name) => name)]
            .map(([name, commits]) => [name, commits.length] as const)
            .toSorted((one, other) => other[1] - one[1])[0] ?? []
        find(text, new RegExp(`${count} ${most}`))
      })
    })
  })

  task("finds failed deliveries, and redelivers one", ["--demo", "--allow-writes"], async (call) => {
    const failed = await call("list_deliveries", { failed: true })
    const [delivery_id = "", hook_id = ""] = find(failed, /^(\d+) hook (\d+)/m)
    const found = await call("find_operation", { query: "redeliver a webhook delivery of a repository" })
    const [operation = ""] = find(found, /(\w+\.redeliver\w*)/)
    const done = await call("change", {
      operation,
      arguments: { hook_id: Number(hook_id), delivery_id: Number(delivery_id) }
    })
    expect(done).toMatch(/redeliver/i)
  })

  inLongTests(() => {
    task("adds up artifacts, and says which expired", ["--demo"], async (call) => {
      const text = await call("list_artifacts")
      find(text, /bytes (\d+), expired (\d+)/)
      expect(text).toMatch(/expired/)
    })
  })

  inLongTests(() => {
    task("audits the rulesets", ["--demo"], async (call) => {
      const found = await call("find_operation", { query: "list rulesets", limit: 2 })
      const [operation = ""] = find(found, /(rulesets\.list\w*)/)
      const text = await call("run_operation", { operation, arguments: { org: "north-pier" } })
      // A list has no rules, and the API has no other operation for reading the rules.
      for (const state of ["active", "evaluate", "disabled"]) find(text, new RegExp(`^\\d+\\t.*\\t${state}\\b`, "m"))
    })
  })

  task("explains why a call waits", ["--demo"], async (call) => {
    await call("list_refs")
    const limits = await call("limits")
    find(limits, /core.*?(\d+)/s)
    expect(limits).toMatch(/reset|full/)
  })

  it("needs few calls and tokens for all tasks", () => {
    const calls = figures.reduce((sum, one) => sum + one.calls, 0)
    const tokens = figures.reduce((sum, one) => sum + one.tokens, 0)
    const rows = figures.map((one) => `${one.task}: ${one.calls} calls, ${one.tokens} tokens`)
    console.info([...rows, `all: ${calls} calls, ${tokens} tokens`].join("\n"))
    expect(calls).toBeLessThanOrEqual(max.calls)
    expect(tokens).toBeLessThanOrEqual(max.tokens)
  })
})
