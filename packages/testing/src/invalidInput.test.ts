/** Values that once stopped the process, failed later without a reason, or were changed without an error. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, expect, it } from "vitest"
import { useForge } from "./adapters/vitest.ts"

const forge = useForge({ control: true })

const statusOf = async (path: string) => (await fetch(`${forge.url}${path}`)).status

const post = async (operation: string, body: string) => {
  const response = await fetch(`${forge.url}/_test/${operation}`, { method: "POST", body })
  return { status: response.status, text: await response.text() }
}

it("receives requests to the inbox that are no deliveries", async () => {
  assert.strictEqual((await post("webhooks", "{")).status, 204)
  assert.strictEqual((await post("webhooks", "")).status, 204)
  assert.deepStrictEqual(
    forge.webhooks.map(({ body, payload }) => [body, payload]),
    [
      ["{", undefined],
      ["", undefined]
    ]
  )
})

it("rejects headers that HTTP does not allow, where they are written", async () => {
  assert.throws(() => forge.fail("GET /user", 500, { headers: { "retry after": "1" } }), /retry after/)
  assert.throws(() => forge.fail("GET /user", 500, { headers: { "retry-after": "1\n2" } }), /retry-after/)
  const { status } = await post("fail", '{"route": "GET /user", "status": 500, "headers": {"a b": "c"}}')
  assert.strictEqual(status, 422)
  assert.strictEqual(await statusOf("/users/owner"), 200)
})

it.each(["__proto__", "constructor", "toString"])("names the unknown field %s", async (name) => {
  const { status, text } = await post("reset", `{"${name}": 1}`)
  assert.strictEqual(status, 422)
  expect(JSON.parse(text)).toEqual({ message: `Unknown field "${name}": use no fields` })
})

it("reads a body with a byte order mark", async () => {
  assert.strictEqual((await post("reset", "\uFEFF{}")).status, 204)
})

it("rejects files that git would change or omit", async () => {
  const repo = forge.repo("acme/web")
  assert.throws(() => void repo.commit({ a: "1", "a/b": "2" }), 'Invalid path "a": also a folder of other files')
  assert.throws(() => void repo.commit({ "a\0b": "1" }), "Invalid path")
  // @ts-expect-error -- a number is no content
  assert.throws(() => void repo.commit({ a: 1 }), 'Invalid content of "a"')
  assert.throws(() => void repo.commit({}, { author: "Ann\0 <ann@example.com>" }), "Invalid author")
  await expect(forge.artifact("acme/web", { a: "1", "a/b": "2" })).rejects.toThrow('Invalid path "a"')
  const moved = await repo.commit({ a: "1" }).commit({ a: null, "a/b": "2" })
  assert.strictEqual(moved.commits.length, 2)
})

it("says why git refuses a branch", async () => {
  await forge.repo("acme/web").commit({ a: "1" }).branch("fix").commit({ b: "1" })
  await expect(forge.repo("acme/web").branch("fix/a")).rejects.toThrow(/^Cannot change acme\/web: .*'refs\/heads\/fix'/)
  await expect(forge.repo("acme/web").branch("fix")).rejects.toThrow("extend it by commit(files, { branch })")
  const { status } = await post("branch", '{"fullName": "acme/web", "name": "main/x"}')
  assert.strictEqual(status, 422)
})

it("adds concurrent commits to a branch", async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index)
  await Promise.all(numbers.map((number) => forge.repo("acme/web").commit({ [`${number}.txt`]: "1" })))
  const response = await fetch(`${forge.url}/repos/acme/web/contents`)
  expect(await response.json()).toHaveLength(numbers.length)
})

it("plans any number of delivery faults", () => {
  forge.misdeliver("lose", { times: 1e9 })
})

it("advances the clock by fractions, and at most to the year 9999", async () => {
  forge.clock.advance(0.5)
  forge.clock.advance("0.0001 millis")
  await forge.repo("acme/web").commit({ a: "1" })
  assert.strictEqual(await statusOf("/repos/acme/web"), 200)
  assert.throws(() => forge.clock.advance("3650000 days"), "the clock ends with the year 9999")
  assert.throws(() => forge.clock.advance(1e300), "the clock ends")
  forge.clock.advance("36500 days")
  await forge.repo("acme/web").commit({ a: "2" })
  assert.strictEqual(await statusOf("/repos/acme/web"), 200)
})

it("restores only snapshots", async () => {
  // @ts-expect-error -- an object is no snapshot
  await expect(forge.restore({})).rejects.toThrow("This is no snapshot")
})

it("does not wait for a receiver that does not answer, when it is reset", async () => {
  const receiver = createServer(() => {}).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  assert(typeof address === "object" && address !== null)
  const { commits } = await forge.repo("acme/web").commit({ a: "1" })
  await forge.webhook("acme/web", { url: `http://127.0.0.1:${address.port}/` })
  const arrived = once(receiver, "request")
  await fetch(`${forge.url}/repos/acme/web/git/refs`, {
    method: "POST",
    headers: { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" },
    body: JSON.stringify({ ref: "refs/heads/fix", sha: commits[0] })
  })
  await arrived
  await forge.reset()
  assert.strictEqual(await statusOf("/repos/acme/web"), 404)
  receiver.closeAllConnections()
  receiver.close()
})

it("gives a path in which git works", async () => {
  const { commits, path } = await forge.repo("acme/web").commit({ a: "1" })
  assert.strictEqual(execFileSync("git", ["-C", path, "rev-parse", "HEAD"], { encoding: "utf8" }).trim(), commits[0])
  assert.strictEqual((await forge.repo("acme/web")).path, path)
})
