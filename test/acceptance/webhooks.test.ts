/** Deliveries of several processes; what happens to them when a process is killed is in `crash.test.ts`. */
import { join } from "node:path"
import { expect, it, vi } from "vitest"
import { commit, folder, git, request, serve } from "./Serve.test-support.ts"
import { PATIENCE } from "./Tongs.test-support.ts"
import { receiver, refOf, secret } from "./Webhooks.test-support.ts"

it("processes that share an outbox send nothing twice", async () => {
  const root = folder()
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const { received, url } = await receiver()
  const all = await Promise.all([1, 2, 3].map(() => serve(root, "--allow-local-webhooks")))
  const [first] = all
  if (first === undefined) throw new Error("three were started")
  const { json: user } = await request(first, "GET", "/user")
  const base = `/repos/${user.login}/hello`
  const config = { url, secret, content_type: "json" }
  const { json: hook } = await request(first, "POST", `${base}/hooks`, { config, events: ["create"] })
  const names = Array.from({ length: 60 }, (_, index) => `refs/heads/x/${index}`)
  await Promise.all(
    names.map((ref, index) => request(all[index % 3] ?? first, "POST", `${base}/git/refs`, { ref, sha }))
  )
  // Until the last answer is on record: what is cut off while it waits for one is rightly sent again by another.
  const sent = async () => (await request(first, "GET", `${base}/hooks/${hook.id}/deliveries?per_page=100`)).json
  await vi.waitFor(async () => expect(await sent()).toHaveLength(names.length + 1), {
    timeout: PATIENCE,
    interval: 100
  })
  await Promise.all(all.map((serving) => serving.kill("SIGTERM")))
  expect(
    received
      .filter(({ event }) => event === "create")
      .map(refOf)
      .toSorted()
  ).toEqual(names.toSorted())
})
