/** Processes with the same data folder see each other's acknowledged writes. */
import { join } from "node:path"
import { expect, it } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { commit, temporaryFolder, git, request, serve } from "./ForgeProcess.test-support.ts"

const repository = (root: string) => {
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  commit(path, { "a.txt": "one\n" }, "first")
  return path
}

it("processes with one data folder share all data, from the first start on", async () => {
  const root = temporaryFolder()
  const path = repository(root)
  const bare = join(root, "repos", "bare.git")
  git(root, ["clone", "--quiet", "--bare", path, bare])
  const all = await Promise.all(Array.from({ length: 3 }, () => serve(root)))
  expect(new Set(all.map(({ token }) => token)).size).toBe(1)
  expect(new Set(all.map(({ url }) => url)).size).toBe(3)
  const [one, two, three] = all
  if (one === undefined || two === undefined || three === undefined) throw new Error("Expected three processes")
  const { json: user } = await request(one, "GET", "/user")
  const base = `/repos/${user.login}`

  const created = await request(one, "POST", "/user/repos", { name: "shared", auto_init: true })
  expect(created.status).toBe(201)
  expect((await request(two, "GET", `${base}/shared`)).json.id).toBe(created.json.id)
  const taken = await Promise.all(all.map((forge) => request(forge, "POST", "/user/repos", { name: "contested" })))
  expect(taken.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])

  const head = git(bare, ["rev-parse", "main"])
  const next = Array.from({ length: 30 }, (_, index) =>
    git(bare, ["commit-tree", "-p", head, "-m", `${index}`, `${head}^{tree}`])
  )
  const moved = await Promise.all(
    next.map((sha, index) => request(all[index % 3] ?? one, "PATCH", `${base}/bare/git/refs/heads/main`, { sha }))
  )
  expect(moved.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(moved.filter(({ status }) => status === 422)).toHaveLength(29)
  for (const forge of all) {
    const { json } = await request(forge, "GET", `${base}/bare/git/ref/heads/main`)
    expect(json.object.sha).toBe(git(bare, ["rev-parse", "main"]))
  }
  expect(await ForgeRows.damage(join(root, "data"))).toEqual([])
  expect(git(bare, ["fsck", "--strict", "--no-dangling"])).toBe("")
})
