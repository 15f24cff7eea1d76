/** isomorphic-git, a git client in JavaScript, clones and fetches over HTTP. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as client from "isomorphic-git"
import { expect, it } from "vitest"
import { git } from "./ForgeProcess.test-support.ts"
import { setUp } from "./IsomorphicGit.test-support.ts"

it("isomorphic-git: clones a public repository, whole, shallow and one branch, and lists references", async () => {
  const { hello, root, world } = await setUp()
  await client.clone(hello)
  expect(readFileSync(join(hello.dir, "README.md"), "utf8")).toBe("# Hello\n\nships\n")
  const log = await client.log(hello)
  expect(log.map(({ oid }) => oid)).toEqual(git(world.path, ["rev-list", "main"]).split("\n"))
  expect((await client.listTags(hello)).toSorted()).toEqual(["light", "v1"])
  const branches = await client.listBranches({ ...hello, remote: "origin" })
  const served = git(world.path, ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"]).split("\n")
  expect(branches.toSorted()).toEqual(["HEAD", ...served].toSorted())
  expect(git(hello.dir, ["fsck", "--strict", "--no-dangling"])).toBe("")

  const shallow = { ...hello, dir: join(root, "shallow"), depth: 1, singleBranch: true, ref: "main" }
  await client.clone(shallow)
  expect((await client.log({ ...shallow, depth: 10 })).map(({ oid }) => oid)).toEqual([world.names["{commit}"]])
  await client.fetch({ ...shallow, depth: 2 })
  expect(await client.log({ ...shallow, depth: 10 })).toHaveLength(2)

  for (const protocolVersion of [1, 2] as const) {
    const refs = await client.listServerRefs({ ...hello, protocolVersion, symrefs: true })
    expect(refs.find(({ ref }) => ref === "HEAD")).toMatchObject({ oid: world.names["{commit}"] })
    expect(refs.find(({ ref }) => ref === "refs/tags/v1")).toMatchObject({ oid: world.names["{tag}"] })
  }
  expect((await client.getRemoteInfo2({ ...hello })).protocolVersion).toBe(2)
})

it("isomorphic-git: private repositories need a token that can read them", async () => {
  const { at } = await setUp()
  await expect(client.clone(at("anonymous"))).rejects.toThrow(/HTTP Error: 401/)
  await expect(client.clone(at("wrong", "wrong"))).rejects.toThrow(/401|cancel/i)
  await expect(client.clone(at("nell", "nell"))).rejects.toThrow(/HTTP Error: 40[34]/)
  await client.clone(at("olive", "olive"))
  const asUser = { ...at("user"), onAuth: () => ({ username: "olive", password: "x-oauth-basic" }) }
  await client.clone(asUser)
  expect(readFileSync(join(asUser.dir, "README.md"), "utf8")).toContain("# made")
})
