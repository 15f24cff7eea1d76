/** A receiver of webhooks, and a forge that is killed while it tells it. Every event's delivery arrives, whatever happens to the forge's process; a repeat has the GUID of what it repeats. */
import { webcrypto } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, onTestFinished, vi } from "vitest"
import { commit, folder, git, request, serve, type Serving } from "./Serve.test-support.ts"

export const secret = "a secret that both know"

export interface Received {
  readonly event: string
  readonly guid: string
  readonly signature: string
  readonly body: string
}

/** Answers after a moment, so that a forge that is killed is often waiting for an answer. */
export const receiver = async () => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name])
      const body = Buffer.concat(chunks).toString()
      received.push({
        event: header("x-service-event"),
        guid: header("x-service-delivery"),
        signature: header("x-hub-signature-256"),
        body
      })
      setTimeout(() => response.end("thanks"), 30)
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  return { received, url: `http://127.0.0.1:${port}/` }
}

const isSigned = async ({ body, signature }: Received) => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await webcrypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify"
  ])
  return webcrypto.subtle.verify("HMAC", key, Buffer.from(signature.replace("sha256=", ""), "hex"), bytes(body))
}

/** Creates branches without a pause until the forge is gone. */
const write = async (serving: Serving, base: string, sha: string, name: string, onCreated: (ref: string) => void) => {
  try {
    for (let index = 0; ; index++) {
      const ref = `refs/heads/${name}/${index}`
      const { json, status } = await request(serving, "POST", `${base}/git/refs`, { ref, sha })
      if (status !== 201) throw new Error(JSON.stringify(json))
      onCreated(ref)
    }
  } catch (error) {
    // `fetch` fails so when the process is gone; everything else is a finding.
    if (!(error instanceof TypeError)) throw error
  }
}

export const refOf = ({ body }: Received): string => JSON.parse(body).full_ref

/** SIGKILLs the forge again and again in a stream of new branches; then each must have been told of, under one GUID. */
export const crash = async (times: number) => {
  const root = folder()
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const { received, url } = await receiver()
  const created = new Set<string>()
  let base = ""

  for (let round = 0; round < times; round++) {
    const serving = await serve(root, "--allow-local-webhooks")
    if (round === 0) {
      const { json: user } = await request(serving, "GET", "/user")
      base = `/repos/${user.login}/hello`
      const config = { url, secret, content_type: "json" }
      expect((await request(serving, "POST", `${base}/hooks`, { config, events: ["create"] })).status).toBe(201)
    }
    let left = 5 + (round % 20)
    let killed: Promise<void> | undefined
    const onCreated = (ref: string) => {
      created.add(ref)
      left -= 1
      if (left === 0) killed = serving.kill("SIGKILL")
    }
    await Promise.all(["a", "b", "c"].map((name) => write(serving, base, sha, `${name}${round}`, onCreated)))
    await killed
  }

  const serving = await serve(root, "--allow-local-webhooks")
  const branches = git(path, ["for-each-ref", "--format=%(refname)", "refs/heads"])
    .split("\n")
    .filter((ref) => ref !== "refs/heads/main")
  expect(branches).toEqual(expect.arrayContaining([...created]))
  const told = () => received.filter(({ event }) => event === "create")
  // What a killed process was sending is sent again when its lease is over: 12 seconds at most.
  await vi.waitFor(() => expect(new Set(told().map(refOf))).toEqual(new Set(branches)), {
    timeout: 30_000,
    interval: 100
  })

  const guids = new Map<string, Set<string>>()
  for (const one of told()) guids.set(refOf(one), (guids.get(refOf(one)) ?? new Set()).add(one.guid))
  expect([...guids].filter(([, known]) => known.size !== 1)).toEqual([])
  expect(new Set(told().map(({ guid }) => guid)).size).toBe(branches.length)
  expect(await Promise.all(received.map(isSigned))).not.toContain(false)

  const last = (await request(serving, "GET", `${base}/events?per_page=1`)).json
  expect(last[0].type).toBe("CreateEvent")
  await serving.kill("SIGTERM")
  const database = new DatabaseSync(join(root, "data", "forge.db"), { readOnly: true })
  onTestFinished(() => database.close())
  const count = (from: string) => database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.["count"]
  expect(count("events WHERE type = 'CreateEvent'")).toBe(branches.length)
  expect(count("ref_changes")).toBe(0)
  expect(count("deliveries WHERE status IS NULL")).toBe(0)
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
}
