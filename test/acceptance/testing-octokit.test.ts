/** Octokit with plugins, and Octokit's receiver of webhooks, handle the faults of a test forge. */
import { createServer } from "node:http"
import { once } from "node:events"
import { retry } from "@octokit/plugin-retry"
import { throttling } from "@octokit/plugin-throttling"
import { Octokit } from "@octokit/rest"
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks"
import { useForge } from "@tongs/testing/vitest"
import { assert, beforeEach, describe, expect, it } from "vitest"

const forge = useForge()
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const web = { owner: "acme", repo: "web" }
let commits: ReadonlyArray<string> = []

beforeEach(async () => {
  ;({ commits } = await forge.repo("acme/web").commit({ "a.txt": "1" }))
})

const newOctokit = (limits: Array<string> = []) => {
  const Client = Octokit.plugin(retry, throttling)
  const onLimit = (kind: string) => (after: number, _: object, __: object, count: number) => {
    limits.push(`${kind} ${after}`)
    return count < 2
  }
  // The waits are a thousandth of the usual ones.
  return new Client({
    baseUrl: forge.url,
    auth: forge.owner.token,
    log,
    retry: { retryAfterBaseValue: 1 },
    throttle: {
      retryAfterBaseValue: 0.001,
      fallbackSecondaryRateRetryAfter: 60,
      onRateLimit: onLimit("primary"),
      onSecondaryRateLimit: onLimit("secondary")
    }
  })
}

describe("Octokit with plugin-retry and plugin-throttling", () => {
  it("repeats requests that fail", async () => {
    forge.fail("GET /repos/{owner}/{repo}", 502, { times: 2 })
    const { data } = await newOctokit().repos.get(web)
    assert.strictEqual(data.full_name, "acme/web")
    expect(forge.requests.to("GET /repos/{owner}/{repo}").map(({ status }) => status)).toEqual([502, 502, 200])
  })

  it("gives up on a slow or silent forge, and succeeds later", async () => {
    const octokit = new Octokit({ baseUrl: forge.url, auth: forge.owner.token, log })
    const get = (timeout: number) => octokit.repos.get({ ...web, request: { signal: AbortSignal.timeout(timeout) } })
    forge.slow("GET /repos/{owner}/{repo}", "1 minute", { times: 1 })
    await expect(get(50)).rejects.toThrow("aborted due to timeout")
    forge.hang("GET /repos/{owner}/{repo}", { times: 1 })
    await expect(get(50)).rejects.toThrow("aborted due to timeout")
    assert.strictEqual((await get(60_000)).status, 200)
  })

  it("takes a response that breaks off for a success without data", async () => {
    forge.cut("PUT /repos/{owner}/{repo}/contents/{path}", { times: 1 })
    const octokit = newOctokit()
    const file = { ...web, path: "b", message: "b", content: "Yg==" }
    expect(await octokit.repos.createOrUpdateFileContents(file)).toMatchObject({ status: 201, data: "" })
    await expect(octokit.repos.createOrUpdateFileContents(file)).rejects.toMatchObject({ status: 422 })
    assert.strictEqual((await octokit.repos.listCommits(web)).data.length, 2)
  })

  it("waits for the window of the primary limit", async () => {
    const limits: Array<string> = []
    forge.limit({ remaining: 1 })
    const octokit = newOctokit(limits)
    await octokit.repos.get(web)
    await expect(octokit.repos.listBranches(web)).rejects.toMatchObject({ status: 403 })
    expect(limits.length).toBeGreaterThan(0)
    for (const limit of limits) assert.match(limit, /^primary 3[56]\d\d$/)
    forge.clock.advance("61 minutes")
    assert.strictEqual((await octokit.repos.listBranches(web)).status, 200)
  })

  it("waits for the window of the points of GraphQL, of which a query has as many as its lists are long", async () => {
    const limits: Array<string> = []
    forge.limit({ remaining: 12 })
    const octokit = newOctokit(limits)
    const query = (first: number) =>
      octokit.graphql<{ rateLimit: object }>(
        `query($first: Int) { rateLimit { cost remaining nodeCount }
          viewer { repositories(first: 100) { nodes { issues(first: $first) { nodes { labels(first: 1) { totalCount } } } } } } }`,
        { first }
      )
    expect((await query(10)).rateLimit).toEqual({ cost: 11, remaining: 1, nodeCount: 2100 })
    await expect(query(10)).rejects.toMatchObject({ data: { errors: [{ type: "RATE_LIMITED" }] } })
    expect(limits.length).toBeGreaterThan(0)
    for (const limit of limits) assert.match(limit, /^primary 3[56]\d\d$/)
    forge.clock.advance("61 minutes")
    expect((await query(10)).rateLimit).toMatchObject({ cost: 11 })
  })

  it("waits for a secondary limit as long as the header says, or the usual time without one", async () => {
    const limits: Array<string> = []
    const octokit = newOctokit(limits)
    for (const retryAfter of [1, 9999, null]) {
      forge.limit({ secondary: true, retryAfter })
      assert.strictEqual((await octokit.repos.get(web)).status, 200)
    }
    expect(limits).toEqual(["secondary 1", "secondary 9999", "secondary 60"])
  })
})

describe("@octokit/webhooks", () => {
  it("receives lost, repeated and reordered deliveries, and a lost one again", async () => {
    const webhooks = new Webhooks({ secret: "s3cret" })
    const received: Array<{ readonly id: string; readonly name: string }> = []
    webhooks.on("push", ({ id, payload }) => void received.push({ id, name: payload.ref.slice("refs/heads/".length) }))
    const receive = createNodeMiddleware(webhooks, { path: "/", log })
    const server = createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    assert(typeof address === "object" && address !== null)
    await forge.webhook("acme/web", { url: `http://127.0.0.1:${address.port}/`, secret: "s3cret" })
    const octokit = new Octokit({ baseUrl: forge.url, auth: forge.owner.token, log })
    for (const fault of ["lose", "repeat", "reorder"] as const) {
      forge.misdeliver(fault)
      await octokit.git.createRef({ ...web, ref: `refs/heads/${fault}`, sha: commits[0] ?? "" })
      await forge.settled()
    }
    await octokit.git.createRef({ ...web, ref: "refs/heads/last", sha: commits[0] ?? "" })
    await forge.settled()
    const names = () => received.map(({ name }) => name)
    await expect.poll(names).toEqual(["repeat", "repeat", "last", "reorder"])
    assert.strictEqual(received[0]?.id, received[1]?.id)

    const [hook] = (await octokit.repos.listWebhooks(web)).data
    const target = { ...web, hook_id: hook?.id ?? 0 }
    const { data: deliveries } = await octokit.repos.listWebhookDeliveries(target)
    const lost = deliveries.find(({ guid }) => received.every(({ id }) => id !== guid))
    await octokit.repos.redeliverWebhookDelivery({ ...target, delivery_id: lost?.id ?? 0 })
    await forge.settled()
    server.close()
    expect(names().at(-1)).toBe("lose")
  })
})
