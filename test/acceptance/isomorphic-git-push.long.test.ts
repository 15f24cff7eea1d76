/** isomorphic-git, a git client in JavaScript, pushes over HTTP. */
import type fs from "node:fs"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as client from "isomorphic-git"
import { expect, it } from "vitest"
import { setUp } from "./IsomorphicGit.test-support.ts"
import type { octokitFor } from "./Octokit.test-support.ts"

const author = { name: "Olive Marsh", email: "olive@harbor.example" }

/** Returns the commit that a reference of `harbor/made` points to. */
const tip = async (octokit: ReturnType<typeof octokitFor>, ref: string) =>
  (await octokit.rest.git.getRef({ owner: "harbor", repo: "made", ref })).data.object.sha

/** Writes and commits a file. */
const commit = async (at: { readonly dir: string; readonly fs: typeof fs }, path: string, text: string) => {
  writeFileSync(join(at.dir, path), text)
  await client.add({ ...at, filepath: path })
  return client.commit({ ...at, message: `Write ${path}`, author })
}

it("isomorphic-git: pushes commits, branches and tags, and fetches those of others", async () => {
  const { at, octokit } = await setUp()
  const [one, other] = [at("one", "olive"), at("other", "olive")]
  await client.clone(one)
  await client.clone(other)

  const first = await commit(one, "größe.txt", "one\n")
  expect((await client.push(one)).ok).toBe(true)
  expect(await tip(octokit, "heads/main")).toBe(first)
  await client.tag({ ...one, ref: "v1.0.0" })
  await client.push({ ...one, ref: "v1.0.0" })
  expect(await tip(octokit, "tags/v1.0.0")).toBe(first)
  await client.push({ ...one, remoteRef: "refs/heads/topic/new" })
  expect(await tip(octokit, "heads/topic/new")).toBe(first)

  expect((await client.fetch({ ...other, tags: true })).fetchHead).toBe(first)
  await client.pull({ ...other, author, ref: "main" })
  expect(readFileSync(join(other.dir, "größe.txt"), "utf8")).toBe("one\n")

  await commit(other, "other.txt", "other\n")
  await client.push(other)
  await commit(one, "one.txt", "two\n")
  await expect(client.push(one)).rejects.toThrow(/not a simple fast-forward|fast-forward/)
  await client.push({ ...one, remoteRef: "refs/heads/topic/new", delete: true })
  await expect(tip(octokit, "heads/topic/new")).rejects.toMatchObject({ status: 404 })
  expect(
    (await octokit.rest.activity.listRepoEvents({ owner: "harbor", repo: "made" })).data.map(({ type }) => type)
  ).toEqual(expect.arrayContaining(["PushEvent", "CreateEvent", "DeleteEvent"]))
})

it("isomorphic-git: a ruleset refuses a push, and so does a token that can only read", async () => {
  const { at, hello, octokit, root } = await setUp()
  await octokit.rest.repos.createOrgRuleset({
    org: "harbor",
    name: "No release branches",
    target: "branch",
    enforcement: "active",
    conditions: {
      ref_name: { include: ["refs/heads/release/*"], exclude: [] },
      repository_name: { include: ["~ALL"], exclude: [] }
    },
    rules: [{ type: "creation" }]
  })
  const own = at("own", "olive")
  await client.clone(own)
  await expect(client.push({ ...own, remoteRef: "refs/heads/release/1" })).rejects.toThrow(/release\/1/)
  await expect(tip(octokit, "heads/release/1")).rejects.toMatchObject({ status: 404 })

  const reader = { ...hello, dir: join(root, "reader"), onAuth: () => ({ username: "x", password: "nell" }) }
  await client.clone(reader)
  await commit(reader, "nell.txt", "nell\n")
  await expect(client.push({ ...reader, remoteRef: "refs/heads/nell" })).rejects.toThrow(/HTTP Error: 40[134]/)
})
