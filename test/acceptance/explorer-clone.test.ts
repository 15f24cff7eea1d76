/** `tongs explore --clone`: an organization, its private repositories, and hostile forges. */
import * as Fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  checkOrganization,
  clonesIn,
  dataOf,
  exploreClone,
  serveOrganization,
  startProxy,
  token
} from "./ExplorerClone.test-support.ts"
import { inLongTests, isLong } from "../LongTests.test-support.ts"
import { request, serve } from "./ForgeProcess.test-support.ts"
import { type Handler, httpServer, sendJson, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

/** A repository in a list, with the members that a forge may not omit. */
const listed = (id: number, name: string, more: object) => ({
  id,
  node_id: "x",
  name,
  full_name: `acme/${name}`,
  owner: { login: "acme", id: 1, node_id: "x", type: "Organization", site_admin: false, ...urls(OWNER_URLS) },
  private: false,
  html_url: "https://example.com",
  description: null,
  fork: false,
  url: "https://example.com",
  ...urls(REPOSITORY_URLS),
  ...more
})

const urls = (names: string) =>
  Object.fromEntries(names.split(" ").map((name) => [`${name}_url`, "https://example.com"]))

const OWNER_URLS =
  "avatar html followers following gists starred subscriptions organizations repos events received_events"

const REPOSITORY_URLS =
  "archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags hooks issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees"

/** A forge with an organization `acme`, whose list `repositories` gives. */
const fakeForge = (
  repositories: (url: string, page: number) => { readonly items: ReadonlyArray<object>; readonly next?: boolean },
  other: Handler = (_, __, response) => sendJson(response, 404, { message: "Not Found" })
) =>
  httpServer((incoming, body, response) => {
    const base = `http://${incoming.headers.host}`
    const { pathname, searchParams } = new URL(incoming.url ?? "", base)
    if (pathname === "/users/acme") {
      const { owner } = listed(1, "x", {})
      return sendJson(response, 200, {
        ...owner,
        url: base,
        name: null,
        company: null,
        blog: null,
        location: null,
        email: null,
        hireable: null,
        bio: null,
        public_repos: 0,
        public_gists: 0,
        followers: 0,
        following: 0,
        created_at: "2020-01-01T00:00:00Z",
        updated_at: "2020-01-01T00:00:00Z"
      })
    }
    if (pathname !== "/orgs/acme/repos") return other(incoming, body, response)
    const page = Number(searchParams.get("page") ?? "1")
    const { items, next = false } = repositories(base, page)
    if (next) response.setHeader("link", `<${base}/orgs/acme/repos?page=${page + 1}>; rel="next"`)
    sendJson(response, 200, items)
  })

describe("tongs explore --clone", () => {
  it(
    "clones an organization without a refusal, goes on after a kill, and fetches what changed",
    { timeout: 180_000 },
    () => checkOrganization(isLong ? 40 : 16)
  )

  it("serves private clones to the owner's token only, and follows new names", { timeout: 120_000 }, async () => {
    const { url } = await serveOrganization(6)
    const home = temporaryFolder()
    const explorer = await exploreClone(home, url, "--exclude", "r2", "--exclude", "e*")
    assert.include(await explorer.report(), "acme on")
    await explorer.kill("SIGINT")
    assert.strictEqual(clonesIn(home), 5)
    await fetch(`${url}/repos/acme/r1`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" },
      body: JSON.stringify({ name: "renamed", private: true })
    })
    const later = await exploreClone(home, url)
    assert.include(await later.report(), "(2 cloned, 0 fetched, 5 unchanged, 0 failed)")
    await later.kill("SIGINT")

    Fs.mkdirSync(join(home, "repos"))
    const local = await serve(home)
    const names = async (token: string | undefined) => {
      const headers = { "user-agent": "test", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
      const response = await fetch(`${local.url}/orgs/acme/repos?sort=full_name`, { headers })
      const repositories: ReadonlyArray<{ readonly name: string }> = await response.json()
      return repositories.map(({ name }) => name)
    }
    assert.deepStrictEqual(await names(undefined), ["empty", "r2", "r3", "r4"])
    assert.deepStrictEqual(await names(local.token), ["empty", "r0", "r2", "r3", "r4", "r5", "renamed"])
    const { json } = await request(local, "GET", "/repos/acme/renamed")
    assert.deepStrictEqual([json.private, json.default_branch], [true, "main"])
  })

  it("clones nothing from elsewhere, and sends the token to no other host", { timeout: 120_000 }, async () => {
    const home = temporaryFolder()
    const mark = join(home, "mark")
    const received: Array<string> = []
    const evil = await httpServer((incoming, _, response) => {
      received.push(`${incoming.url} ${incoming.headers.authorization}`)
      response.writeHead(404).end()
    })
    const forge = await fakeForge(
      (base) => ({
        items: [
          listed(1, "..", { clone_url: `${base}/acme/x.git` }),
          listed(2, "a/b", { clone_url: `${base}/acme/x.git` }),
          listed(3, "file", { clone_url: `file://${home}` }),
          listed(4, "ext", { clone_url: `ext::sh -c touch% ${mark}` }),
          listed(5, "option", { clone_url: `--upload-pack=touch ${mark}` }),
          listed(6, "elsewhere", { clone_url: `${evil}/acme/x.git` }),
          listed(7, "user", { clone_url: `${base.replace("//", "//me:pw@")}/acme/x.git` }),
          listed(8, "redirected", { clone_url: `${base}/redirected.git` }),
          listed(9, "none", {}),
          listed(11, "gone", { clone_url: `${base}/gone.git` }),
          listed(10, "stranger", { clone_url: `${base}/x.git`, owner: { ...listed(1, "x", {}).owner, login: "other" } })
        ]
      }),
      (incoming, _, response) => {
        const isRedirect = incoming.url?.startsWith("/redirected.git") === true
        if (isRedirect) response.writeHead(302, { location: `${evil}${incoming.url}` }).end()
        else sendJson(response, 404, {})
      }
    )
    const explorer = await exploreClone(home, forge)
    const report = await explorer.report()
    await explorer.kill("SIGINT")
    assert.include(report, "(0 cloned, 0 fetched, 0 unchanged, 10 failed)")
    for (const name of ["file", "ext", "option", "elsewhere", "user", "redirected", "none"]) {
      assert.include(report, `  ${name} failed: `)
    }
    assert.include(report, "  gone failed: the forge no longer has it, or the token cannot read it")
    assert.include(report, "  The next run tries them again")
    assert.notInclude(report, token)
    assert.deepStrictEqual(received, [])
    assert.isFalse(Fs.existsSync(mark))
    assert.strictEqual(clonesIn(home), 0)
  })

  inLongTests(() => {
    it("ends a list without end", { timeout: 120_000 }, async () => {
      const forge = await fakeForge((_, page) => ({
        items: Array.from({ length: 100 }, (_, index) =>
          listed(page * 100 + index, `r${page}-${index}`, { fork: true })
        ),
        next: true
      }))
      const explorer = await exploreClone(temporaryFolder(), forge)
      assert.include(await explorer.report(), "acme has more repositories than are listed")
      await explorer.kill("SIGINT")
    })
  })

  it("reports a missing account, and requires a remote forge", { timeout: 60_000 }, async () => {
    const proxy = await startProxy()
    const forge = await serve(((root) => (Fs.mkdirSync(join(root, "repos")), root))(temporaryFolder()))
    proxy.forwardTo(forge.url)
    const home = temporaryFolder()
    const explorer = await exploreClone(home, proxy.url)
    assert.match(await explorer.report(), /Cannot clone acme: /)
    await explorer.kill("SIGINT")
    const { tongs } = shell(home)
    const local = await tongs(["explore", "--clone", "acme", "--data", dataOf(home)])
    assert.deepStrictEqual([local.code, local.stderr.includes("--clone needs a remote forge.")], [2, true])
    const flags = await tongs(["explore", "--forks", "--data", dataOf(home)])
    assert.deepStrictEqual([flags.code, flags.stderr.includes("need --clone")], [2, true])
  })
})
