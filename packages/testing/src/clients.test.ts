/** Programs with Octokit use the forge, unchanged except for the base URL, or completely unchanged. */
import { createServer } from "node:http"
import { once } from "node:events"
import { createAppAuth } from "@octokit/auth-app"
import { Octokit } from "@octokit/rest"
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks"
import { afterEach, assert, describe, expect, it, vi } from "vitest"
import { useForge } from "./adapters/vitest.ts"
import { intercept } from "./intercept.ts"

const forge = useForge()

/** Octokit prints warnings and errors. */
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

afterEach(() => void vi.useRealTimers())

describe("Octokit", () => {
  it("renews the token of an app after an hour", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    const { id, installationId, privateKey } = await forge.app({ account: "acme", permissions: { contents: "write" } })
    const octokit = new Octokit({
      baseUrl: forge.url,
      log,
      authStrategy: createAppAuth,
      auth: { appId: id, privateKey, installationId }
    })
    const write = (path: string) =>
      octokit.repos.createOrUpdateFileContents({ owner: "acme", repo: "web", path, message: path, content: "Yg==" })
    const tokenRequests = () => forge.requests.to("POST /app/installations/{installation_id}/access_tokens").length
    await write("b.txt")
    await write("c.txt")
    assert.strictEqual(tokenRequests(), 1)
    // The forge's clock follows the time of this process, so both move.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 })
    await write("d.txt")
    assert.strictEqual(tokenRequests(), 2)
  })

  it("pages, and retries nothing by itself", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    for (let at = 0; at < 5; at++) await forge.repo("acme/web").branch(`topic-${at}`)
    const octokit = new Octokit({ baseUrl: forge.url, auth: forge.owner.token, log })
    const branches = await octokit.paginate(octokit.repos.listBranches, { owner: "acme", repo: "web", per_page: 2 })
    assert.strictEqual(branches.length, 6)
    assert.strictEqual(branches[0]?.commit.sha, commits[0])
    forge.fail("GET /repos/{owner}/{repo}/branches", 503, { times: 1 })
    await expect(octokit.repos.listBranches({ owner: "acme", repo: "web" })).rejects.toMatchObject({ status: 503 })
  })

  it("verifies the signatures of deliveries", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    const webhooks = new Webhooks({ secret: "s3cret" })
    const pushed: Array<string> = []
    webhooks.on("push", ({ payload }) => void pushed.push(payload.ref))
    const receive = createNodeMiddleware(webhooks, { path: "/", log })
    const server = createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    assert(typeof address === "object" && address !== null)
    await forge.webhook("acme/web", { url: `http://127.0.0.1:${address.port}/`, secret: "s3cret" })
    const octokit = new Octokit({ baseUrl: forge.url, auth: forge.owner.token, log })
    await octokit.git.createRef({ owner: "acme", repo: "web", ref: "refs/heads/new", sha: commits[0] ?? "" })
    await forge.settled()
    server.close()
    assert.deepStrictEqual(pushed, ["refs/heads/new"])
  })

  it("needs no base URL if its requests are intercepted", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    using _ = intercept(forge)
    const octokit = new Octokit({ auth: forge.owner.token, log })
    const { data } = await octokit.repos.getContent({ owner: "acme", repo: "web", path: "a.txt" })
    expect(data).toMatchObject({ name: "a.txt", content: "MQ==\n" })
    await expect(octokit.repos.get({ owner: "acme", repo: "none" })).rejects.toMatchObject({ status: 404 })
  })
})
