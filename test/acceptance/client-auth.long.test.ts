/** The library with the embedded forge over sockets: an app whose tokens expire, and webhooks. */
import { generateKeyPairSync } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Octokit from "@octokit/webhooks-methods"
import { app, createForge, NotFound, type WebhookDelivery, webhooks } from "@tongs/client"
import { expect, it, onTestFinished, vi } from "vitest"
import { commit, git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { TIMEOUT } from "./TongsCommand.test-support.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const pem = (type: "pkcs1" | "pkcs8") => String(privateKey.export({ type, format: "pem" }))

it("an app outlives its tokens: they are renewed before they expire and after they are revoked", async () => {
  const root = temporaryFolder()
  writeFileSync(join(root, "public.pem"), publicKey.export({ type: "spki", format: "pem" }))
  const fixtures = {
    users: [{ login: "ada" }],
    repositories: [
      { full_name: "ada/hidden", private: true },
      { full_name: "ada/other", private: true }
    ],
    apps: [{ slug: "helper", id: 12, public_key: "public.pem" }],
    installations: [{ account: "ada", app_slug: "helper", id: 7, permissions: { metadata: "read" } }]
  }
  writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
  mkdirSync(join(root, "repos"))
  const { url } = await serve(root, "--fixtures", join(root, "fixtures.json"))

  const tokens: Array<string> = []
  const sent: Array<string | null> = []
  /** Shortens the hour of the tokens to 11 seconds, of which the client uses the first. */
  const shortened: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    sent.push(new Headers(init?.headers).get("authorization"))
    if (!new URL(new Request(input).url).pathname.endsWith("/access_tokens") || !response.ok) return response
    const body: unknown = await response.json()
    tokens.push(String(Object(body).token))
    const sentAt = Date.parse(response.headers.get("date") ?? "")
    return Response.json({ ...Object(body), expires_at: new Date(sentAt + 11_000).toISOString() }, response)
  }
  const baseUrl = `${url}/api/v3`
  const auth = app({ appId: 12, privateKey: pem("pkcs1"), installation: 7, repositories: ["hidden"] })
  await using forge = createForge({ baseUrl, auth, fetch: shortened })
  const read = () => forge.repositories.get({ owner: "ada", repo: "hidden" })
  await Promise.all([read(), forge.installations.listReposAccessibleToInstallation().first()])
  expect(tokens).toHaveLength(1)
  await expect(forge.repositories.get({ owner: "ada", repo: "other" })).rejects.toBeInstanceOf(NotFound)
  await sleep(1_100)
  await read()
  expect(tokens.length).toBeGreaterThan(1)
  expect(sent.at(-1)).not.toBe(`Bearer ${tokens[0]}`)

  await using steady = createForge({ baseUrl, auth: app({ appId: 12, privateKey: pem("pkcs8"), installation: "7" }) })
  await steady.repositories.get({ owner: "ada", repo: "other" })
  await steady.installations.revokeAccessToken()
  expect((await steady.repositories.get({ owner: "ada", repo: "other" })).full_name).toBe("ada/other")

  const asApp = createForge({ baseUrl, auth: app({ appId: 12, privateKey: pem("pkcs1") }) })
  expect((await asApp.request("GET /app")).data).toMatchObject({ id: 12, slug: "helper" })
  await asApp.close()

  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" })
  await using wrong = createForge({ baseUrl, auth: app({ appId: 12, privateKey: String(other), installation: 7 }) })
  await expect(wrong.request("GET /user")).rejects.toThrow("the forge rejected the key of app 12")
  await using absent = createForge({ baseUrl, auth: app({ appId: 12, privateKey: pem("pkcs1"), installation: 8 }) })
  await expect(absent.request("GET /user")).rejects.toThrow("app 12 has no installation 8 on this forge")
})

it("a receiver verifies deliveries, as Octokit does, while their secret is replaced", async () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const { token, url } = await serve(root, "--allow-local-webhooks")

  const received: Array<WebhookDelivery> = []
  const agreed: Array<boolean> = []
  const server = createServer((request, response) => {
    void (async () => {
      let payload = ""
      for await (const part of request.setEncoding("utf8")) payload += part
      const delivery = await webhooks.parse({ secret: ["new", "old"], headers: request.headers, payload })
      const signature = String(request.headers["x-hub-signature-256"])
      agreed.push(
        await Octokit.verifyWithFallback("new", payload, signature, ["old"]),
        (await Octokit.sign("new", payload)) === (await webhooks.sign({ secret: "new", payload })),
        await webhooks.verify({ secret: "other", payload, signature: await Octokit.sign("other", payload) }),
        !(await webhooks.verify({ secret: "none", payload, signature }))
      )
      received.push(delivery)
      response.end("thanks")
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- of a TCP server

  await using forge = createForge({ baseUrl: url, auth: token })
  const { login } = await forge.users.getAuthenticated()
  const repository = { owner: login, repo: "hello" }
  const config = { url: `http://127.0.0.1:${port}/`, content_type: "json" } as const
  const { id } = await forge.repositoryHooks.create({
    ...repository,
    config: { ...config, secret: "old" },
    events: ["create", "push"]
  })
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: TIMEOUT, interval: 20 })
  await forge.repositoryHooks.update({
    ...repository,
    hook_id: id,
    config: { ...config, content_type: "form", secret: "new" }
  })
  await forge.gitRefs.create({ ...repository, ref: "refs/heads/naïve", sha })
  await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: TIMEOUT, interval: 20 })
  expect(received.map(({ name }) => name).toSorted()).toEqual(["create", "ping", "push"])
  expect(agreed.every(Boolean)).toBe(true)
  for (const delivery of received) {
    if (delivery.name === "push")
      expect([delivery.payload.ref, delivery.payload.after]).toEqual(["refs/heads/naïve", sha])
    if (delivery.name === "create") expect(delivery.payload.ref_type).toBe("branch")
  }
})
