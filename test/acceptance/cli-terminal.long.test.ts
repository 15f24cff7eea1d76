/** Commands in a pseudo-terminal: tables that fit, the pager, and the way both end. */
import { spawn } from "@lydell/node-pty"
import Xterm from "@xterm/headless"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, httpServer, program, sendJson, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

interface Options {
  readonly columns?: number
  readonly env?: NodeJS.ProcessEnv
}

const ROWS = 12

const signature = { name: "Ada Lovelace 霧笛", email: "ada@example.com", date: "2026-01-02T03:04:05Z" }

const SHA = "aa218f56b14c9653891f9e74264a383fa43fefbd"

const commit = {
  ...Object.fromEntries(["url", "node_id", "html_url", "comments_url"].map((name) => [name, ""])),
  sha: SHA,
  commit: {
    url: "",
    author: signature,
    committer: signature,
    message: `霧笛 ${"and a long subject ".repeat(6)}\n\nBody`,
    comment_count: 0,
    tree: { sha: SHA, url: "" }
  },
  author: null,
  committer: null,
  parents: []
}

/** Starts a forge with six commits and twenty branches. */
const forge = () =>
  httpServer((request, _, response) =>
    sendJson(
      response,
      200,
      request.url?.includes("/commits") === true
        ? Array.from({ length: 6 }, () => commit)
        : Array.from({ length: 20 }, (_, n) => ({ name: `b-${n}`, commit: { sha: SHA, url: "" }, protected: false }))
    )
  )

/** Runs `tongs` in a terminal of 12 rows. */
const open = async (args: ReadonlyArray<string>, { columns = 80, env = {} }: Options = {}) => {
  const url = await forge()
  const terminal = new Xterm.Terminal({ cols: columns, rows: ROWS, scrollback: 1000, allowProposedApi: true })
  const pty = spawn(process.execPath, [program, ...args, "--repo", "octo/hello", "--url", url], {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows: ROWS,
    cwd: temporaryFolder(),
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(), TZ: "UTC", LC_ALL: "C.UTF-8", ...compileCache, ...env }
  })
  let code: number | undefined
  let raw = ""
  pty.onData((text) => {
    raw += text
    terminal.write(text)
  })
  pty.onExit(({ exitCode }) => (code = exitCode))
  onTestFinished(() => {
    if (code === undefined) pty.kill("SIGKILL")
  })
  const lines = () => {
    const { buffer } = terminal
    return Array.from(
      { length: buffer.active.length },
      (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? ""
    )
  }
  const waitFor = (holds: () => boolean) => vi.waitUntil(holds, { timeout: TIMEOUT, interval: 20 })
  return {
    press: (keys: string) => pty.write(keys),
    lines,
    raw: () => raw,
    waitFor,
    exitCode: async () => {
      await waitFor(() => code !== undefined)
      // The emulator draws later than the program ends.
      await new Promise<void>((resolve) => terminal.write("", resolve))
      return code
    }
  }
}

describe("a list", () => {
  for (const columns of [60, 80, 200]) {
    it(`fits a terminal of ${columns} columns`, async () => {
      const terminal = await open(["commits", "list", "--limit", "6"], { columns })
      expect(await terminal.exitCode()).toBe(0)
      const lines = terminal.lines().filter((line) => line !== "")
      expect(lines[0]).toMatch(/^SHA +SUBJECT +AUTHOR +AGE$/)
      // A wrapped line would be two.
      expect(lines).toHaveLength(7)
      for (const line of lines.slice(1)) expect(line).toMatch(/^[0-9a-f]{7} .* ago$/)
      expect(lines.some((line) => line.includes("…"))).toBe(columns < 200)
    })
  }

  it("has help that is wrapped at the width of the terminal", async () => {
    const widest = async (columns: number) => {
      const terminal = await open(["serve", "--help"], { columns, env: { NO_COLOR: "1" } })
      expect(await terminal.exitCode()).toBe(0)
      const lines = terminal.raw().split("\r\n")
      expect(lines.join(" ")).toContain("--port")
      return Math.max(...lines.filter((line) => !line.startsWith("  tongs ")).map(({ length }) => length))
    }
    expect(await widest(60)).toBeLessThanOrEqual(60)
    expect(await widest(80)).toBeLessThanOrEqual(80)
    const wide = await widest(200)
    expect(wide).toBeGreaterThan(80)
    expect(wide).toBeLessThanOrEqual(120)
  })

  it("has no colours with NO_COLOR, --no-color and a dumb terminal", async () => {
    const rawOf = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => {
      const terminal = await open(["branches", "list", "--limit", "2", ...args], { env })
      await terminal.exitCode()
      return terminal.raw()
    }
    expect(await rawOf([], {})).toContain("\u001b[2m")
    for (const [args, env] of [
      [[], { NO_COLOR: "1" }],
      [["--no-color"], {}],
      [[], { TERM: "dumb" }]
    ] as const) {
      expect(await rawOf(args, env)).not.toContain("\u001b[2m")
    }
  })
})

describe.skipIf(!hasPrograms("less"))("the pager (needs less)", () => {
  const list = ["branches", "list", "--limit", "20"]

  it("shows long output, and ends quietly with q, also after Ctrl-C", { timeout: TIMEOUT }, async () => {
    for (const [keys, code] of [
      ["q", 0],
      ["\u0003", 130]
    ] as const) {
      const terminal = await open(list)
      const prompts = () => terminal.raw().split(/\n:\u001b\[K/).length - 1
      await terminal.waitFor(() => prompts() === 1)
      terminal.press(keys)
      if (keys !== "q") {
        // less handles Ctrl-C, and draws the prompt again.
        await terminal.waitFor(() => prompts() > 1)
        terminal.press("q")
      }
      expect(await terminal.exitCode()).toBe(code)
      expect(terminal.lines().join("\n")).not.toMatch(/tongs:|Error|EPIPE/)
    }
  })

  it("is not started for output that fits, and shows JSON", async () => {
    const short = await open(["branches", "list", "--limit", "3"], { env: { TONGS_PAGER: "echo pager; cat" } })
    expect(await short.exitCode()).toBe(0)
    expect(short.raw()).not.toContain("pager")
    const json = await open([...list, "--json"], { env: { TONGS_PAGER: "echo pager; cat" } })
    expect(await json.exitCode()).toBe(0)
    expect(json.raw()).toMatch(/^pager\r\n\[\r\n/)
  })

  it("is $TONGS_PAGER, else $PAGER, and none if it is empty or cannot be started", async () => {
    const rawWith = async (env: NodeJS.ProcessEnv) => {
      const terminal = await open(list, { env })
      expect(await terminal.exitCode()).toBe(0)
      return terminal.raw()
    }
    expect(await rawWith({ PAGER: "echo one; cat" })).toMatch(/^one\r\n/)
    expect(await rawWith({ PAGER: "echo one; cat", TONGS_PAGER: "echo two; head -n 3" })).toMatch(
      /^two\r\n(.*\r\n){3}$/
    )
    for (const pager of ["", "cat", "no-such-program"]) {
      expect(await rawWith({ TONGS_PAGER: pager })).toContain("b-19")
    }
  })
})
