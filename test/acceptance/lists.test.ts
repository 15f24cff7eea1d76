/** Long lists: concurrent pages in order, with progress. */
import { execFileSync } from "node:child_process"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { sendJson, TIMEOUT, shell, program, httpServer } from "./TongsCommand.test-support.ts"

const PAGES = 4

/** A forge with a list of four pages. Sends pages 2 to 4 only after all are requested, or after `open`. */
const forge = async () => {
  const held: Array<() => void> = []
  let isOpen = false
  const requests: Array<string> = []
  const answer = (response: ServerResponse, url: URL, page: number) => {
    const link = (to: number) => {
      url.searchParams.set("page", String(to))
      return url.href
    }
    if (page < PAGES) response.setHeader("link", `<${link(page + 1)}>; rel="next", <${link(PAGES)}>; rel="last"`)
    const branch = (index: number) => ({ name: `b${page}-${index}`, commit: { sha: "1".repeat(40), url: "" } })
    sendJson(
      response,
      200,
      Array.from({ length: 100 }, (_, index) => ({ ...branch(index), protected: false }))
    )
  }
  const open = () => {
    isOpen = true
    // The last page arrives first.
    for (const give of held.toReversed()) give()
  }
  const url = await httpServer(({ headers, url = "" }, _, response) => {
    requests.push(url)
    const to = new URL(url, `http://${headers.host}`)
    const page = Number(to.searchParams.get("page") ?? 1)
    if (page === 1 || isOpen) return answer(response, to, page)
    held.push(() => answer(response, to, page))
    if (held.length === PAGES - 1) open()
  })
  return { requests, open, url }
}

const names = (stdout: Buffer) =>
  JSON.parse(stdout.toString()).map(({ name }: { readonly name: string }): string => name)
const all = Array.from({ length: PAGES * 100 }, (_, index) => `b${Math.floor(index / 100) + 1}-${index % 100}`)

describe("a list of many pages", () => {
  it.each([
    [["branches", "list", "octo/hello", "--all", "--json"], all],
    [["branches", "list", "octo/hello", "--limit", "350", "--json"], all.slice(0, 350)],
    [["api", "--paginate", "/repos/octo/hello/branches"], all]
  ])("is read several at a time, and printed in its order: %j", async (args, expected) => {
    const { requests, url } = await forge()
    const ran = await shell().tongs([...args, "--url", url])
    expect([ran.code, ran.stderr]).toEqual([0, ""])
    expect(names(ran.stdout)).toEqual(expected)
    expect(requests).toHaveLength(PAGES)
  })

  it("has at most --limit items, without surplus requests", async () => {
    const { requests, url } = await forge()
    const ran = await shell().tongs(["branches", "list", "octo/hello", "--limit", "100", "--json", "--url", url])
    expect(names(ran.stdout)).toEqual(all.slice(0, 100))
    expect(requests).toHaveLength(1)
  })

  it.skipIf(!hasPrograms("tmux"))("shows its progress in a terminal, and clears it (needs tmux)", async () => {
    const { open, url } = await forge()
    const { home } = shell()
    const tmux = (...args: ReadonlyArray<string>) =>
      execFileSync("tmux", ["-S", join(home, "tmux"), "-f", "/dev/null", ...args], {
        env: { PATH: process.env["PATH"], HOME: home, TERM: "screen-256color" },
        encoding: "utf8"
      })
    const command = `"${process.execPath}" "${program}" branches list octo/hello --limit 150 --url ${url}`
    const script = `${command} | tail -1; sleep 60`
    tmux("new-session", "-d", "-x", "80", "-y", "5", "-c", home, "sh", "-c", script)
    onTestFinished(() => void tmux("kill-server"))
    const screen = () => tmux("capture-pane", "-p").trim()
    await expect.poll(screen, { timeout: TIMEOUT }).toBe("100 items, page 1 of 2 …")
    open()
    await expect.poll(screen, { timeout: TIMEOUT }).toMatch(/^b2-49 +1{40} +false$/)
  })
})
