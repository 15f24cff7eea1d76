/** `git push` to a forge over HTTP, with real git. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it, vi } from "vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import { git, request, temporaryFolder, serve } from "./ForgeProcess.test-support.ts"
import {
  addCommit,
  cloneUrl,
  createClone,
  refsOf,
  runGit,
  serveEmpty,
  serveFixtures,
  tree
} from "./GitPush.test-support.ts"
import { isSigned, receiver, SECRET } from "./WebhookReceiver.test-support.ts"

const TIMEOUT = 120_000

it(
  "pushes branches, tags and notes, forced and deleted, with events as through the API",
  { timeout: TIMEOUT },
  async () => {
    const { base, clone, path, serving, url } = await serveEmpty()
    const first = git(clone, ["rev-parse", "HEAD"])
    // The only branch of an empty repository becomes the default branch.
    expect(await runGit(clone, "push", url, "HEAD:refs/heads/trunk")).toMatchObject({ code: 0 })
    expect((await request(serving, "GET", base)).json.default_branch).toBe("trunk")
    const second = addCommit(clone, "needle.txt", "a haystack with a needle\n")
    git(clone, ["tag", "-m", "one", "v1"])
    git(clone, ["notes", "add", "-m", "note"])
    const refs = ["HEAD:refs/heads/trunk", "HEAD:refs/heads/a/b", "v1", "refs/notes/commits"]
    expect(await runGit(clone, "push", "--atomic", "-o", "ci.skip", url, ...refs)).toMatchObject({ code: 0 })
    // Code search reads the branch that was just pushed.
    const found = await request(serving, "GET", "/search/code?q=needle")
    expect(found.json.items.map((item: { path: string }) => item.path)).toEqual(["needle.txt"])
    expect(await runGit(clone, "push", url, ":refs/heads/a/b", ":v1")).toMatchObject({ code: 0 })
    expect(await runGit(clone, "push", url, `${first}:refs/heads/trunk`)).toMatchObject({ code: 1 })
    const lease = (id: string) =>
      runGit(clone, "push", `--force-with-lease=trunk:${id}`, url, `${first}:refs/heads/trunk`)
    const stale = await lease(first)
    expect(stale.stderr).toContain("stale info")
    expect(refsOf(path)["refs/heads/trunk"]).toBe(second)
    expect(await lease(second)).toMatchObject({ code: 0 })
    expect(await runGit(clone, "push", "--force", url, `${second}:refs/heads/trunk`)).toMatchObject({ code: 0 })
    expect(Object.keys(refsOf(path))).toEqual(["refs/heads/trunk", "refs/notes/commits"])
    const events = await request(serving, "GET", `${base}/events`)
    expect(
      events.json.map(({ payload, type }: { payload: { ref: string; before: string; head: string }; type: string }) =>
        type === "PushEvent" ? [type, payload.ref, payload.before, payload.head] : [type, payload.ref]
      )
    ).toEqual([
      ["PushEvent", "refs/heads/trunk", first, second],
      ["PushEvent", "refs/heads/trunk", second, first],
      ["DeleteEvent", "v1"],
      ["DeleteEvent", "a/b"],
      ["CreateEvent", "v1"],
      ["CreateEvent", "a/b"],
      ["PushEvent", "refs/heads/trunk", first, second],
      ["CreateEvent", "trunk"]
    ])
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  }
)

it("delivers a push to a webhook with its signature", { timeout: TIMEOUT }, async () => {
  const { base, clone, name, serving, url } = await serveEmpty("--allow-local-webhooks")
  const { received, url: address } = await receiver()
  const hook = { config: { url: address, secret: SECRET, content_type: "json" }, events: ["push"] }
  expect((await request(serving, "POST", `${base}/hooks`, hook)).status).toBe(201)
  await runGit(clone, "push", url, "HEAD:main")
  const before = git(clone, ["rev-parse", "HEAD"])
  const after = addCommit(clone, "second")
  await runGit(clone, "push", url, "HEAD:main")
  const pushes = () => received.filter(({ event }) => event === "push")
  await vi.waitFor(() => expect(pushes()).toHaveLength(2), { timeout: 20_000 })
  expect(await Promise.all(pushes().map(isSigned))).toEqual([true, true])
  expect(JSON.parse(pushes()[1]?.body ?? "")).toMatchObject({
    ref: "refs/heads/main",
    before,
    after,
    forced: false,
    commits: [{ id: after, added: ["second"] }],
    repository: { full_name: name }
  })
})

const ruleset = (target: string, name: string, rule: unknown) => ({
  organization: "harbor",
  name,
  target,
  enforcement: "active",
  conditions: {
    ...(target === "branch" ? { ref_name: { include: ["refs/heads/main"], exclude: [] } } : {}),
    repository_name: { include: ["~ALL"], exclude: [] }
  },
  rules: [rule]
})

it(
  "refuses a push that violates rules with their sentences, and leaves nothing behind",
  { timeout: TIMEOUT },
  async () => {
    const { clone, root, serving } = await serveFixtures({
      users: [{ login: "ann" }],
      organizations: [{ login: "harbor", members: [{ login: "ann", role: "owner" }] }],
      tokens: [{ token: "anns-token", user: "ann", scopes: ["repo"] }],
      repositories: [{ full_name: "harbor/boats" }],
      rulesets: [
        ruleset("branch", "words", {
          type: "commit_message_pattern",
          parameters: { operator: "starts_with", pattern: "fix" }
        }),
        ruleset("push", "files", { type: "max_file_size", parameters: { max_file_size: 1 } })
      ]
    })
    const url = cloneUrl(serving, "harbor/boats", "anns-token")
    const path = join(root, "data/repositories/harbor/boats.git")
    git(clone, ["commit", "--quiet", "--amend", "-m", "fix: first"])
    expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
    const before = { refs: refsOf(path), objects: tree(join(path, "objects")), git: tree(join(root, "data/git")) }
    const bad = addCommit(clone, "large.bin", "x".repeat(1_500_000))
    const refused = await runGit(clone, "push", url, "HEAD:refs/heads/main", "HEAD:refs/heads/other")
    expect(refused.code).toBe(1)
    const sentences = refused.stderr.split("\n").filter((line) => line.startsWith("remote: refs/"))
    expect(sentences).toEqual([
      `remote: refs/heads/main: ruleset "words", rule commit_message_pattern: commit ${bad} has a message that is not allowed`,
      'remote: refs/heads/main: ruleset "files", rule max_file_size: "large.bin" is larger than 1 MB',
      'remote: refs/heads/other: ruleset "files", rule max_file_size: "large.bin" is larger than 1 MB'
    ])
    expect(refused.stderr).toMatch(/\[remote rejected\] HEAD -> main \(pre-receive hook declined\)/)
    await vi.waitFor(() =>
      expect({ refs: refsOf(path), objects: tree(join(path, "objects")), git: tree(join(root, "data/git")) }).toEqual(
        before
      )
    )
    const { json } = await request({ ...serving, token: "anns-token" }, "GET", "/repos/harbor/boats/events")
    expect(json.map(({ type }: { type: string }) => type)).toEqual(["CreateEvent"])
  }
)

it("refuses workflow files of a token without the scope, as the API does", { timeout: TIMEOUT }, async () => {
  const { clone, serving } = await serveFixtures({
    users: [{ login: "ann" }],
    tokens: [
      { token: "limited", user: "ann", scopes: ["repo"] },
      { token: "full", user: "ann", scopes: ["repo", "workflow"] }
    ],
    repositories: [{ full_name: "ann/app" }]
  })
  const push = (token: string, ref: string) => runGit(clone, "push", cloneUrl(serving, "ann/app", token), ref)
  mkdirSync(join(clone, ".github/workflows"), { recursive: true })
  expect(await push("limited", "HEAD:main")).toMatchObject({ code: 0 })
  addCommit(clone, ".github/workflows/ci.yml")
  const { code, stderr } = await push("limited", "HEAD:main")
  expect(code).toBe(1)
  expect(stderr).toContain(
    "remote: refs/heads/main: refusing to allow this token to create or update workflow " +
      "`.github/workflows/ci.yml` without `workflow` scope"
  )
  expect(await push("full", "HEAD:main")).toMatchObject({ code: 0 })
  // The same file is on a branch already.
  addCommit(clone, "second")
  expect(await push("limited", "HEAD:next")).toMatchObject({ code: 0 })
})

inLongTests(() => {
  it("passes refusals of git itself on", { timeout: TIMEOUT }, async () => {
    const { clone, path, url } = await serveEmpty()
    await runGit(clone, "push", url, "HEAD:main")
    const push = async (...refs: ReadonlyArray<string>) => (await runGit(clone, "push", url, ...refs)).stderr
    expect(await push(":main")).toContain("(deletion of the current branch prohibited)")
    expect(await push("HEAD:refs/bisect/bad")).toContain("(deny updating a hidden ref)")
    expect(await push("HEAD:refs/stash")).toContain("remote: refs/stash: The forge does not accept this name.")
    for (const name of ["-x", "HEAD", "@", "refs/heads/x"]) {
      expect(await push(`HEAD:refs/heads/${name}`)).toContain(
        `remote: refs/heads/${name}: The forge does not accept this name.`
      )
    }
    expect(await push("HEAD^{tree}:refs/heads/tree")).toContain("[remote rejected]")
    expect(await push("HEAD:refs/heads/main/below")).toContain("[remote rejected]")
    // A commit without an author is broken; one with a strange time zone is only old.
    const commit = (text: string) => git(clone, ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], text)
    const head = `tree ${git(clone, ["rev-parse", "HEAD^{tree}"])}\n`
    const person = (zone: string) => `A <a@b.example> 1 ${zone}\n`
    const broken = commit(`${head}committer ${person("+0000")}\nbroken\n`)
    expect(await push(`${broken}:refs/heads/broken`)).toContain("missingAuthor")
    const old = commit(`${head}author ${person("+051800")}committer ${person("+051800")}\nold\n`)
    expect(await runGit(clone, "push", url, `${old}:refs/heads/old`)).toMatchObject({ code: 0 })
    expect(Object.keys(refsOf(path))).toEqual(["refs/heads/main", "refs/heads/old"])
    // A shallow clone lacks the parents of the oldest commit.
    addCommit(clone, "second")
    git(clone, ["clone", "--quiet", "--depth=1", `file://${clone}`, "../shallow"])
    const shallow = join(clone, "../shallow")
    expect((await runGit(shallow, "push", url, "HEAD:refs/heads/shallow")).stderr).toContain(
      "shallow update not allowed"
    )
  })
})

it("does not move a branch that a work tree uses", { timeout: TIMEOUT }, async () => {
  const root = temporaryFolder()
  const served = createClone(mkdirp(root, "repos"), "hello")
  for (const name of ["second", "third"]) addCommit(served, name)
  for (const name of ["linked", "rebased", "bisected", "free"]) {
    git(served, ["branch", name])
    if (name !== "free") git(served, ["worktree", "add", "--quiet", join(root, name), name])
  }
  git(join(root, "bisected"), ["bisect", "start", "HEAD", "HEAD~2"])
  expect(() => git(join(root, "rebased"), ["rebase", "--quiet", "--exec", "false", "HEAD~1"])).toThrow("exec")
  const serving = await serve(root)
  const { json: user } = await request(serving, "GET", "/user")
  const url = cloneUrl(serving, `${user.login}/hello`)
  const clone = createClone(root)
  await runGit(clone, "pull", "--quiet", url, "main")
  addCommit(clone, "pushed")
  const before = refsOf(served)
  for (const branch of ["main", "linked", "rebased", "bisected"]) {
    const { code, stderr } = await runGit(clone, "push", "--force", url, `HEAD:${branch}`)
    expect([branch, code]).toEqual([branch, 1])
    expect(stderr).toContain(`remote: refs/heads/${branch}: The branch is checked out in a work tree`)
  }
  expect(refsOf(served)).toEqual(before)
  expect(await runGit(clone, "push", "--force", url, "HEAD:free")).toMatchObject({ code: 0 })
  expect(refsOf(served)["refs/heads/free"]).toBe(git(clone, ["rev-parse", "HEAD"]))
  expect(git(served, ["reflog", "show", "free"])).toContain("push")
})

const mkdirp = (...parts: readonly [string, string]) => {
  mkdirSync(join(...parts))
  return join(...parts)
}

it("needs the same scope, permission and role as the API", { timeout: TIMEOUT }, async () => {
  const { clone, serving } = await serveFixtures({
    users: [{ login: "ann" }, { login: "bob" }],
    tokens: [
      { token: "full", user: "ann", scopes: ["repo"] },
      { token: "narrow", user: "ann", scopes: ["read:user"] },
      { token: "reads", user: "ann", kind: "fine_grained", permissions: { contents: "read" } },
      { token: "writes", user: "ann", kind: "fine_grained", permissions: { contents: "write" } },
      {
        token: "elsewhere",
        user: "ann",
        kind: "fine_grained",
        permissions: { contents: "write" },
        repositories: ["ann/other"]
      },
      { token: "bobs", user: "bob", scopes: ["repo"] }
    ],
    repositories: [
      { full_name: "ann/hello" },
      { full_name: "ann/other" },
      { full_name: "ann/old", archived: true },
      { full_name: "ann/hidden", private: true }
    ]
  })
  const push = async (token: string, name = "ann/hello") => {
    const { code, stderr } = await runGit(clone, "push", cloneUrl(serving, name, token), "HEAD:main")
    return code === 0 ? "pushed" : (/^remote: (.*)$/m.exec(stderr)?.[1] ?? stderr)
  }
  expect(await push("narrow")).toBe("This token has none of the scopes that this needs")
  expect(await push("reads")).toBe("Resource not accessible by this token")
  expect(await push("elsewhere")).toBe("This token was not made for ann/hello")
  expect(await push("bobs")).toBe("bob may not change ann/hello")
  expect(await push("bobs", "ann/hidden")).toBe("Repository not found.")
  expect(await push("full", "ann/old")).toBe("The repository is archived and read-only")
  expect(await push("wrong")).toMatch(/^Invalid token/)
  const anonymous = await runGit(clone, "push", `${serving.url}/ann/hello.git`, "HEAD:main")
  expect(anonymous.stderr).toContain("could not read Username")
  expect(await push("writes")).toBe("pushed")
  expect(await push("full", "ann/hidden")).toBe("pushed")
})

it("accepts one of 50 concurrent pushes to a branch", { timeout: TIMEOUT }, async () => {
  const { clone, path, root, serving, url } = await serveEmpty()
  await runGit(clone, "push", url, "HEAD:main")
  const base = git(clone, ["rev-parse", "HEAD"])
  const commits = Array.from({ length: 50 }, (_, index) =>
    git(clone, ["commit-tree", "-p", base, "-m", `number ${index}`, "HEAD^{tree}"])
  )
  const results = await Promise.all(commits.map((commit) => runGit(clone, "push", url, `${commit}:main`)))
  const winners = commits.filter((_, index) => results[index]?.code === 0)
  expect(winners).toEqual([refsOf(path)["refs/heads/main"]])
  for (const { code, stderr } of results) {
    if (code !== 0) expect(stderr).toMatch(/fetch first|has moved since|failed to update ref|cannot lock ref|non-fast/)
  }
  const { json } = await request(
    serving,
    "GET",
    `/repos/${url.split("/").slice(-2).join("/").replace(".git", "")}/events`
  )
  expect(json.filter(({ type }: { type: string }) => type === "PushEvent")).toHaveLength(1)
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  await vi.waitFor(() => {
    expect(tree(join(path, "objects")).filter((name) => name.includes("incoming"))).toEqual([])
    expect(tree(join(root, "data/git")).filter((name) => name.startsWith(".new-"))).toEqual([])
  })
})

inLongTests(() => {
  it("receives 10,000 objects in a chunked request", { timeout: TIMEOUT }, async () => {
    const { clone, path, url } = await serveEmpty()
    const blobs = Array.from(
      { length: 9_990 },
      (_, index) => `blob\nmark :${index + 1}\ndata ${String(index).length}\n${index}\n`
    )
    const files = blobs.map((_, index) => `M 100644 :${index + 1} ${index % 100}/${index}\n`)
    const commit = "commit refs/heads/many\ncommitter T <t@example.org> 1600000000 +0000\ndata 4\nmany\n"
    git(clone, ["fast-import", "--quiet"], [...blobs, commit, ...files, "\n"].join(""))
    expect(await runGit(clone, "-c", "http.postBuffer=65536", "push", url, "many")).toMatchObject({ code: 0 })
    expect(Number(git(path, ["rev-list", "--objects", "--count", "--all"]))).toBeGreaterThan(10_000)
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  })
})
