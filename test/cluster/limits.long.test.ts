/** The rate limits of a cluster: its processes together admit no more requests than one process would. */
import { expect, it } from "vitest"
import { startCluster } from "./Cluster.test-support.ts"
import { createRepository, loginOf } from "./ClusterRepository.test-support.ts"

/** The documented limits: searches, and requests that create content, in a minute. */
const SEARCHES = 30
const CONTENTS = 80

/** Concurrent requests, below the limit of concurrent requests. */
const CONCURRENT = 24

const statusesOf = async (requests: number, send: (index: number) => Promise<Response>) => {
  const statuses: Array<number> = []
  let next = 0
  const one = async () => {
    while (next < requests) {
      const response = await send(next++)
      await response.arrayBuffer()
      statuses.push(response.status)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, one))
  return statuses
}

const countOf = (statuses: ReadonlyArray<number>) =>
  Object.fromEntries(
    Map.groupBy(statuses, (status) => status)
      .entries()
      .map(([status, { length }]) => [status, length])
  )

it("three processes admit as many requests as one, also after one was killed", async () => {
  const cluster = await startCluster({
    flags: ["--limits", "spec"],
    prepare: ({ repositories, root }) => void createRepository(root, repositories, "limited")
  })
  const login = await loginOf(cluster)
  const headers = {
    authorization: `Bearer ${cluster.token}`,
    "user-agent": "test",
    "content-type": "application/json"
  }
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${cluster.url}${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const at = `/repos/${login}/limited`

  const searches = await statusesOf(2 * SEARCHES, (index) =>
    send("GET", `/search/issues?q=word${index}+repo:${login}/limited`)
  )
  expect(countOf(searches)).toEqual({ 200: SEARCHES, 403: SEARCHES })

  const creations = await statusesOf(CONTENTS / 2, (index) =>
    send("POST", `${at}/issues`, { title: `before ${index}` })
  )
  expect(countOf(creations)).toEqual({ 201: CONTENTS / 2 })
  const [killed] = cluster.members
  await killed?.kill()
  await killed?.restart()
  // Counts are in the database, so that the new process knows those of the killed one.
  const more = await statusesOf(CONTENTS, (index) => send("POST", `${at}/issues`, { title: `after ${index}` }))
  const { 201: admitted = 0, ...refused } = countOf(more)
  expect(admitted).toBeLessThanOrEqual(CONTENTS / 2)
  expect(admitted).toBeGreaterThanOrEqual(CONTENTS / 4)
  expect(Object.keys(refused).filter((status) => !["403", "429", "503"].includes(status))).toEqual([])
})
