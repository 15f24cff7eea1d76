/** Reads while references change, so that no response from references can be cached. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { commit, git, request, serve } from "./ForgeProcess.test-support.ts"
import { temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const MILLIS = 4_000

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

it("many readers of one file wait no longer than few readers of a folder", { timeout: 2 * TIMEOUT }, async () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "one")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const serving = await serve(root)
  const { login } = (await request(serving, "GET", "/user")).json
  const base = `/repos/${login}/one`
  const until = Date.now() + MILLIS

  const repeat = async (run: () => Promise<void>) => {
    while (Date.now() < until) await run()
  }
  let written = 0
  const write = async () => {
    const ref = `refs/heads/branch-${written++}`
    expect((await request(serving, "POST", `${base}/git/refs`, { ref, sha })).status).toBe(201)
  }
  const times = { file: new Array<number>(), folder: new Array<number>() }
  const read = (path: string, taken: Array<number>) => async () => {
    const begun = performance.now()
    expect((await request(serving, "GET", base + path)).status).toBe(200)
    taken.push(performance.now() - begun)
  }
  await Promise.all([
    ...Array.from({ length: 4 }, () => repeat(write)),
    ...Array.from({ length: 64 }, () => repeat(read("/contents/a.txt", times.file))),
    ...Array.from({ length: 4 }, () => repeat(read("/contents/", times.folder)))
  ])
  expect(written).toBeGreaterThan(4)
  expect(median(times.file)).toBeLessThan(3 * median(times.folder))
})
