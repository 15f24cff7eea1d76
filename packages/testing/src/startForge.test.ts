/** A forge for tests, used with plain requests, like a program would. */
import { createHmac } from "node:crypto"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, afterEach, assert, describe, expect, it } from "vitest"
import { type ForgeOptions, startForge, type TestForge } from "./index.ts"

const run = promisify(execFile)
const forge = await startForge()
afterEach(() => forge.reset())
afterAll(() => forge.close())

/** Sends a request, by default with the token of the owner. */
const send = async (method: string, path: string, body?: unknown, token: string | null = forge.owner.token) => {
  const response = await fetch(`${forge.url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  const json: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, json, text }
}

const statusOf = async (path: string, token?: string | null) => (await send("GET", path, undefined, token)).status

describe("builders", () => {
  it("creates a history with branches, tags, authors and dates", async () => {
    const repository = await forge
      .repo("acme/web", { description: "A page" })
      .commit({ "README.md": "hi", 'docs/"quoted" ü.md': "text" }, { message: "Start" })
      .tag("v1", "First version")
      .branch("fix")
      .commit(
        { 'docs/"quoted" ü.md': null },
        { author: "Ann <ann@example.com>", date: new Date("2020-02-03T04:05:06Z") }
      )
    assert.strictEqual(repository.commits.length, 2)
    const fix = await send("GET", "/repos/acme/web/commits/fix")
    assert.strictEqual(fix.status, 200)
    expect(fix.json).toMatchObject({
      sha: repository.commits[1],
      parents: [{ sha: repository.commits[0] }],
      commit: { author: { name: "Ann", date: "2020-02-03T04:05:06Z" } },
      files: [{ filename: 'docs/"quoted" ü.md', status: "removed" }]
    })
    expect((await send("GET", "/repos/acme/web/tags")).json).toMatchObject([
      { name: "v1", commit: { sha: repository.commits[0] } }
    ])
  })

  it("extends an existing repository, and creates one from a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongs-folder-"))
    writeFileSync(join(folder, "main.c"), "int main;\n")
    const first = await forge.repo("acme/web").folder(folder)
    rmSync(folder, { recursive: true })
    const second = await forge.repo("acme/web").commit({ "next.txt": "2" })
    expect((await send("GET", "/repos/acme/web/commits")).json).toMatchObject([
      { sha: second.commits[0] },
      { sha: first.commits[0] }
    ])
  })

  it("serves clones and pushes of git", async () => {
    const { cloneUrl } = await forge.repo("acme/web").commit({ "a.txt": "one" })
    const folder = mkdtempSync(join(tmpdir(), "tongs-clone-"))
    const url = cloneUrl.replace("://", `://x:${forge.owner.token}@`)
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"]
      })
    // Does not block this process, so that the forge here can answer.
    await run("git", ["clone", "--quiet", url, "."], { cwd: folder })
    git("commit", "--quiet", "--allow-empty", "--message", "Pushed")
    await run("git", ["push", "--quiet"], { cwd: folder })
    expect((await send("GET", "/repos/acme/web/commits")).json).toMatchObject([{ commit: { message: "Pushed" } }, {}])
    rmSync(folder, { recursive: true })
  })

  it("creates users, organizations and tokens with their access", async () => {
    const ann = await forge.user("ann", { name: "Ann" })
    await forge.organization("acme", { members: ["ann"] })
    await forge.repo("ann/secret", { private: true }).commit({ "a.txt": "1" })
    expect((await send("GET", "/user", undefined, ann.token)).json).toMatchObject({ login: "ann", name: "Ann" })
    assert.strictEqual(await statusOf("/repos/ann/secret", ann.token), 200)
    assert.strictEqual(await statusOf("/repos/ann/secret", null), 404)
    const reader = await forge.token({ user: "ann", permissions: { contents: "read", metadata: "read" } })
    assert.strictEqual(await statusOf("/repos/ann/secret/contents/a.txt", reader), 200)
    const write = await send("PUT", "/repos/ann/secret/contents/b.txt", { message: "b", content: "Yg==" }, reader)
    assert.strictEqual(write.status, 403)
    for (const kind of ["classic", "oauth", "app_user"] as const) {
      assert.strictEqual(await statusOf("/user", await forge.token({ user: "ben", kind })), 200)
    }
    const job = await forge.token({ user: "ann", kind: "workflow", permissions: { contents: "read" } })
    assert.strictEqual(await statusOf("/repos/ann/secret/contents/a.txt", job), 200)
  })

  it("creates collaborators, invitations and notifications", async () => {
    await forge.organization("acme", { members: ["ann"] })
    await forge.repo("acme/private", { private: true }).commit({ "a.txt": "1" })
    const { number } = await forge.issue("acme/private", "Broken", { user: "ann" })
    const cleo = await forge.user("cleo")
    await forge.invitation("acme/private", "cleo", { inviter: "ann", permission: "read" })
    await forge.invitation("acme", "cleo")
    expect((await send("GET", "/user/repository_invitations", undefined, cleo.token)).json).toMatchObject([
      { permissions: "read", inviter: { login: "ann" } }
    ])
    expect((await send("GET", "/user/memberships/orgs/acme", undefined, cleo.token)).json).toMatchObject({
      state: "pending"
    })
    await forge.notification("cleo", "acme/private", number, { reason: "mention" })
    const inbox = async () => (await send("GET", "/notifications", undefined, cleo.token)).json
    assert.deepStrictEqual(await inbox(), [])
    await forge.collaborator("acme/private", "cleo", "triage")
    expect(await inbox()).toMatchObject([{ reason: "mention", unread: true, subject: { title: "Broken" } }])
    expect((await send("GET", "/repos/acme/private", undefined, cleo.token)).json).toMatchObject({
      permissions: { triage: true, push: false }
    })
  })

  it("creates an app, whose tokens end after an hour", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    const app = await forge.app({ account: "acme", permissions: { contents: "write" } })
    assert.match(app.privateKey, /^-----BEGIN PRIVATE KEY-----/)
    const token = await app.token()
    assert.strictEqual(await statusOf("/installation/repositories", token), 200)
    forge.clock.advance("61 minutes")
    assert.strictEqual(await statusOf("/installation/repositories", token), 401)
  })

  it("creates rulesets, comments, artifacts and usage from short descriptions", async () => {
    await forge.organization("acme", { plan: "enterprise_cloud" })
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    await forge.ruleset("acme", [{ type: "branch_name_pattern", parameters: { operator: "contains", pattern: "/" } }])
    const refused = await send("POST", "/repos/acme/web/git/refs", { ref: "refs/heads/fix", sha: commits[0] })
    assert.strictEqual(refused.status, 422)
    await forge.comment("acme/web", "Good", { user: "ann", path: "a.txt", line: 1 })
    expect((await send("GET", "/repos/acme/web/comments")).json).toMatchObject([
      { body: "Good", path: "a.txt", line: 1, commit_id: commits[0], user: { login: "ann" } }
    ])
    await forge.status("acme/web", "failure", { context: "ci", creator: "cem" })
    await forge.status("acme/web", "success", { context: "ci", sha: commits[0] })
    await forge.status("acme/web", "failure", { context: "ci", creator: "cem" })
    await forge.checkRun("acme/web", "lint", { conclusion: "neutral", title: "Two remarks" })
    expect((await send("GET", "/repos/acme/web/commits/main/status")).json).toMatchObject({
      state: "failure",
      statuses: [{ context: "ci" }]
    })
    expect((await send("GET", "/repos/acme/web/commits/main/check-runs")).json).toMatchObject({
      check_runs: [{ name: "lint", conclusion: "neutral", app: { slug: "checker" }, output: { title: "Two remarks" } }]
    })
    await expect(forge.status("acme/web", "success", { sha: "nothing" })).rejects.toThrow("no commit")
    const id = await forge.deployment("acme/web", { state: "success", environment: "staging", creator: "cem" })
    expect((await send("GET", `/repos/acme/web/deployments/${id}`)).json).toMatchObject({
      environment: "staging",
      creator: { login: "cem" }
    })
    await forge.secret("acme/web", "token", "hidden", { environment: "staging" })
    await forge.variable("acme/web", "region", "eu")
    expect((await send("GET", "/repos/acme/web/environments/staging/secrets")).json).toMatchObject({ total_count: 1 })
    expect((await send("GET", "/repos/acme/web/actions/variables/REGION")).json).toMatchObject({ value: "eu" })
    await forge.label("acme/web", "urgent", { color: "ff0000" })
    await forge.milestone("acme/web", "First", { dueOn: new Date("2030-01-01T00:00:00Z") })
    await forge.issue("acme/web", "Broken", { user: "ann", labels: ["urgent"], milestone: "First", number: 7 })
    await forge.comment("acme/web", "Where exactly?", { issue: 7, user: "bob" })
    await forge.repo("acme/web").branch("topic").commit({ "b.txt": "2" })
    const pull = await forge.pullRequest("acme/web", "topic", { user: "ann", draft: true })
    expect((await send("GET", `/repos/acme/web/pulls/${pull.number}`)).json).toMatchObject({
      title: "topic",
      draft: true,
      commits: 1,
      head: { label: "acme:topic" },
      user: { login: "ann" }
    })
    await forge.review("acme/web", pull.number, "APPROVED", { body: "Good" })
    await forge.thread("acme/web", pull.number, "Why two?", {
      path: "b.txt",
      line: 1,
      replies: [{ body: "Because", user: "ann" }],
      resolvedBy: "ann"
    })
    expect((await send("GET", `/repos/acme/web/pulls/${pull.number}/reviews`)).json).toMatchObject([
      { state: "APPROVED", body: "Good", user: { login: "reviewer" } },
      { state: "COMMENTED" },
      { state: "COMMENTED", user: { login: "ann" } }
    ])
    expect((await send("GET", `/repos/acme/web/pulls/${pull.number}/comments`)).json).toMatchObject([
      { line: 1, body: "Why two?", user: { login: "reviewer" } },
      { line: 1, body: "Because", user: { login: "ann" } }
    ])
    await expect(forge.thread("acme/web", pull.number, "x", { path: "b.txt", line: 9 })).rejects.toThrow(
      "part of the diff"
    )
    await expect(forge.pullRequest("acme/web", "nothing")).rejects.toThrow("no branch")
    await expect(forge.comment("acme/web", "x", { issue: 7, line: 1 })).rejects.toThrow("has no line")
    const { json: issue } = await send("GET", "/repos/acme/web/issues/7")
    expect(issue).toMatchObject({
      title: "Broken",
      comments: 1,
      user: { login: "ann" },
      labels: [{ name: "urgent" }],
      milestone: { title: "First", due_on: "2030-01-01T00:00:00Z", open_issues: 1 }
    })
    const found = await send("GET", "/search/issues?q=exactly")
    expect(found.json).toMatchObject({ total_count: 1, items: [{ number: 7 }] })
    await forge.release("acme/web", "v1", { name: "One", body: "Notes", author: "ann", assets: { "a.txt": "one" } })
    const assets = [{ name: "a.txt", size: 3, uploader: { login: "ann" } }]
    expect((await send("GET", "/repos/acme/web/releases")).json).toMatchObject([
      { tag_name: "v1", name: "One", author: { login: "ann" }, assets }
    ])
    await forge.artifact("acme/web", { "report/index.html": "<p>" }, { name: "report", run: 7 })
    const artifacts = (await send("GET", "/repos/acme/web/actions/artifacts")).json
    expect(artifacts).toMatchObject({ artifacts: [{ name: "report", expired: false, workflow_run: { id: 7 } }] })
    forge.clock.advance("91 days")
    expect((await send("GET", "/repos/acme/web/actions/artifacts")).json).toMatchObject({
      artifacts: [{ expired: true }]
    })
    await forge.usage("acme", { quantity: 5 })
    const usage = await send("GET", "/organizations/acme/settings/billing/usage")
    expect(usage.json).toMatchObject({ usageItems: [{ product: "actions", quantity: 5, grossAmount: 0.04 }] })
  })

  it("fails where a wrong value is written", async () => {
    assert.throws(() => void forge.repo("web"), 'Invalid repository "web": write OWNER/NAME')
    assert.throws(() => void forge.repo("acme/web").commit({ "../a": "" }), 'Invalid path "../a"')
    assert.throws(() => void forge.repo("acme/web").branch("a b"), 'Invalid name "a b"')
    // @ts-expect-error -- a path begins with a slash
    assert.throws(() => forge.fail("GET repos", 500), 'Invalid route "GET repos"')
    assert.throws(() => forge.fail("GET /user", 42), "Invalid status 42")
    await expect(forge.repo("acme/web").branch("fix")).rejects.toThrow('Branch "main" has no commits')
    // @ts-expect-error -- a name is a text
    await expect(forge.add({ rulesets: [{ name: 1 }] })).rejects.toThrow("rulesets[0]")
    await expect(forge.webhook("acme/none")).rejects.toThrow('no repository "acme/none"')
  })
})

describe("faults", () => {
  it("fails a number of requests, and only those of the route", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    forge.fail("GET /repos/{owner}/{repo}", 502, { times: 2 })
    assert.strictEqual(await statusOf("/repos/acme/web/branches"), 200)
    const failed = await send("GET", "/repos/acme/web")
    assert.deepStrictEqual([failed.status, failed.json], [502, { message: "Bad Gateway", status: "502" }])
    assert.strictEqual(await statusOf("/api/v3/repos/acme/web"), 502)
    assert.strictEqual(await statusOf("/repos/acme/web"), 200)
    assert.deepStrictEqual(
      forge.requests.to("GET /repos/{owner}/{repo}").map(({ status }) => status),
      [502, 502, 200]
    )
  })

  it("repeats the requests that a probability selects", async () => {
    const statuses = async () => {
      forge.fail("GET /user", 500, { probability: 0.5 })
      const all = []
      for (let at = 0; at < 20; at++) all.push(await statusOf("/user"))
      await forge.reset()
      return all
    }
    const first = await statuses()
    expect(new Set(first)).toEqual(new Set([200, 500]))
    assert.deepStrictEqual(await statuses(), first)
  })

  it("cuts a response in the middle, after the forge has handled the request", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    forge.cut("PUT /repos/{owner}/{repo}/contents/{path}", { times: 1 })
    const write = send("PUT", "/repos/acme/web/contents/docs/b.txt", { message: "b", content: "Yg==" })
    await expect(write).rejects.toThrow(/fetch failed|terminated/)
    assert.strictEqual(await statusOf("/repos/acme/web/contents/docs/b.txt"), 200)
  })

  it("never answers, and delays by the clock", async () => {
    forge.hang("GET /user", { times: 1 })
    await expect(fetch(`${forge.url}/user`, { signal: AbortSignal.timeout(50) })).rejects.toThrow(
      "aborted due to timeout"
    )
    forge.slow("GET /user", "1 hour", { times: 1 })
    const slow = statusOf("/user")
    await expect.poll(() => forge.requests.length).toBe(2)
    forge.clock.advance("1 hour")
    assert.strictEqual(await slow, 200)
    assert.match(
      forge.requests.describe(),
      /GET \/user: no response.*fault: no response[^]*GET \/user: 200.*fault: slow/
    )
  })

  it("spends the primary limit, whose window ends by the clock", async () => {
    forge.limit({ remaining: 2 })
    assert.deepStrictEqual([await statusOf("/user"), await statusOf("/user"), await statusOf("/user")], [200, 200, 403])
    const refused = await send("GET", "/user")
    assert.strictEqual(refused.headers.get("x-ratelimit-remaining"), "0")
    assert.strictEqual(refused.headers.get("x-ratelimit-limit"), "5000")
    forge.clock.advance("61 minutes")
    const after = await send("GET", "/user")
    assert.deepStrictEqual([after.status, after.headers.get("x-ratelimit-remaining")], [200, "4999"])
  })

  it("refuses by a secondary limit, also with a wrong retry-after", async () => {
    forge.limit({ secondary: true, retryAfter: 9999 })
    const refused = await send("GET", "/user")
    assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [403, "9999"])
    assert.include(refused.text, "secondary rate limit")
    assert.strictEqual(await statusOf("/user"), 200)
  })
})

describe("webhooks", () => {
  const push = (name: string, sha: string | undefined) =>
    send("POST", "/repos/acme/web/git/refs", { ref: `refs/heads/${name}`, sha })

  it("receives signed deliveries", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    await forge.webhook("acme/web", { secret: "s3cret" })
    assert.strictEqual((await push("one", commits[0])).status, 201)
    await forge.settled()
    const [delivery] = forge.webhooks
    assert(delivery?.event === "push")
    expect(delivery.payload).toMatchObject({ ref: "refs/heads/one", repository: { full_name: "acme/web" } })
    const signature = createHmac("sha256", "s3cret").update(delivery.body).digest("hex")
    assert.strictEqual(delivery.headers["x-hub-signature-256"], `sha256=${signature}`)
  })

  it("names the installation of an app, also after a return to a snapshot", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    const app = await forge.app({ account: "acme" })
    await forge.webhook("acme/web", { app, secret: "s3cret" })
    const snapshot = await forge.snapshot()
    await forge.reset()
    await forge.restore(snapshot)
    await push("one", commits[0])
    await forge.settled()
    const [delivery] = forge.webhooks
    assert(delivery !== undefined)
    expect(delivery.payload).toMatchObject({ ref: "refs/heads/one", installation: { id: app.installationId } })
    const signature = createHmac("sha256", "s3cret").update(delivery.body).digest("hex")
    assert.strictEqual(delivery.headers["x-hub-signature-256"], `sha256=${signature}`)
    assert.strictEqual(delivery.headers["x-github-hook-installation-target-type"], "integration")
    await forge.reset()
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    await forge.webhook("acme/web")
    await push("two", (await forge.repo("acme/web").commit({ "b.txt": "1" })).commits[0])
    await forge.settled()
    expect(forge.webhooks[0]?.payload).not.toHaveProperty("installation")
  })

  it("loses, repeats and reorders deliveries", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    await forge.webhook("acme/web")
    const received = () => forge.webhooks.map(({ body }) => /"ref":"refs\/heads\/(\w+)"/.exec(body)?.[1])
    for (const fault of ["lose", "repeat", "reorder"] as const) {
      forge.misdeliver(fault)
      await push(fault, commits[0])
      await forge.settled()
    }
    await push("last", commits[0])
    await forge.settled()
    await expect.poll(received).toEqual(["repeat", "repeat", "last", "reorder"])
    assert.strictEqual(forge.webhooks[0]?.guid, forge.webhooks[1]?.guid)
  })
})

describe("state", () => {
  it("returns to a snapshot, with its repositories, references and ids", async () => {
    const { commits } = await forge.repo("acme/web").commit({ "a.txt": "1" })
    const snapshot = await forge.snapshot()
    const before = await send("GET", "/repos/acme/web")
    await forge.repo("acme/other").commit({ "b.txt": "2" })
    await forge.repo("acme/web").commit({ "a.txt": "2" }).branch("fix")
    await send("DELETE", "/repos/acme/web/git/refs/heads/main")
    await forge.restore(snapshot)
    assert.deepStrictEqual((await send("GET", "/repos/acme/web")).json, before.json)
    expect((await send("GET", "/repos/acme/web/branches")).json).toMatchObject([
      { name: "main", commit: { sha: commits[0] } }
    ])
    assert.strictEqual(await statusOf("/repos/acme/other"), 404)
    const again = await forge.repo("acme/other").commit({ "c.txt": "3" })
    expect((await send("GET", "/repos/acme/other/commits")).json).toMatchObject([{ sha: again.commits[0] }])
  })

  it("returns to a snapshot after a reset, also beside a repository of the same name", async () => {
    const read = async () => {
      const { json, status } = await send("GET", "/repos/acme/web/contents/a.txt")
      return status === 200 ? atob(String(Reflect.get(Object(json), "content"))) : status
    }
    await forge.repo("acme/web").commit({ "a.txt": "first" })
    const first = await forge.snapshot()
    await forge.reset()
    assert.strictEqual(await read(), 404)
    await forge.repo("acme/web").commit({ "a.txt": "second" })
    const second = await forge.snapshot()
    for (let round = 0; round < 2; round++) {
      await forge.reset()
      await forge.restore(first)
      assert.strictEqual(await read(), "first")
      await forge.restore(second)
      assert.strictEqual(await read(), "second")
    }
    await forge.reset()
    await forge.repo("acme/web").commit({ "a.txt": "third" })
    await forge.restore(first)
    assert.strictEqual(await read(), "first")
    assert.strictEqual((await send("PUT", "/repos/acme/web/contents/b", { message: "b", content: "Yg==" })).status, 201)
  })

  it("forgets everything by a reset", async () => {
    await forge.repo("acme/web").commit({ "a.txt": "1" })
    forge.fail("GET /user", 500)
    forge.clock.advance("1 day")
    await forge.reset()
    assert.strictEqual(forge.requests.length, 0)
    assert.strictEqual(await statusOf("/user"), 200)
    assert.strictEqual(await statusOf("/repos/acme/web"), 404)
    assert.isBelow(Math.abs(forge.clock.now().getTime() - Date.now()), 1000)
  })

  it("leaves nothing behind, and keeps forges apart", async () => {
    // Other test files start forges in other processes.
    const own = new RegExp(`^tongs-testing-.*-${process.pid}-`)
    const folders = () => readdirSync(tmpdir()).filter((name) => own.test(name))
    const before = folders()
    const start = (options?: ForgeOptions): Promise<TestForge> => startForge(options)
    const others = await Promise.all([start(), start({ dialect: "service" })])
    await Promise.all(others.map((other) => other.repo("acme/web").commit({ "a.txt": "1" })))
    assert.strictEqual(await statusOf("/repos/acme/web"), 404)
    const [path] = folders().filter((name) => !before.includes(name))
    assert.isTrue(existsSync(join(tmpdir(), path ?? "")))
    await Promise.all(others.map((other) => other.close()))
    assert.deepStrictEqual(folders(), before)
    for (const { url } of others) await expect(fetch(`${url}/user`)).rejects.toThrow("fetch failed")
  })
})
