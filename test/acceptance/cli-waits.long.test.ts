/** A command that waits for a remote forge says on stderr why, for how long, and how to stop the command. */
import { expect, it } from "vitest"
import { type Handler, httpServer, sendJson, shell, type Options } from "./TongsCommand.test-support.ts"

const STOPS = "Ctrl-C stops."

/** Runs a command against a forge. With `stopsAtLine`, interrupts the command as soon as stderr has a whole line. */
const run = async (handler: Handler, { stopsAtLine = false } = {}) => {
  const url = await httpServer(handler)
  const { tongs } = shell()
  const options: Options = {
    env: { TONGS_TOKEN: "x" },
    ...(stopsAtLine ? { watch: (stderr, kill) => void (stderr.includes("\n") && kill("SIGINT")) } : {})
  }
  return { host: new URL(url).host, list: () => tongs(["branches", "list", "o/r", "--url", url], options) }
}

it("names the rate limit that it waits for", async () => {
  const { host, list } = await run(
    (_, __, response) => {
      response.setHeader("x-ratelimit-limit", "60")
      response.setHeader("x-ratelimit-remaining", "0")
      response.setHeader("x-ratelimit-reset", "9999999999") // in the year 2286
      sendJson(response, 403, { message: "API rate limit exceeded" })
    },
    { stopsAtLine: true }
  )
  const refused = await list()
  expect(refused.stderr).toContain("the forge asks for a wait of")
  const waiting = await list()
  expect(waiting.stderr).toMatch(
    new RegExp(
      `^tongs: waiting for ${host}: rate limit \\(pause after a refusal\\) lifts in \\d+ seconds; ${STOPS}\\n$`
    )
  )
  expect(waiting.code).toBe(130)
})

it("says that it repeats a request", async () => {
  const { host, list } = await run((_, __, response) => sendJson(response, 502, { message: "Bad gateway" }))
  const { code, stderr } = await list()
  const [first, ...rest] = stderr.trimEnd().split("\n")
  expect(first).toBe(`tongs: waiting for ${host}: status 502, trying again for up to 60 s; ${STOPS}`)
  expect(rest).toHaveLength(1)
  expect(rest[0]).toContain("Bad gateway")
  expect(code).toBe(1)
})

it("says that the forge has not answered", async () => {
  const { host, list } = await run(() => {}, { stopsAtLine: true })
  const { code, stderr } = await list()
  expect(stderr).toBe(`tongs: waiting for ${host}: no answer after 2 s, waiting up to 60 s; ${STOPS}\n`)
  expect(code).toBe(130)
})

it("says nothing about an answer in time", async () => {
  const { list } = await run((_, __, response) => sendJson(response, 200, []))
  expect(await list()).toMatchObject({ code: 0, stderr: "" })
})

it("names the host of a failed connection", async () => {
  const { tongs } = shell()
  const { stderr } = await tongs(["branches", "list", "o/r", "--url", "http://127.0.0.1:1"])
  expect(stderr).toContain("no answer from 127.0.0.1:1 (bad port). Check the URL and the network")
  const unknown = await tongs(["branches", "list", "o/r", "--url", "http://tongs.invalid"])
  expect(unknown.stderr).toContain("tongs.invalid)")
  expect(unknown.code).toBe(1)
})
