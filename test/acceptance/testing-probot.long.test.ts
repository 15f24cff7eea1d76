/** An app of Probot receives a signed delivery of a test forge and answers through the API. */
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { startForge } from "@tongs/testing"
import { createNodeMiddleware, Probot, type ApplicationFunction } from "probot"
import { assert, expect, it, vi } from "vitest"

const SECRET = "s3cret"

/** Writes a file into each new branch. */
const app: ApplicationFunction = (probot) => {
  probot.on("push", async (context) => {
    const { created, ref } = context.payload
    if (!created) return
    const branch = ref.slice("refs/heads/".length)
    const target = context.repo({ path: "WELCOME.md", branch })
    await context.octokit.rest.repos.createOrUpdateFileContents({ ...target, message: "Welcome", content: "SGk=" })
  })
}

it("Probot answers a push with the token of its installation", async () => {
  await using forge = await startForge()
  const { commits } = await forge.repo("acme/web", { private: true }).commit({ "a.txt": "1" })
  const installed = await forge.app({ account: "acme", permissions: { contents: "write", metadata: "read" } })
  const probot = new Probot({
    appId: installed.id,
    privateKey: installed.privateKey,
    secret: SECRET,
    baseUrl: forge.url,
    logLevel: "fatal"
  })
  const receive = await createNodeMiddleware(app, { probot, webhooksPath: "/" })
  const server = createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  assert(typeof address === "object" && address !== null)
  await forge.webhook("acme/web", { app: installed, secret: SECRET, url: `http://127.0.0.1:${address.port}/` })

  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${forge.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const json: unknown = await response.json()
    return { status: response.status, json }
  }
  const created = await api("POST", "/repos/acme/web/git/refs", { ref: "refs/heads/fix", sha: commits[0] })
  assert.strictEqual(created.status, 201)
  await forge.settled()
  server.close()

  expect((await api("GET", "/repos/acme/web/contents/WELCOME.md?ref=fix")).json).toMatchObject({ content: "SGk=\n" })
  expect((await api("GET", "/repos/acme/web/commits?sha=fix")).json).toMatchObject([
    { commit: { message: "Welcome", author: { name: "test-app[bot]" } } },
    { sha: commits[0] }
  ])
  const tokens = forge.requests.to("POST /app/installations/{installation_id}/access_tokens")
  expect(tokens.map(({ status }) => status)).toEqual([201])
})

/** The part of Probot's setup that exchanges the code of a manifest. Probot does not export it. */
const loadSetup = async () => {
  const folder = dirname(createRequire(import.meta.url).resolve("probot"))
  const { ManifestCreation } = await import(pathToFileURL(join(folder, "manifest-creation.js")).href)
  const saved: Record<string, string> = {}
  return { saved, setup: new ManifestCreation({ updateEnv: (values: object) => Object.assign(saved, values) }) }
}

it("Probot's setup creates an app from its manifest, whose webhook Probot answers", async () => {
  await using forge = await startForge()
  const { login } = forge.owner
  await forge.repo(`${login}/web`).commit({ "a.txt": "1" })
  const { saved, setup } = await loadSetup()
  vi.stubEnv("GHE_HOST", new URL(forge.url).host)
  vi.stubEnv("GHE_PROTOCOL", "http")
  const received: Array<string> = []
  const middleware = Promise.withResolvers<Awaited<ReturnType<typeof createNodeMiddleware>>>()
  const server = createServer((request, response) => {
    void middleware.promise.then((receive) => receive(request, response))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  assert(typeof address === "object" && address !== null)
  const manifest = {
    name: "Welcome",
    url: "https://example.com",
    hook_attributes: { url: `http://127.0.0.1:${address.port}/` },
    redirect_url: "http://localhost:3000/probot/setup",
    public: true,
    default_events: ["issues"],
    default_permissions: { issues: "write" }
  }
  const post = async (url: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ ...fields, token: forge.owner.token })
    const { headers, status } = await fetch(url, { method: "POST", body, redirect: "manual" })
    return { location: headers.get("location") ?? "", status }
  }
  const created = await post(setup.createAppUrl, { manifest: JSON.stringify(manifest) })
  assert.strictEqual(created.status, 302)
  const page: string = await setup.createAppFromCode(new URL(created.location).searchParams.get("code"))
  const probot = new Probot({
    appId: saved["APP_ID"] ?? "",
    privateKey: (saved["PRIVATE_KEY"] ?? "").replaceAll('"', ""),
    secret: saved["WEBHOOK_SECRET"] ?? "",
    baseUrl: forge.url,
    logLevel: "fatal"
  })
  const receive = await createNodeMiddleware(
    (bot) => {
      bot.on("issues.opened", async (context) => {
        received.push(context.payload.issue.title)
        await context.octokit.rest.issues.createComment(context.issue({ body: "Welcome" }))
      })
    },
    { probot, webhooksPath: "/" }
  )
  middleware.resolve(receive)
  const installed = await post(`${page}/installations/new`, { account: login, selection: "all" })
  assert.strictEqual(installed.status, 200)
  const response = await fetch(`${forge.url}/repos/${login}/web/issues`, {
    method: "POST",
    headers: { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Hello" })
  })
  assert.strictEqual(response.status, 201)
  await forge.settled()
  server.close()
  vi.unstubAllEnvs()
  expect(received).toEqual(["Hello"])
  const comments = await fetch(`${forge.url}/repos/${login}/web/issues/1/comments`)
  expect(await comments.json()).toMatchObject([{ body: "Welcome", user: { login: "welcome[bot]" } }])
})
