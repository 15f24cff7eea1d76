/** Pushes that try to change references past the rules. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { git, request } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, refsOf, runGit, serveFixtures } from "./GitPush.test-support.ts"

const TIMEOUT = 120_000

/**
 * A forge with an organization whose rules protect `main` and all tags, and the organization's repository with one
 * commit.
 */
const serveProtected = async () => {
  const protects = (target: string, name: string, ...rules: ReadonlyArray<string>) => ({
    organization: "harbor",
    name: target,
    target,
    enforcement: "active",
    conditions: {
      ref_name: { include: [name], exclude: [] },
      repository_name: { include: ["~ALL"], exclude: [] }
    },
    rules: rules.map((type) => ({
      type,
      ...(type === "update" ? { parameters: { update_allows_fetch_and_merge: false } } : {})
    }))
  })
  const forge = await serveFixtures({
    users: [{ login: "ann" }],
    organizations: [{ login: "harbor", members: [{ login: "ann", role: "owner" }] }],
    tokens: [{ token: "anns", user: "ann", scopes: ["repo"] }],
    repositories: [{ full_name: "harbor/boats" }],
    rulesets: [protects("branch", "refs/heads/main", "non_fast_forward", "deletion", "update")]
  })
  const url = cloneUrl(forge.serving, "harbor/boats", "anns")
  const path = join(forge.root, "data/repositories/harbor/boats.git")
  const first = git(forge.clone, ["rev-parse", "HEAD"])
  expect(await runGit(forge.clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
  const second = addCommit(forge.clone, "second")
  expect((await runGit(forge.clone, "push", url, "HEAD:main")).stderr).toContain("rule update")
  expect(await runGit(forge.clone, "push", url, "HEAD:other")).toMatchObject({ code: 0 })
  /** Sends commands without a pack, because the repository has the objects. */
  const send = async (...commands: ReadonlyArray<string>) => {
    const [start = "", ...rest] = commands
    const lines = [`${start}\0report-status`, ...rest].map(packet)
    const response = await fetch(`${forge.serving.url}/harbor/boats.git/git-receive-pack`, {
      method: "POST",
      headers: { authorization: "Bearer anns", "content-type": "application/x-git-receive-pack-request" },
      body: Buffer.concat([Buffer.from(`${lines.join("")}0000`), emptyPack])
    })
    return [response.status, await response.text()] as const
  }
  return { ...forge, url, path, first, second, send }
}

const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`
const emptyPack = Buffer.from("5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex")
const zero = "0".repeat(40)

it("checks references after one with line feeds in its name", { timeout: TIMEOUT }, async () => {
  const { first, path, second, send } = await serveProtected()
  const before = refsOf(path)
  // 512 lines of 128 bytes fill the pipe to the hook, so that the hook reads an empty line at the end of a chunk.
  const create = (at: number) => `${zero} ${first} refs/heads/${String(at).padEnd(34, "x")}`
  const commands = Array.from({ length: 511 }, (_, at) => create(at))
  for (let attempt = 0; attempt < 3; attempt++) {
    const [status, text] = await send(
      ...commands,
      `${create(511).slice(0, -1)}\n\n`,
      `${first} ${second} refs/heads/main`
    )
    expect(status).toBe(200)
    expect(refsOf(path)).toEqual(before)
    expect(text).toContain("ng refs/heads/main pre-receive hook declined")
  }
})

it("does not verify the certificate of a push, which would start gpg", { timeout: TIMEOUT }, async () => {
  const { first, root, serving } = await serveProtected()
  const certificate = [
    "push-cert\0report-status",
    ...["certificate version 0.1", "pusher x", "nonce 1", "", `${zero} ${first} refs/heads/x`].map(
      (line) => `${line}\n`
    ),
    "-----BEGIN PGP SIGNATURE-----\n",
    "x\n",
    "-----END PGP SIGNATURE-----\n",
    "push-cert-end\n"
  ].map(packet)
  const response = await fetch(`${serving.url}/harbor/boats.git/git-receive-pack`, {
    method: "POST",
    headers: { authorization: "Bearer anns", "content-type": "application/x-git-receive-pack-request" },
    body: Buffer.concat([Buffer.from(`${certificate.join("")}0000`), emptyPack])
  })
  expect(await response.text()).toContain("ok refs/heads/x")
  // The forge's home folder.
  expect(existsSync(join(root, ".gnupg"))).toBe(false)
})

it("does not change a protected branch through a symbolic reference", { timeout: TIMEOUT }, async () => {
  const { clone, path, url } = await serveProtected()
  git(path, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
  const before = refsOf(path)
  const pushed = await runGit(clone, "push", url, "HEAD:alias")
  expect(pushed.stderr).toContain("symbolic")
  expect(pushed.code).toBe(1)
  expect(refsOf(path)).toEqual(before)
})

it("changes no protected branch through the endpoints for files, merges and names", { timeout: TIMEOUT }, async () => {
  const { first, path, second, serving } = await serveProtected()
  const before = refsOf(path)
  const as = { ...serving, token: "anns" }
  const base = "/repos/harbor/boats"
  const file = { message: "change", content: "YQ==" }
  const attempts: ReadonlyArray<readonly [string, string, object?]> = [
    ["PUT", `${base}/contents/new`, file],
    ["PUT", `${base}/contents/new`, { ...file, branch: "main" }],
    ["PUT", `${base}/contents/new`, { ...file, branch: "refs/heads/main" }],
    ["PUT", `${base}/contents/new`, { ...file, branch: "heads/main" }],
    ["POST", `${base}/merges`, { base: "main", head: "other" }],
    ["POST", `${base}/merges`, { base: "refs/heads/main", head: second }],
    ["POST", `${base}/branches/main/rename`, { new_name: "free" }],
    ["POST", `${base}/branches/other/rename`, { new_name: "main" }],
    ["PATCH", `${base}/git/refs/heads/main`, { sha: second, force: true }],
    ["PATCH", `${base}/git/refs/heads/other%2f..%2fmain`, { sha: second, force: true }],
    ["PATCH", `${base}/git/refs/heads//main`, { sha: second, force: true }],
    ["DELETE", `${base}/git/refs/heads/main`],
    ["POST", `${base}/git/refs`, { ref: "refs/heads/main", sha: second }],
    ["POST", `${base}/git/refs`, { ref: "refs/heads/../HEAD", sha: second }],
    ["POST", `${base}/git/refs`, { ref: "refs/worktree/x/../../heads/main", sha: second }],
    ["POST", `${base}/git/refs`, { ref: "refs/heads/x\nrefs/heads/main", sha: first }],
    ["POST", `${base}/merge-upstream`, { branch: "main" }]
  ]
  for (const [method, target, body] of attempts) {
    const { json, status } = await request(as, method, target, body)
    expect([status >= 400 && status < 500, refsOf(path)], JSON.stringify([method, target, body, status, json])).toEqual(
      [true, before]
    )
  }
})
