/** What the forge has acknowledged is there, whatever happens to its process, and whoever else has its folder open. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import { commit, folder, git, request, serve, type Serving } from "./Serve.test-support.ts"

const repository = (root: string) => {
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  commit(path, { "a.txt": "one\n" }, "first")
  return path
}

const integrity = (root: string) => {
  const database = new DatabaseSync(join(root, "data", "forge.db"), { readOnly: true })
  try {
    return database.prepare("PRAGMA integrity_check").get()
  } finally {
    database.close()
  }
}

const sound = { integrity_check: "ok" }

/** What was acknowledged: commits, references, and repositories that were made. */
interface Acknowledged {
  readonly refs: Map<string, string>
  readonly repositories: Set<string>
}

/** Writes without a pause until the forge is gone; `onAcknowledged` hears of each write. */
const write = async (
  serving: Serving,
  base: string,
  tree: string,
  name: string,
  acknowledged: Acknowledged,
  onAcknowledged: () => void
) => {
  try {
    for (let index = 0; ; index++) {
      const created = await request(serving, "POST", `${base}/git/commits`, { message: `${name} ${index}`, tree })
      if (created.status !== 201) throw new Error(JSON.stringify(created.json))
      onAcknowledged()
      const ref = `refs/heads/${name}/${index}`
      const { sha } = created.json
      const pointed = await request(serving, "POST", `${base}/git/refs`, { ref, sha })
      if (pointed.status !== 201) throw new Error(JSON.stringify(pointed.json))
      acknowledged.refs.set(ref, sha)
      onAcknowledged()
      if (index % 3 !== 0) continue
      const repository = `${name}-${index}`
      const made = await request(serving, "POST", "/user/repos", { name: repository, auto_init: true })
      if (made.status !== 201) throw new Error(JSON.stringify(made.json))
      acknowledged.repositories.add(repository)
      onAcknowledged()
    }
  } catch (error) {
    // `fetch` fails so when the process is gone; everything else is a finding.
    if (!(error instanceof TypeError)) throw error
  }
}

it("20 times SIGKILL in a stream of writes: what was acknowledged is there", async () => {
  const root = folder()
  const path = repository(root)
  git(path, ["commit", "--quiet", "--allow-empty", "-m", "second"])
  const tree = git(path, ["rev-parse", "main^{tree}"])
  git(path, ["checkout", "--quiet", "--detach"])
  const acknowledged: Acknowledged = { refs: new Map(), repositories: new Set() }

  for (let round = 0; round < 20; round++) {
    const serving = await serve(root)
    const { json: user } = await request(serving, "GET", "/user")
    const base = `/repos/${user.login}/hello`
    let left = 3 + round
    let killed: Promise<void> | undefined
    const onAcknowledged = () => {
      left -= 1
      if (left === 0) killed = serving.kill("SIGKILL")
    }
    const writers = ["a", "b", "c"].map((name) =>
      write(serving, base, tree, `${round}${name}`, acknowledged, onAcknowledged)
    )
    await Promise.all(writers)
    await killed

    const refs = git(path, ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]).split("\n")
    const there = new Map(refs.map((line) => [line.split(" ")[0], line.split(" ")[1]]))
    for (const [ref, sha] of acknowledged.refs) expect(there.get(ref), ref).toBe(sha)
    expect(integrity(root)).toEqual(sound)
  }

  const serving = await serve(root)
  const { json: user } = await request(serving, "GET", "/user")
  const [ref = "", sha] = [...acknowledged.refs].at(-1) ?? []
  expect(
    (await request(serving, "GET", `/repos/${user.login}/hello/git/${ref.replace("refs/", "ref/")}`)).json.object.sha
  ).toBe(sha)
  expect(acknowledged.repositories.size).toBeGreaterThan(20)
  for (const name of acknowledged.repositories) {
    const head = await request(serving, "GET", `/repos/${user.login}/${name}/git/ref/heads/main`)
    expect([name, head.status]).toEqual([name, 200])
  }
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
})

it("processes that share a folder of data share everything, from the first start on", async () => {
  const root = folder()
  const path = repository(root)
  const bare = join(root, "repos", "bare.git")
  git(root, ["clone", "--quiet", "--bare", path, bare])
  const all = await Promise.all(Array.from({ length: 3 }, () => serve(root)))
  expect(new Set(all.map(({ token }) => token)).size).toBe(1)
  expect(new Set(all.map(({ url }) => url)).size).toBe(3)
  const [one, two, three] = all
  if (one === undefined || two === undefined || three === undefined) throw new Error("three were started")
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
  expect(integrity(root)).toEqual(sound)
  expect(git(bare, ["fsck", "--strict", "--no-dangling"])).toBe("")
})
