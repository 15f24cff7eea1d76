/** Third-party clients on the forge over HTTP, checked with git. */
import { describe, expect, it } from "vitest"
import { octokitFor } from "./Octokit.test-support.ts"
import { git, request, serveCommits } from "./ForgeProcess.test-support.ts"

const COMMITS = 320

describe.each(["service", "github"])("@octokit/rest, unmodified, against the %s dialect", (dialect) => {
  const setUp = async () => {
    const { path, serving } = await serveCommits(COMMITS, "--dialect", dialect)
    const octokit = octokitFor(serving)
    const { data: user } = await octokit.rest.users.getAuthenticated()
    return { octokit, path, at: { owner: user.login, repo: "long" } }
  }
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: { readonly status: number; readonly response: { readonly data: { readonly message: string } } }) => [
        error.status,
        error.response.data.message
      ]
    )

  it("reads a reference, a commit, a blob and the whole log", async () => {
    const { at, octokit, path } = await setUp()
    const head = git(path, ["rev-parse", "main"])

    const ref = await octokit.rest.git.getRef({ ...at, ref: "heads/main" })
    expect(ref.data.object).toMatchObject({ type: "commit", sha: head })
    const commit = await octokit.rest.git.getCommit({ ...at, commit_sha: head })
    expect(commit.data).toMatchObject({
      sha: head,
      message: String(COMMITS - 1),
      tree: { sha: git(path, ["rev-parse", "main^{tree}"]) }
    })

    const oid = git(path, ["hash-object", "-w", "--stdin"], "héllo\n")
    const blob = await octokit.rest.git.getBlob({ ...at, file_sha: oid })
    expect(Buffer.from(blob.data.content, "base64").toString()).toBe("héllo\n")

    const log = await octokit.paginate(octokit.rest.repos.listCommits, { ...at, per_page: 100 })
    expect(log.map(({ sha }) => sha)).toEqual(git(path, ["rev-list", "main"]).split("\n"))
    expect(log).toHaveLength(COMMITS)
  })

  it("creates, moves and deletes references, and gets errors", async () => {
    const { at, octokit, path } = await setUp()
    const head = git(path, ["rev-parse", "main"])
    const unrelated = git(path, ["commit-tree", "-m", "unrelated", "main^{tree}"])

    const created = await octokit.rest.git.createRef({ ...at, ref: "refs/heads/topic/new", sha: head })
    expect(created.status).toBe(201)
    expect(git(path, ["rev-parse", "refs/heads/topic/new"])).toBe(head)

    const again = octokit.rest.git.createRef({ ...at, ref: "refs/heads/topic/new", sha: head })
    expect(await refusal(again)).toEqual([422, expect.stringMatching(/^Reference already exists/)])

    const back = octokit.rest.git.updateRef({ ...at, ref: "heads/topic/new", sha: unrelated })
    expect(await refusal(back)).toEqual([422, expect.stringMatching(/^Update is not a fast forward/)])
    expect(git(path, ["rev-parse", "refs/heads/topic/new"])).toBe(head)

    const forced = await octokit.rest.git.updateRef({ ...at, ref: "heads/topic/new", sha: unrelated, force: true })
    expect(forced.data.object.sha).toBe(unrelated)
    expect(git(path, ["rev-parse", "refs/heads/topic/new"])).toBe(unrelated)

    const deleted = await octokit.rest.git.deleteRef({ ...at, ref: "heads/topic/new" })
    expect(deleted.status).toBe(204)
    expect(git(path, ["for-each-ref", "refs/heads/topic"])).toBe("")
    expect(await refusal(octokit.rest.git.getRef({ ...at, ref: "heads/topic/new" }))).toEqual([
      404,
      expect.stringMatching(/^Not Found/)
    ])
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  })

  it("creates a merge commit with git's id", async () => {
    const { at, octokit, path } = await setUp()
    const tree = git(path, ["rev-parse", "main^{tree}"])
    const parents = [git(path, ["rev-parse", "main"]), git(path, ["rev-parse", "main~5"])]
    const author = { name: "Zoë", email: "zoe@example.org", date: "2020-02-29T12:00:00+05:30" }
    const { data } = await octokit.rest.git.createCommit({ ...at, message: "Größe 🌍", tree, parents, author })
    const object = `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}${["author", "committer"]
      .map((role) => `${role} Zoë <zoe@example.org> 1582957800 +0530\n`)
      .join("")}\nGröße 🌍`
    expect(data.sha).toBe(git(path, ["hash-object", "-t", "commit", "--stdin"], object))
    expect(git(path, ["cat-file", "-t", data.sha])).toBe("commit")
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  })
})

describe("tongs serve", () => {
  it("lets one of fifty concurrent moves of a reference succeed, and rejects the rest", async () => {
    const { base, path, serving } = await serveCommits(1)
    const head = git(path, ["rev-parse", "main"])
    const next = Array.from({ length: 50 }, (_, index) =>
      git(path, ["commit-tree", "-p", head, "-m", `next ${index}`, `${head}^{tree}`])
    )
    const answers = await Promise.all(
      next.map((sha) => request(serving, "PATCH", `${base}/git/refs/heads/main`, { sha }))
    )
    const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(winner?.status).toBe(200)
    expect(git(path, ["rev-parse", "main"])).toBe(winner?.json.object.sha)
    expect(others).toHaveLength(49)
    for (const { json, status } of others) {
      expect([status, json.message]).toEqual([422, "Update is not a fast forward"])
    }
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  })

  it("serves its contract at /openapi.json and its API reference at /docs", async () => {
    const { url } = (await serveCommits(1)).serving
    const document = await (await fetch(`${url}/openapi.json`)).json()
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url }] })
    const page = await fetch(`${url}/docs`)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/html/)])
  })

  it("ends on SIGTERM", async () => {
    const { serving } = await serveCommits(1)
    expect((await request(serving, "GET", "/user")).status).toBe(200)
    await serving.kill("SIGTERM")
    await expect(fetch(serving.url)).rejects.toThrow()
  })
})
