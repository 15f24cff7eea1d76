/** Large logs take little memory, and a full disk leaves nothing behind. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { canMount, mount, unmount } from "./FullDisk.test-support.ts"
import { commit, git, isCluster, request, serve } from "./ForgeProcess.test-support.ts"
import { ask, createJob, transfer } from "./RunLog.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"

/**
 * Size of the log and maximum growth of the memory, in megabytes. In a cluster the process also passes on the requests of
 * others.
 */
const SIZE = 2048
const maxGrowth = isCluster ? 150 : 50

const start = async (root: string) => {
  const path = join(root, "repos", "one")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const serving = await serve(root)
  const { login } = (await request(serving, "GET", "/user")).json
  const paths = await createJob(serving, `${login}/one`, sha)
  return { paths, serving }
}

it.skipIf(process.platform !== "linux")(
  "a log of 2 GB goes up, broken off and resumed, and down",
  { timeout: 600_000 },
  async () => {
    const { paths, serving } = await start(temporaryFolder())
    const { grown, received, sent, size } = await transfer(serving, paths, SIZE)
    expect(received).toBe(sent)
    expect(size).toBe(SIZE * 1024 * 1024)
    expect(grown).toBeLessThan(maxGrowth)
    await serving.kill("SIGTERM")
  }
)

it.skipIf(!canMount)("a full disk refuses a log with 507 and leaves nothing (needs root to mount one)", async () => {
  const root = temporaryFolder()
  const data = join(root, "data")
  mkdirSync(data)
  expect(mount(data)).toBe(true)
  onTestFinished(() => void unmount(data))
  const { paths, serving } = await start(root)
  const refused = await ask(serving, "PUT", paths.upload, Buffer.alloc(64 * 1024 * 1024))
  expect(refused.status).toBe(507)
  const logs = join(data, "run-logs")
  const files = existsSync(logs) ? readdirSync(logs, { recursive: true, withFileTypes: true }) : []
  expect(files.filter((one) => one.isFile()).map(({ name }) => name)).toEqual([])
  expect((await ask(serving, "PUT", paths.upload, "small")).status).toBe(200)
  await serving.kill("SIGTERM")
  rmSync(join(root, "repos"), { recursive: true })
})
