import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { expectBackups } from "./BackupUnderLoad.test-support.ts"
import { git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, createClone, runGit } from "./GitPush.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

const MEGABYTE = 1024 * 1024

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

it("keeps the shared objects of forks", async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const token = (login: string) => `${login}-0123456789abcdef0123`
  const users = ["ada", "grace"]
  const fixtures = {
    users: users.map((login) => ({ login })),
    tokens: users.map((login) => ({ token: token(login), user: login, scopes: ["repo"] }))
  }
  writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
  const serving = await serve(root, "--fixtures", join(root, "fixtures.json"))
  const as = (login: string) => ({ ...serving, token: token(login) })
  expect((await request(as("ada"), "POST", "/user/repos", { name: "large" })).status).toBe(201)
  const clone = createClone(root)
  writeFileSync(join(clone, "noise"), randomBytes(3 * MEGABYTE))
  addCommit(clone, "large")
  expect((await runGit(clone, "push", "--quiet", cloneUrl(as("ada"), "ada/large"), "main")).stderr).toBe("")
  expect((await request(as("grace"), "POST", "/repos/ada/large/forks")).status).toBe(202)
  const { tongs } = shell()
  expect((await tongs(["data", "backup", "--data", join(root, "data"), "--to", join(root, "b")])).code).toBe(0)
  await serving.kill("SIGTERM")
  rmSync(join(root, "data"), { recursive: true })
  expect((await tongs(["data", "restore", "--from", join(root, "b"), "--data", join(root, "c/data")])).code).toBe(0)
  const folders = readdirSync(join(root, "c/data/repositories/grace"))
  expect(folders).toHaveLength(1)
  const path = join(root, "c/data/repositories/grace", folders[0] ?? "")
  expect(existsSync(join(path, "objects/info/alternates"))).toBe(true)
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  expect(git(path, ["cat-file", "-s", "main:noise"])).toBe(String(3 * MEGABYTE))
})
