import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { expectBackups } from "./BackupUnderLoad.test-support.ts"
import { serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

it("backs up a forge under load, from which another one starts with all acknowledged data", expectBackups)

it("refuses folders that are no backup, and folders in use", async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const serving = await serve(root)
  const { tongs } = shell()
  const fails = async (args: ReadonlyArray<string>, message: string) => {
    const { code, stderr } = await tongs(["data", ...args])
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)])
  }
  const data = join(root, "data")
  await fails(["backup", "--data", join(root, "none"), "--to", join(root, "b")], "No forge has its rows in")
  await fails(["backup", "--data", data, "--to", join(data, "b")], "is in the data folder")
  await fails(["backup", "--data", data, "--to", join(root, "repos")], "exists already")
  await fails(["backup", "--data", data, "--to", join(root, "b"), "--previous", data], "is not a complete backup")
  await fails(["restore", "--from", data, "--data", join(root, "c")], "is not a complete backup")
  expect((await tongs(["data", "backup", "--data", data, "--to", join(root, "b")])).code).toBe(0)
  await fails(["restore", "--from", join(root, "b"), "--data", data], "has a forge already")
  await serving.kill("SIGTERM")
})
