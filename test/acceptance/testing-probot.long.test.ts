/** An app of Probot receives a signed delivery of a test forge and answers through the API. */
import { createServer } from "node:http"
import { once } from "node:events"
import { startForge } from "@tongs/testing"
import { createNodeMiddleware, Probot, type ApplicationFunction } from "probot"
import { assert, expect, it } from "vitest"

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
