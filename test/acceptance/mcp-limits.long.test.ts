/** Many calls at once through `tongs mcp` on forges with rate limits: none is refused. Calls that wait say why. */
import * as Http from "node:http"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { describe, expect, it } from "vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import { serveCommits } from "./ForgeProcess.test-support.ts"
import { connectHttp, connectStdio, createWorkspace, serveHttp } from "./McpProcess.test-support.ts"
import { httpServer, sendJson, TIMEOUT } from "./TongsCommand.test-support.ts"

const CALLS = 200

const create = () => new Client({ name: "test", version: "1.0.0" })

/** Makes many different calls at once. Returns some of the answers that failed. */
const callAll = async (client: Client, where: { readonly repo?: string }) => {
  const results = await Promise.all(
    Array.from({ length: CALLS }, (_, index) =>
      client.callTool(
        { name: "list_commits", arguments: { ...where, ref: index < 100 ? "main" : "HEAD", limit: (index % 100) + 1 } },
        undefined,
        {
          timeout: TIMEOUT
        }
      )
    )
  )
  const failed = results.filter(({ isError }) => isError === true)
  return failed.slice(0, 3).map(({ content }) => JSON.stringify(content))
}

const limits = async (client: Client) =>
  JSON.stringify((await client.callTool({ name: "limits", arguments: {} })).content)

/** Starts a proxy that counts the statuses of a forge's responses. */
const proxy = (forge: string, statuses: Map<number, number>) =>
  httpServer(({ headers, method, url }, body, response) => {
    const forwarded = Http.request(new URL(url ?? "/", forge), { method, headers }, (answer) => {
      const status = answer.statusCode ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      response.writeHead(status, answer.headers)
      answer.pipe(response)
    })
    forwarded.end(body)
  })

describe("many calls at once", () => {
  it("all succeed on the embedded forge with limits of which nothing is known yet", { timeout: TIMEOUT }, async () => {
    const workspace = createWorkspace()
    const client = create()
    await connectStdio(client, workspace, ["--limits", "spec"])
    expect(await limits(client)).toContain("known yet")
    expect(await callAll(client, {})).toEqual([])
    const after = await limits(client)
    expect(after).toContain("core: 4,800 of 5,000 requests left")
    expect(after).not.toContain("Paused")
  })

  inLongTests(() => {
    it("all succeed through two servers with one token", { timeout: 2 * TIMEOUT }, async () => {
      const { base, serving } = await serveCommits(150, "--limits", "spec")
      const repo = base.replace("/repos/", "")
      const workspace = createWorkspace()
      const statuses = new Map<number, number>()
      const url = await proxy(serving.url, statuses)
      const environment = { ...workspace.environment, TONGS_URL: url, TONGS_TOKEN: serving.token }
      const [one, other] = [create(), create()]
      await connectStdio(one, { ...workspace, environment }, [])
      await connectHttp(other, await serveHttp({ ...workspace, environment }, []))
      const failed = await Promise.all([callAll(one, { repo }), callAll(other, { repo })])
      expect(failed).toEqual([[], []])
      // A refused request would be sent again, so the answers alone do not reveal refusals.
      expect([...statuses.keys()].filter((status) => status >= 400 && status !== 404)).toEqual([])
      // The servers share the cache of responses, so some requests are answered with 304.
      const total = (statuses.get(200) ?? 0) + (statuses.get(304) ?? 0)
      expect(total).toBeGreaterThanOrEqual(2 * CALLS)
      expect(await limits(one)).toContain("shares the limits")
    })
  })
})

/** A forge whose first response uses up the limit for some seconds, or whose responses are late. */
const slowForge = async (options: { readonly reset?: number; readonly delay?: number }) => {
  let reset: number | undefined
  const url = await httpServer((_, __, response) => {
    const isFirst = reset === undefined
    reset ??= Math.ceil(Date.now() / 1_000) + (options.reset ?? 0)
    response.setHeader("x-ratelimit-limit", "60")
    response.setHeader("x-ratelimit-used", isFirst ? "60" : "1")
    response.setHeader("x-ratelimit-remaining", isFirst && options.reset !== undefined ? "0" : "59")
    response.setHeader("x-ratelimit-reset", String(isFirst ? reset : reset + 3_600))
    response.setHeader("x-ratelimit-resource", "core")
    setTimeout(() => sendJson(response, 200, []), options.delay ?? 0)
  })
  const workspace = createWorkspace()
  const environment = { ...workspace.environment, TONGS_URL: url, TONGS_TOKEN: "secret" }
  const client = create()
  await connectStdio(client, { ...workspace, environment }, [])
  return client
}

interface Report {
  readonly at: number
  readonly progress: number
  readonly message?: string | undefined
}

/** Makes a call with a progress token. Returns the reports, and the time of the answer. */
const callWithProgress = async (client: Client, repo: string) => {
  const reports: Array<Report> = []
  const call = { name: "list_commits", arguments: { repo } }
  const result = await client.callTool(call, undefined, {
    timeout: TIMEOUT,
    onprogress: ({ message, progress }) => reports.push({ at: performance.now(), progress, message })
  })
  const answered = performance.now()
  expect(result.isError).not.toBe(true)
  // A later report would be an error of the client, which knows the token only until the answer.
  const errors: Array<Error> = []
  client.onerror = (error) => errors.push(error) // oxlint-disable-line unicorn/prefer-add-event-listener -- the client is no event target
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(errors).toEqual([])
  expect(reports.every(({ at }) => at <= answered)).toBe(true)
  for (const [index, { progress }] of reports.entries())
    expect(progress).toBeGreaterThan(reports[index - 1]?.progress ?? 0)
  return reports.map(({ message }) => message ?? "")
}

describe("a call with a progress token", () => {
  it("says that it waits for a slow forge, and until when", { timeout: TIMEOUT }, async () => {
    const messages = await callWithProgress(await slowForge({ delay: 3_500 }), "octo/hello")
    expect(messages.length).toBeGreaterThan(1)
    expect(messages.length).toBeLessThan(6)
    expect(messages[0]).toMatch(/^Waits for the forge: 1 s so far, until \d{4}-\d\d-\d\dT[\d:.]+Z at most\.$/)
  })

  it("says that it waits for the rate limit, and until when", { timeout: TIMEOUT }, async () => {
    const client = await slowForge({ reset: 5 })
    await callWithProgress(client, "octo/hello")
    const messages = await callWithProgress(client, "octo/other")
    expect(messages[0]).toMatch(/because the requests of core are used up: sent in \d s/)
  })

  it("says nothing about a quick call", { timeout: TIMEOUT }, async () => {
    expect(await callWithProgress(await slowForge({}), "octo/hello")).toEqual([])
  })
})
