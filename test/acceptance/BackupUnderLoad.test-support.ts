/** Backs up a forge during pushes, merges, issues and repacks, and checks a forge that is restored from the backup. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import { expect } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, createClone, runGit } from "./GitPush.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

/** What the forge has acknowledged. */
interface Acknowledged {
  /** Titles of issues. */
  readonly issues: Array<string>
  /** Commits of pushes to `main`, by repository. */
  readonly pushes: Array<{ readonly repository: string; readonly commit: string }>
  /** Numbers of merged pull requests. */
  readonly merges: Array<number>
}

const expectStatus = (status: number, { json, status: found }: { readonly status: number; readonly json: unknown }) =>
  expect([found, json]).toEqual([status, json])

interface Load {
  readonly acknowledged: Acknowledged
  readonly hasEnded: () => boolean
  /** Ends the load. Fails if a request failed. */
  readonly stop: () => Promise<void>
}

/** Starts to change a forge in all ways at once. */
const startLoad = (root: string, serving: ForgeProcess, owner: string, folders: ReadonlyArray<string>): Load => {
  const acknowledged: Acknowledged = { issues: [], pushes: [], merges: [] }
  const state = { isStopped: false }
  const base = `/repos/${owner}`

  const repeat = async (step: (index: number) => Promise<void>) => {
    for (let index = 0; !state.isStopped; index++) await step(index)
  }

  const pushes = (repository: string) => {
    const clone = createClone(root, `clone-${repository}`)
    return repeat(async (index) => {
      const commit = addCommit(clone, `file-${index}`)
      const { code, stderr } = await runGit(
        clone,
        "push",
        "--quiet",
        cloneUrl(serving, `${owner}/${repository}`),
        "main"
      )
      expect([code, stderr]).toEqual([0, ""])
      acknowledged.pushes.push({ repository, commit })
    })
  }

  const merges = async () => {
    const { json: tip } = await request(serving, "GET", `${base}/merged/git/ref/heads/main`)
    await repeat(async (index) => {
      const branch = `topic-${index}`
      const ref = { ref: `refs/heads/${branch}`, sha: tip.object.sha }
      expectStatus(201, await request(serving, "POST", `${base}/merged/git/refs`, ref))
      const content = Buffer.from(`${index}\n`).toString("base64")
      const file = { message: branch, content, branch }
      expectStatus(201, await request(serving, "PUT", `${base}/merged/contents/${branch}.txt`, file))
      const pull = await request(serving, "POST", `${base}/merged/pulls`, { title: branch, head: branch, base: "main" })
      expectStatus(201, pull)
      expectStatus(200, await request(serving, "PUT", `${base}/merged/pulls/${pull.json.number}/merge`, {}))
      acknowledged.merges.push(pull.json.number)
    })
  }

  const issues = () =>
    repeat(async (index) => {
      const title = `Issue ${index}`
      expectStatus(201, await request(serving, "POST", `${base}/merged/issues`, { title }))
      acknowledged.issues.push(title)
    })

  /** What `git gc` does with objects and references. */
  const repacks = () =>
    repeat(async () => {
      for (const folder of folders) {
        await runGit(folder, "repack", "-a", "-d", "-l", "-k", "-q")
        await runGit(folder, "pack-refs", "--all")
      }
      await pause(50)
    })

  const running = Promise.all([pushes("pushed"), pushes("outside"), merges(), issues(), repacks()])
  running.catch(() => {
    state.isStopped = true
  })
  return {
    acknowledged,
    hasEnded: () => state.isStopped,
    stop: async () => {
      state.isStopped = true
      await running
    }
  }
}

const copyOf = ({ issues, merges, pushes }: Acknowledged): Acknowledged => ({
  issues: [...issues],
  merges: [...merges],
  pushes: [...pushes]
})

/** Waits until more changes of each kind are acknowledged, or the load has failed. */
const grow = async ({ acknowledged, hasEnded }: Load, by: number) => {
  const { issues, merges, pushes } = copyOf(acknowledged)
  while (
    !hasEnded() &&
    (acknowledged.issues.length < issues.length + by ||
      acknowledged.merges.length < merges.length + by ||
      acknowledged.pushes.length < pushes.length + by)
  ) {
    await pause(20)
  }
}

/** Runs `tongs data` with the database of a data folder, and returns its JSON. */
const data = async (folder: string, args: ReadonlyArray<string>) => {
  const env = await ForgeRows.environment(folder)
  const { code, stderr, stdout } = await shell().tongs(["data", ...args, "--json"], { env })
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout.toString())
}

/** Copies the rows of a restored data folder to a PostgreSQL database. */
const moveTo = async (database: string, target: string) => {
  const url = new URL(database)
  const passwordFile = join(target, "password")
  writeFileSync(passwordFile, decodeURIComponent(url.password), { mode: 0o600 })
  url.password = ""
  const to = ["--to", url.href, "--database-password-file", passwordFile]
  await data(target, ["copy", "--data", join(target, "data"), ...to])
}

/** Columns with ids of objects, and the SQL of their repository's path. */
const OBJECT_IDS = `
  SELECT r.git AS git, p.base_sha AS id FROM pull_requests p JOIN repositories r ON r.id = p.repository_id
  UNION SELECT r.git, p.head_sha FROM pull_requests p JOIN repositories r ON r.id = p.repository_id
  UNION SELECT r.git, p.merge_commit_sha FROM pull_requests p JOIN repositories r ON r.id = p.repository_id
    WHERE p.merge_commit_sha IS NOT NULL
  UNION SELECT r.git, json_extract(e.payload, '$.head') FROM events e JOIN repositories r ON r.id = e.repository_id
    WHERE e.type = 'PushEvent'`

/** Checks that the repositories have all objects that the rows name, and are whole. */
const expectObjects = (folder: string): number => {
  const database = new DatabaseSync(join(folder, "forge.db"), { readOnly: true })
  const rows = database.prepare(OBJECT_IDS).all()
  const paths = database.prepare("SELECT git FROM repositories").all()
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([])
  database.close()
  for (const row of rows) {
    const [path, id] = [String(row["git"]), String(row["id"])]
    expect(path.startsWith(folder)).toBe(true)
    expect(() => git(path, ["cat-file", "-e", id]), `${path} ${id}`).not.toThrow()
  }
  for (const { git: path } of paths) expect(git(String(path), ["fsck", "--strict", "--no-dangling"])).toBe("")
  return rows.length
}

/** Checks that a restored forge answers with all that was acknowledged. */
const expectAcknowledged = async (
  restored: ForgeProcess,
  owner: string,
  folder: string,
  { issues, merges, pushes }: Acknowledged
) => {
  const titles = new Set<string>()
  for (let page = 1; ; page++) {
    const list = `/repos/${owner}/merged/issues?state=all&per_page=100&page=${page}`
    const { json, status } = await request(restored, "GET", list)
    expect(status).toBe(200)
    for (const { title } of json) titles.add(title)
    if (json.length < 100) break
  }
  expect(issues.filter((title) => !titles.has(title))).toEqual([])
  for (const number of merges) {
    const { json } = await request(restored, "GET", `/repos/${owner}/merged/pulls/${number}`)
    expect([number, json.merged]).toEqual([number, true])
  }
  const database = new DatabaseSync(join(folder, "forge.db"), { readOnly: true })
  for (const { commit, repository } of pushes) {
    const row = database.prepare("SELECT git FROM repositories WHERE name = ?").get(repository)
    expect(() => git(String(row?.["git"]), ["merge-base", "--is-ancestor", commit, "main"]), commit).not.toThrow()
  }
  database.close()
}

export const expectBackups = async (): Promise<void> => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", join(root, "repos", "outside.git")])
  const serving = await serve(root)
  const { json: user } = await request(serving, "GET", "/user")
  const owner: string = user.login
  expectStatus(201, await request(serving, "POST", "/user/repos", { name: "pushed" }))
  expectStatus(201, await request(serving, "POST", "/user/repos", { name: "merged", auto_init: true }))
  const source = join(root, "data")
  const folders = (await ForgeRows.query(source, "SELECT git FROM repositories")).map((row) => String(row["git"]))
  // The objects of the backup become links; those of the repacked repositories move to new packs.
  expectStatus(201, await request(serving, "POST", "/user/repos", { name: "quiet", auto_init: true }))
  const load = startLoad(root, serving, owner, folders)
  const { acknowledged, stop } = load
  await grow(load, 8)

  const before = copyOf(acknowledged)
  const first = await data(source, ["backup", "--data", source, "--to", join(root, "first")])
  const during = copyOf(acknowledged)
  expect(during.pushes.length).toBeGreaterThan(before.pushes.length)
  await grow(load, 1)
  const between = copyOf(acknowledged)
  const again = ["backup", "--data", source, "--previous", join(root, "first"), "--to", join(root, "second")]
  const second = await data(source, again)
  await stop()
  await serving.kill("SIGTERM")
  expect(first).toMatchObject({ missing: [], repositories: 4, linked: 0 })
  expect(second.linked).toBeGreaterThan(0)

  for (const [name, known] of [
    ["first", before],
    ["second", between]
  ] as const) {
    const target = join(root, `restored-${name}`)
    await data(target, ["restore", "--from", join(root, name), "--data", join(target, "data")])
    expect(existsSync(join(target, "data", "backup.json"))).toBe(false)
    expect(statSync(join(target, "data")).mode & 0o777).toBe(0o700)
    const token = (folder: string) => readFileSync(join(folder, "token"), "utf8")
    expect(token(join(target, "data"))).toBe(token(source))
    expect(expectObjects(join(target, "data"))).toBeGreaterThan(20)
    mkdirSync(join(target, "repos"))
    const { TONGS_DATABASE: database } = await ForgeRows.environment(join(target, "data"))
    if (database !== undefined) await moveTo(database, target)
    const restored = await serve(target)
    await expectAcknowledged(restored, owner, join(target, "data"), known)
    await restored.kill("SIGTERM")
  }
}
