/** Wrong uses of a forge have clear errors, and tests that end early do not affect the next ones. */
import { setTimeout as wait } from "node:timers/promises"
import { assert, describe, expect, it } from "vitest"
import { useForge } from "./adapters/vitest.ts"
import { startForge } from "./index.ts"

const forge = useForge()
const other = useForge()

const headers = () => ({ authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" })

const request = (path: string) => fetch(`${forge.url}${path}`, { headers: headers() })

const post = (path: string, body: object) =>
  fetch(`${forge.url}${path}`, { method: "POST", headers: headers(), body: JSON.stringify(body) })

it("names the mistake after the end of a forge", async () => {
  const closed = await startForge()
  await closed.close()
  await closed.close()
  const message = "The forge is closed. Start another one with startForge()"
  await expect(closed.user("ann")).rejects.toThrow(message)
  await expect(closed.repo("acme/web").commit({ "a.txt": "1" })).rejects.toThrow(message)
  await expect(closed.reset()).rejects.toThrow(message)
  await expect(closed.settled()).rejects.toThrow(message)
})

it("rejects wrong times, limits and faults where they are written", () => {
  // @ts-expect-error -- no unit
  assert.throws(() => forge.clock.advance("1 fortnight"), 'Invalid duration "1 fortnight"')
  assert.throws(() => forge.clock.advance(-1), "Invalid duration -1")
  // @ts-expect-error -- no duration
  assert.throws(() => forge.slow("GET /user", "long"), 'Invalid duration "long"')
  assert.throws(() => forge.limit({}), "Invalid limit: set `remaining`")
  assert.throws(() => forge.limit({ remaining: -1 }), "Invalid remaining -1")
  // @ts-expect-error -- no fault
  assert.throws(() => forge.misdeliver("delay"), 'Invalid fault "delay": lose, repeat, reorder')
  assert.throws(() => forge.misdeliver("lose", { times: 0 }), "Invalid times 0")
  assert.throws(() => forge.fail("GET /user", 500, { probability: 2 }), "Invalid probability 2")
})

it("names an unknown option and the known ones", async () => {
  // @ts-expect-error -- unknown option
  await expect(startForge({ rateLimits: "spec" })).rejects.toThrow(
    'Unknown option "rateLimits" of startForge: use dialect, port, limits, signCommits, seed or control'
  )
  // @ts-expect-error -- unknown option
  assert.throws(() => forge.fail("GET /user", 500, { count: 1 }), 'Unknown option "count" of fail')
  // @ts-expect-error -- unknown option
  assert.throws(() => forge.limit({ left: 1 }), 'Unknown option "left" of limit')
  // @ts-expect-error -- unknown option
  await expect(forge.token({ scope: ["repo"] })).rejects.toThrow('Unknown option "scope" of token')
  // @ts-expect-error -- unknown option
  await expect(forge.app({ name: "a" })).rejects.toThrow('Unknown option "name" of app')
  // @ts-expect-error -- unknown option
  await expect(forge.webhook("acme/web", { event: "push" })).rejects.toThrow('Unknown option "event" of webhook')
  // @ts-expect-error -- unknown option
  await expect(forge.user("ann", { mail: "ann@example.com" })).rejects.toThrow("mail")
  // @ts-expect-error -- unknown option
  await expect(forge.repo("acme/web", { visibility: "private" })).rejects.toThrow("visibility")
})

it("restores only its own snapshots", async () => {
  await expect(other.restore(await forge.snapshot())).rejects.toThrow("This snapshot is of another forge")
})

it("keeps two forges of a file apart", async () => {
  await forge.repo("acme/web").commit({ "a.txt": "1" })
  const { status } = await fetch(`${other.url}/repos/acme/web`)
  assert.strictEqual(status, 404)
  assert.deepStrictEqual([forge.requests.length, other.requests.length], [0, 1])
})

describe("a reset", () => {
  it("runs one at a time", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    await Promise.all([forge.reset(), forge.reset(), forge.reset()])
    assert.strictEqual((await request("/repos/acme/web")).status, 404)
  })

  it("ends requests that wait, and lets none of them reach the next test", async () => {
    forge.slow("POST /user/repos", "1 hour")
    forge.hang("GET /user")
    const waiting = [post("/user/repos", { name: "late" }), request("/user")]
    await expect.poll(() => forge.requests.length).toBe(2)
    const ended = Promise.allSettled(waiting)
    await forge.reset()
    assert.deepStrictEqual(
      (await ended).map(({ status }) => status),
      ["rejected", "rejected"]
    )
    forge.clock.advance("2 hours")
    assert.strictEqual((await request("/repos/owner/late")).status, 404)
  })

  it("waits for requests that the forge handles", async () => {
    const creating = post("/user/repos", { name: "early", auto_init: true })
    await expect.poll(() => forge.requests.length).toBe(1)
    await forge.reset()
    assert.strictEqual((await creating).status, 201)
    assert.strictEqual((await request("/repos/owner/early")).status, 404)
  })

  it("receives no deliveries of the test before", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    await forge.webhook("acme/web")
    const { status } = await post("/repos/acme/web/git/refs", { ref: "refs/heads/fix", sha: commits[0] })
    assert.strictEqual(status, 201)
    await forge.reset()
    await forge.settled()
    await wait(50)
    assert.strictEqual(forge.webhooks.length, 0)
  })
})

it("dates responses, commits and deliveries by the clock", async () => {
  const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
  await forge.webhook("acme/web")
  forge.limit({ remaining: 10 })
  forge.clock.advance("400 days")
  const isNow = (time: string | null) => {
    assert.isBelow(Math.abs(Date.parse(time ?? "") - forge.clock.now().getTime()), 60_000, String(time))
  }
  const response = await post("/repos/acme/web/git/refs", { ref: "refs/heads/fix", sha: commits[0] })
  isNow(response.headers.get("date"))
  isNow(new Date((Number(response.headers.get("x-ratelimit-reset")) - 3600) * 1000).toISOString())
  const { commits: later } = await forge.repo("acme/web").commit({ "a.txt": "2" })
  isNow(JSON.parse(await (await request(`/repos/acme/web/git/commits/${later[0]}`)).text()).committer.date)
  await forge.settled()
  const [hook] = JSON.parse(await (await request("/repos/acme/web/hooks")).text())
  const [delivery] = JSON.parse(await (await request(`/repos/acme/web/hooks/${hook.id}/deliveries`)).text())
  isNow(delivery.delivered_at)
})
