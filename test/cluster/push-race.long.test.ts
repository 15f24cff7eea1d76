/** Concurrent pushes to one branch through all processes: exactly one is accepted, and all processes show it. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { git, request } from "../acceptance/ForgeProcess.test-support.ts"
import { createClone, runGit } from "../acceptance/GitPush.test-support.ts"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { startCluster } from "./Cluster.test-support.ts"
import { createRepository, loginOf, remoteOf, setting } from "./ClusterRepository.test-support.ts"

const rounds = setting("TONGS_TEST_PUSH_RACES", 200)

/** Messages of git for a push that came second. */
const rejected = /rejected|cannot lock ref|failed to update ref|fetch first|failed to push/

it(`of three concurrent pushes through three processes one is accepted, ${rounds} times`, async () => {
  let first = ""
  const cluster = await startCluster({
    prepare: ({ repositories, root }) => {
      ;[first] = createRepository(root, repositories, "race")
    }
  })
  const { members, repositories, root } = cluster
  const path = join(repositories, "race.git")
  const name = `${await loginOf(cluster)}/race`
  const clones = members.map(({ index }) => createClone(root, `clone-${index}`))
  for (const clone of clones) git(clone, ["fetch", "--quiet", path, "main"])
  let winner = first
  const accepted: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const pushes = await Promise.all(
      members.map(async (member, index) => {
        const clone = clones[index] ?? ""
        git(clone, ["fetch", "--quiet", path, winner])
        const sha = git(clone, ["commit-tree", "-p", winner, "-m", `${round} of ${index}`, `${winner}^{tree}`])
        return { clone, member, sha }
      })
    )
    const results = await Promise.all(
      pushes.map(async ({ clone, member, sha }) => {
        const { code, stderr } = await runGit(clone, "push", remoteOf(member, name), `${sha}:refs/heads/main`)
        return { code, stderr, sha, member }
      })
    )
    const winners = results.filter(({ code }) => code === 0)
    expect(winners, `round ${round}: ${JSON.stringify(results)}`).toHaveLength(1)
    for (const { code, stderr } of results) if (code !== 0) expect(stderr).toMatch(rejected)
    winner = winners[0]?.sha ?? ""
    accepted[winners[0]?.member.index ?? 0] = (accepted[winners[0]?.member.index ?? 0] ?? 0) + 1
    for (const member of [...members, cluster]) {
      const { json } = await request(member, "GET", `/repos/${name}/git/ref/heads/main`)
      expect(json.object.sha).toBe(winner)
    }
    expect(git(path, ["rev-parse", "main"])).toBe(winner)
  }
  const heads = await ForgeRows.query(cluster.data, "SELECT payload FROM events WHERE type = 'PushEvent' ORDER BY id")
  const chain = heads.map(({ payload }) => JSON.parse(String(payload)))
  expect(chain).toHaveLength(rounds)
  for (const [index, { before }] of chain.entries()) expect(before).toBe(chain[index - 1]?.head ?? first)
  expect(git(path, ["fsck", "--full", "--strict", "--no-dangling"])).toBe("")
  console.log(`accepted pushes by process: ${members.map(({ index }) => accepted[index] ?? 0).join(", ")}`)
})
