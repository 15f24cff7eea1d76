/**
 * @octokit/rest writes blobs, trees, commits, tags, files and merges. Ids and results equal the output of real git with
 * the same input, and every answer validates by GitHub's OpenAPI description.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Octokit } from "@octokit/rest"
import { expect, it } from "vitest"
import { problems, resolvePath } from "../conformance/GitHubOpenApi.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"
import { commit, git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

/** The identity and time with which `git` runs in tests. */
const person = { name: "Test", email: "test@example.org", date: "2023-11-14T23:13:20+01:00" }

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64")

/** Checks each answer by the description. Returns the routes of the checked answers, with the statuses. */
const validating = (octokit: Octokit) => {
  const validated: Array<string> = []
  octokit.hook.after("request", ({ data, status }, { method, url }) => {
    const place = [url, method.toLowerCase(), "responses", String(status)] as const
    const response = resolvePath({ $ref: "#/paths" }, ...place)
    expect(response, `${method} ${url} has no ${status}`).toBeDefined()
    const schema = resolvePath(response, "content", "application/json", "schema")
    if (schema !== undefined) expect(problems(place.join(" "), schema, data), `${method} ${url}`).toStrictEqual([])
    validated.push(`${method} ${url} ${status}`)
  })
  return validated
}

const status = (call: Promise<{ readonly status: number }>) =>
  call.then(
    (answer) => answer.status,
    (error: { readonly status: number }) => error.status
  )

const setUp = async () => {
  const root = temporaryFolder()
  const work = join(root, "work")
  const bare = join(root, "repos/bare.git")
  mkdirSync(join(root, "repos"))
  git(root, ["init", "--quiet", "--initial-branch=main", work])
  commit(work, { "README.md": "# Hello\n", "src/a.txt": "one\ntwo\nthree\n", "src/b.txt": "b\n" }, "first")
  git(work, ["reset", "--quiet", "--hard"])
  git(root, ["clone", "--quiet", "--bare", work, bare])
  git(work, ["remote", "add", "origin", bare])
  const forge = await serve(root, "--dialect", "github")
  const octokit = octokitFor(forge)
  const { data: user } = await octokit.rest.users.getAuthenticated()
  return { root, work, bare, octokit, at: { owner: user.login, repo: "bare" }, validated: validating(octokit) }
}

it("objects have the ids that git gives them", async () => {
  const { at, bare, octokit, validated, work } = await setUp()
  const { git: data } = octokit.rest
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  writeFileSync(join(work, "bytes.bin"), bytes)
  const blob = await data.createBlob({ ...at, content: base64(bytes), encoding: "base64" })
  expect(blob.data.sha).toBe(git(work, ["hash-object", "bytes.bin"]))

  mkdirSync(join(work, "new/folder"), { recursive: true })
  writeFileSync(join(work, "new/folder/é.txt"), "new\n")
  writeFileSync(join(work, "src/a.txt"), "changed\n")
  rmSync(join(work, "src/b.txt"))
  git(work, ["add", "--all"])
  git(work, ["update-index", "--chmod=+x", "src/a.txt"])
  const mode = "100644"
  const tree = await data.createTree({
    ...at,
    base_tree: git(work, ["rev-parse", "main^{tree}"]),
    tree: [
      { path: "bytes.bin", mode, type: "blob", sha: blob.data.sha },
      { path: "new/folder/é.txt", mode, type: "blob", content: "new\n" },
      { path: "src/a.txt", mode: "100755", type: "blob", content: "changed\n" },
      { path: "src/b.txt", mode, type: "blob", sha: null }
    ]
  })
  expect(tree.data.sha).toBe(git(work, ["write-tree"]))

  git(work, ["commit", "--quiet", "-m", "Change\n\nWith a body"])
  const parent = git(work, ["rev-parse", "main~1"])
  const made = await data.createCommit({
    ...at,
    message: "Change\n\nWith a body\n",
    tree: tree.data.sha,
    parents: [parent],
    author: person,
    committer: person
  })
  expect(made.data.sha).toBe(git(work, ["rev-parse", "main"]))

  git(work, ["tag", "-a", "-m", "First", "v1", "main"])
  const object = made.data.sha
  const tag = await data.createTag({ ...at, tag: "v1", message: "First\n", object, type: "commit", tagger: person })
  expect(tag.data.sha).toBe(git(work, ["rev-parse", "v1"]))
  await data.createRef({ ...at, ref: "refs/tags/v1", sha: tag.data.sha })
  await data.updateRef({ ...at, ref: "heads/main", sha: made.data.sha })
  expect(git(bare, ["for-each-ref", "--format=%(refname) %(objectname)"])).toBe(
    git(work, ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"])
  )
  expect(git(bare, ["fsck", "--strict", "--full", "--no-dangling"])).toBe("")
  expect(validated).toHaveLength(6)
})

it("files are committed as git commits them", async () => {
  const { at, bare, octokit, validated, work } = await setUp()
  const { repos } = octokit.rest
  const people = { author: person, committer: person }
  const path = "docs/a b.md"

  /** Commits the index of the work tree, and returns the id. */
  const expected = (message: string) => {
    git(work, ["add", "--all"])
    git(work, ["commit", "--quiet", "-m", message])
    return git(work, ["rev-parse", "HEAD"])
  }
  mkdirSync(join(work, "docs"))
  writeFileSync(join(work, path), "one\n")
  const created = await repos.createOrUpdateFileContents({
    ...at,
    ...people,
    path,
    message: "Create\n",
    content: base64("one\n")
  })
  expect([created.status, created.data.commit.sha]).toStrictEqual([201, expected("Create")])

  writeFileSync(join(work, path), "two\n")
  const update = { ...at, ...people, path, message: "Update\n", content: base64("two\n") }
  const sha = created.data.content?.sha ?? ""
  expect(await status(repos.createOrUpdateFileContents(update))).toBe(422)
  expect(await status(repos.createOrUpdateFileContents({ ...update, sha: "1".repeat(40) }))).toBe(409)
  const updated = await repos.createOrUpdateFileContents({ ...update, sha })
  expect([updated.status, updated.data.commit.sha]).toStrictEqual([200, expected("Update")])

  rmSync(join(work, path))
  const remove = { ...at, ...people, path, message: "Delete\n" }
  expect(await status(repos.deleteFile({ ...remove, sha }))).toBe(409)
  const deleted = await repos.deleteFile({ ...remove, sha: updated.data.content?.sha ?? "" })
  expect(deleted.data.commit.sha).toBe(expected("Delete"))
  expect(git(bare, ["rev-parse", "main"])).toBe(git(work, ["rev-parse", "main"]))

  const { data: fresh } = await octokit.rest.repos.createForAuthenticatedUser({ name: "fresh" })
  const first = await repos.createOrUpdateFileContents({
    owner: at.owner,
    repo: "fresh",
    path: "README.md",
    message: "First",
    content: base64("# Fresh\n")
  })
  const branch = await repos.getBranch({ owner: at.owner, repo: "fresh", branch: fresh.default_branch })
  expect(branch.data.commit.sha).toBe(first.data.commit.sha)
  expect(validated).toHaveLength(6)
})

it("branches are merged, compared and renamed as by git", async () => {
  const { at, bare, octokit, validated, work } = await setUp()
  const { repos } = octokit.rest
  git(work, ["checkout", "--quiet", "-b", "feature/x"])
  commit(work, { "src/a.txt": "ONE\ntwo\nthree\n", "src/c.txt": "c\n" }, "feature")
  git(work, ["reset", "--quiet", "--hard"])
  git(work, ["checkout", "--quiet", "-b", "clash", "main"])
  commit(work, { "src/a.txt": "1\ntwo\nthree\n" }, "clash")
  git(work, ["reset", "--quiet", "--hard"])
  git(work, ["checkout", "--quiet", "main"])
  commit(work, { "src/a.txt": "one\ntwo\nTHREE\n" }, "main")
  git(work, ["reset", "--quiet", "--hard"])
  git(work, ["push", "--quiet", "origin", "--all"])

  const compared = await repos.compareCommitsWithBasehead({ ...at, basehead: "main...feature/x" })
  expect([compared.data.ahead_by, compared.data.behind_by, compared.data.status]).toStrictEqual([1, 1, "diverged"])
  expect(compared.data.files?.map(({ filename }) => filename)).toStrictEqual(
    git(work, ["diff", "--name-only", "main...feature/x"]).split("\n")
  )

  git(work, ["merge", "--quiet", "--no-ff", "-m", "merge", "feature/x"])
  const merged = await repos.merge({ ...at, base: "main", head: "feature/x" })
  expect(merged.status).toBe(201)
  expect(git(bare, ["rev-parse", "main"])).toBe(merged.data.sha)
  for (const revision of ["main^{tree}", "main^1", "main^2"]) {
    expect(git(bare, ["rev-parse", revision]), revision).toBe(git(work, ["rev-parse", revision]))
  }
  expect(await status(repos.merge({ ...at, base: "main", head: "feature/x" }))).toBe(204)
  expect(() => git(work, ["merge", "--quiet", "clash"])).toThrow()
  expect(await status(repos.merge({ ...at, base: "main", head: "clash" }))).toBe(409)
  expect(await status(repos.merge({ ...at, base: "none", head: "main" }))).toBe(404)
  expect(await status(repos.mergeUpstream({ ...at, branch: "main" }))).toBe(422)

  const renamed = await repos.renameBranch({ ...at, branch: "main", new_name: "release/1" })
  expect([renamed.status, renamed.data.commit.sha]).toStrictEqual([201, merged.data.sha])
  expect(git(bare, ["symbolic-ref", "HEAD"])).toBe("refs/heads/release/1")
  expect((await repos.getBranch({ ...at, branch: "release/1" })).data.name).toBe("release/1")
  expect(await status(repos.getBranch({ ...at, branch: "main" }))).toBe(404)
  expect(git(bare, ["fsck", "--strict", "--full", "--no-dangling"])).toBe("")
  expect(validated).toHaveLength(5)
})
