/** Deliveries of several processes. `crash.test.ts` covers killed processes. */
import { once } from "node:events"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it, onTestFinished, vi } from "vitest"
import { commit, temporaryFolder, git, request, serve, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import { TIMEOUT, httpServer } from "./TongsCommand.test-support.ts"
import { receiver, refOf, SECRET } from "./WebhookReceiver.test-support.ts"

/** A forge over one repository, with functions to create hooks and events. */
const start = async () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const forge = await serve(root, "--allow-local-webhooks")
  const { json: user } = await request(forge, "GET", "/user")
  const base = `/repos/${user.login}/hello`
  return {
    root,
    forge,
    hook: async (url: string): Promise<string> => {
      const config = { url, secret: SECRET, content_type: "json" }
      const { json } = await request(forge, "POST", `${base}/hooks`, { config, events: ["create"] })
      return `${base}/hooks/${json.id}`
    },
    create: (name: string) => request(forge, "POST", `${base}/git/refs`, { ref: `refs/heads/${name}`, sha })
  }
}

const deliveries = async (forge: ForgeProcess, hook: string) =>
  (await request(forge, "GET", `${hook}/deliveries?per_page=100`)).json

it("receivers that accept and never answer do not delay another one", async () => {
  const { create, forge, hook } = await start()
  const silent = await Promise.all([1, 2].map(() => httpServer(() => {})))
  const dead = await Promise.all(silent.map(hook))
  const { received, url } = await receiver()
  await hook(url)
  const names = Array.from({ length: 12 }, (_, index) => `x/${index}`)
  for (const name of names) await create(name)
  await vi.waitFor(() => expect(received).toHaveLength(names.length + 1), { timeout: TIMEOUT, interval: 20 })
  // All before the first attempt on a dead receiver times out, after ten seconds.
  for (const one of dead) expect(await deliveries(forge, one)).toEqual([])
})

it("deliveries wait for a receiver that is down, and arrive when it is back, also after a crash", async () => {
  const { create, forge, hook, root } = await start()
  const down = createServer()
  await once(down.listen(0, "127.0.0.1"), "listening")
  const { port } = down.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  down.close()
  await once(down, "close")
  const made = await hook(`http://127.0.0.1:${port}/`)
  const names = Array.from({ length: 6 }, (_, index) => `x/${index}`)
  for (const name of names) await create(name)
  // The ping and two deliveries fail; the rest waits, and the hook reports the time.
  await vi.waitFor(
    async () =>
      expect((await request(forge, "GET", made)).json.last_response).toMatchObject({
        code: 502,
        message: expect.stringMatching(/ECONNREFUSED.*, 3 failures in a row: the next attempt is in 30 seconds$/)
      }),
    { timeout: TIMEOUT, interval: 50 }
  )
  const failed = await deliveries(forge, made)
  expect(failed).toHaveLength(3)
  await forge.kill("SIGKILL")
  const refs: Array<string> = []
  const back = createHttpServer((message, response) => {
    let body = ""
    message.setEncoding("utf8").on("data", (text: string) => (body += text))
    message.on("end", () => {
      if (message.headers["x-service-event"] === "create") refs.push(JSON.parse(body).full_ref)
      response.end("ok")
    })
  })
  await once(back.listen(port, "127.0.0.1"), "listening")
  onTestFinished(() => back.close().closeAllConnections())
  const again = await serve(root, "--allow-local-webhooks")
  expect(await deliveries(again, made)).toHaveLength(3)
  // The receiver is back. A ping that a user requests is sent at once.
  await request(again, "POST", `${made}/pings`)
  await vi.waitFor(async () => expect(await deliveries(again, made)).toHaveLength(names.length + 2), {
    timeout: TIMEOUT,
    interval: 50
  })
  // The two failed deliveries are redelivered only on request.
  for (const { event, id } of failed) {
    if (event === "create") await request(again, "POST", `${made}/deliveries/${id}/attempts`)
  }
  const expected = names.map((name) => `refs/heads/${name}`)
  await vi.waitFor(() => expect(refs.toSorted()).toEqual(expected), { timeout: TIMEOUT, interval: 50 })
})

it("processes with one outbox send no delivery twice", async () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const { received, url } = await receiver()
  const all = await Promise.all([1, 2, 3].map(() => serve(root, "--allow-local-webhooks")))
  const [first] = all
  if (first === undefined) throw new Error("Expected three processes")
  const { json: user } = await request(first, "GET", "/user")
  const base = `/repos/${user.login}/hello`
  const config = { url, secret: SECRET, content_type: "json" }
  const { json: hook } = await request(first, "POST", `${base}/hooks`, { config, events: ["create"] })
  const names = Array.from({ length: 60 }, (_, index) => `refs/heads/x/${index}`)
  await Promise.all(
    names.map((ref, index) => request(all[index % 3] ?? first, "POST", `${base}/git/refs`, { ref, sha }))
  )
  // Waits for the last recorded answer: another process correctly repeats an interrupted delivery.
  const sent = async () => (await request(first, "GET", `${base}/hooks/${hook.id}/deliveries?per_page=100`)).json
  await vi.waitFor(async () => expect(await sent()).toHaveLength(names.length + 1), {
    timeout: TIMEOUT,
    interval: 100
  })
  await Promise.all(all.map((serving) => serving.kill("SIGTERM")))
  expect(
    received
      .filter(({ event }) => event === "create")
      .map(refOf)
      .toSorted()
  ).toEqual(names.toSorted())
})

it.skipIf(process.platform === "win32")(
  "a stopped process does not replace the outcome of the one that sent again",
  async () => {
    const { create, forge: stopped, hook, root } = await start()
    const other = await serve(root, "--allow-local-webhooks")
    const guids: Array<string> = []
    let answerFirst = () => {}
    const url = await httpServer(({ headers }, _, response) => {
      if (headers["x-service-event"] !== "create") return response.end("pong")
      guids.push(String(headers["x-service-delivery"]))
      if (guids.length > 1) return response.end("thanks")
      answerFirst = () => response.writeHead(500).end()
    })
    const path = await hook(url)
    await vi.waitFor(async () => expect(await deliveries(stopped, path)).toHaveLength(1), { timeout: TIMEOUT })

    // Only the first process can send the delivery.
    process.kill(other.pid, "SIGSTOP")
    await create("x")
    await vi.waitFor(() => expect(guids).toHaveLength(1), { timeout: TIMEOUT, interval: 20 })
    process.kill(stopped.pid, "SIGSTOP")
    process.kill(other.pid, "SIGCONT")
    await vi.waitFor(async () => expect(await deliveries(other, path)).toHaveLength(2), {
      timeout: TIMEOUT,
      interval: 200
    })
    const [first, second, ...others] = guids
    expect([second, others]).toEqual([first, []])

    answerFirst()
    process.kill(stopped.pid, "SIGCONT")
    await setTimeout(3000)
    const [delivery] = await deliveries(stopped, path)
    expect([delivery.guid, delivery.status, delivery.status_code, guids.length]).toEqual([first, "OK", 200, 2])
  }
)
