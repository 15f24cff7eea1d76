/** Pushes that create repositories, and hostile pushes. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { createHash } from "node:crypto"
import { expect, it, vi } from "vitest"
import { git, request, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, refsOf, runGit, serveEmpty, serveFixtures, tree } from "./GitPush.test-support.ts"

const TIMEOUT = 120_000

/** Folders of repositories, and temporary ones. */
const folders = (root: string) => [
  ...tree(join(root, "data/repositories")).filter((name) => name.split("/").length === 2),
  ...tree(join(root, "data/git")).filter((name) => name.startsWith(".new-") || name.includes("new-boat"))
]

it("creates a private repository by the first push, if it is accepted", { timeout: TIMEOUT }, async () => {
  const { clone, root, serving } = await serveFixtures(
    {
      users: [{ login: "ann" }, { login: "bob" }],
      organizations: [{ login: "harbor", members: [{ login: "ann", role: "owner" }] }],
      tokens: [
        { token: "anns", user: "ann", scopes: ["repo"] },
        { token: "public", user: "ann", scopes: ["public_repo"] },
        { token: "selected", user: "ann", kind: "fine_grained", permissions: { contents: "write" } },
        { token: "bobs", user: "bob", scopes: ["repo"] }
      ],
      repositories: [{ full_name: "ann/old" }, { full_name: "harbor/old" }],
      rulesets: [
        {
          organization: "harbor",
          name: "words",
          target: "branch",
          enforcement: "active",
          conditions: {
            ref_name: { include: ["~ALL"], exclude: [] },
            repository_name: { include: ["~ALL"], exclude: [] }
          },
          rules: [{ type: "commit_message_pattern", parameters: { operator: "starts_with", pattern: "fix" } }]
        }
      ]
    },
    "--push-to-create"
  )
  const before = folders(root)
  const push = (token: string, name: string, ...refs: ReadonlyArray<string>) =>
    runGit(clone, "push", cloneUrl(serving, name, token), ...refs)
  expect((await push("bobs", "ann/new", "HEAD:trunk")).stderr).toContain("remote: Repository not found.")
  expect((await push("bobs", "harbor/new", "HEAD:trunk")).stderr).toMatch(/^remote: bob may not change/)
  expect((await push("public", "ann/new", "HEAD:trunk")).stderr).toContain("requires the repo scope")
  expect((await push("selected", "ann/new", "HEAD:trunk")).stderr).toContain("remote: Resource not accessible")
  expect((await push("anns", "ann/new", "HEAD:refs/bisect/x")).code).toBe(1)
  expect((await push("anns", "harbor/new-boat", "HEAD:trunk")).stderr).toContain(
    'remote: refs/heads/trunk: ruleset "words", rule commit_message_pattern'
  )
  await vi.waitFor(() => expect(folders(root)).toEqual(before))

  const created = await push("anns", "ann/new", "HEAD:trunk")
  expect(created.stderr).toContain("remote: Creating the private repository ann/new.")
  expect(created.code).toBe(0)
  const as: ForgeProcess = { ...serving, token: "anns" }
  const { json } = await request(as, "GET", "/repos/ann/new")
  expect(json).toMatchObject({ private: true, default_branch: "trunk" })
  const events = await request(as, "GET", "/repos/ann/new/events")
  expect(events.json.map(({ payload }: { payload: { ref_type: string } }) => payload.ref_type)).toEqual([
    "branch",
    "repository"
  ])
  addCommit(clone, "second")
  expect((await push("anns", "ann/new", "HEAD:trunk")).stderr).toContain("HEAD -> trunk")
  git(clone, ["commit", "--quiet", "--amend", "-m", "fix: all"])
  git(clone, ["checkout", "--quiet", "--orphan", "root"])
  git(clone, ["commit", "--quiet", "-m", "fix: begin"])
  expect((await push("anns", "harbor/new-boat", "HEAD:main", "HEAD:next")).code).toBe(0)
  expect((await request(as, "GET", "/repos/harbor/new-boat")).json.default_branch).toBe("main")
})

it("creates nothing without the option", { timeout: TIMEOUT }, async () => {
  const { clone, login, root, serving } = await serveEmpty()
  const { stderr } = await runGit(clone, "push", cloneUrl(serving, `${login}/new`), "HEAD:main")
  expect(stderr).toContain("remote: Repository not found.")
  expect(existsSync(join(root, "data/repositories"))).toBe(false)
})

const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

/** Creates a pack of one object. `size` is the size in the object's header. */
const pack = (type: number, size: number, body: Buffer) => {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest % 128)
  }
  const whole = Buffer.concat([Buffer.from("PACK\0\0\0\u0002\0\0\0\u0001", "latin1"), Buffer.from(bytes), body])
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()])
}

it("survives broken and hostile packs, and keeps nothing of them", { timeout: TIMEOUT }, async () => {
  const { clone, name, path, root, serving, url } = await serveEmpty()
  await runGit(clone, "push", url, "HEAD:main")
  const before = { refs: refsOf(path), objects: tree(join(path, "objects")) }
  const post = async (body: Buffer) => {
    const response = await fetch(`${serving.url}/${name}.git/git-receive-pack`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${serving.token}`,
        "user-agent": "git/2",
        "content-type": "application/x-git-receive-pack-request"
      },
      body: new Uint8Array(body)
    })
    return [response.status, await response.text()] as const
  }
  const [zero, one] = ["0".repeat(40), "1".repeat(40)]
  const create = (ref: string) => Buffer.from(`${packet(`${zero} ${one} ${ref}\0report-status side-band-64k`)}0000`)
  const zeros = deflateSync(Buffer.alloc(64 * 1024 * 1024))
  const huge = 900 * 1024 * 1024
  const bodies: ReadonlyArray<Buffer> = [
    Buffer.from("0000"),
    Buffer.from("hello"),
    Buffer.from("fffffff"),
    create("refs/heads/x"),
    Buffer.concat([create("refs/heads/x"), Buffer.from("PACK\0\0\0\u0002\u007f\u00ff\u00ff\u00ff", "latin1")]),
    // A tree and a commit of a size that git would have to hold in memory.
    Buffer.concat([create("refs/heads/x"), pack(2, huge, zeros)]),
    Buffer.concat([create("refs/heads/x"), pack(1, huge, zeros)]),
    Buffer.concat([create("refs/heads/../../x"), pack(3, 3, deflateSync("abc"))]),
    Buffer.concat([create("refs/heads/x"), pack(6, 3, Buffer.from([0x80, 0x7f, ...deflateSync("abc")]))])
  ]
  for (const body of bodies) {
    const [status, text] = await post(body)
    expect([status < 500, text.includes("ok refs/")]).toEqual([true, false])
  }
  await vi.waitFor(() => {
    expect({ refs: refsOf(path), objects: tree(join(path, "objects")) }).toEqual(before)
    expect(tree(join(root, "data/git")).filter((file) => /^\.new-|^pushes\//.test(file))).toEqual([])
  })
  addCommit(clone, "second")
  expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
})
