/** Deleting a repository during a clone and a push, and with the command. */
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { request as sendRequest } from "node:http"
import { join } from "node:path"
import { expect, it, vi } from "vitest"
import { git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, createClone, runGit, tree } from "./GitPush.test-support.ts"
import { commands } from "./SlowClient.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

const TIMEOUT = 120_000

/** Starts a forge with a hosted repository of 24 MB, and a folder of `--repos` with another one. */
const setUp = async () => {
  const root = temporaryFolder()
  const mine = join(root, "repos", "mine")
  mkdirSync(mine, { recursive: true })
  git(mine, ["init", "--quiet", "--initial-branch=main"])
  addCommit(mine, "a.txt")
  const serving = await serve(root)
  const made = await request(serving, "POST", "/user/repos", { name: "hosted" })
  const name: string = made.json.full_name
  const clone = createClone(root)
  writeFileSync(join(clone, "large.bin"), randomBytes(24_000_000))
  addCommit(clone, "b.txt")
  expect(await runGit(clone, "push", cloneUrl(serving, name), "HEAD:main")).toMatchObject({ code: 0 })
  return { root, mine, serving, name, clone, folder: join(root, "data", "repositories", `${name}.git`) }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

/** Posts to a service of git. Does not end the request unless `body` is complete. */
const post = ({ name, serving }: SetUp, service: string, body: Uint8Array, isComplete: boolean) => {
  const client = sendRequest(`${serving.url}/${name}.git/${service}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`git:${serving.token}`).toString("base64")}`,
      "content-type": `application/x-${service}-request`,
      "user-agent": "git/2"
    }
  })
  const answer = new Promise<{ readonly status: number | undefined; readonly bytes: () => Promise<number> }>(
    (resolve, reject) => {
      client.on("error", reject)
      client.on("response", (response) => {
        let size = 0
        // The error of a response that ends early comes before `close`.
        const closed = new Promise<void>((done) => response.on("error", () => {}).once("close", () => done()))
        const bytes = async () => {
          response.on("data", (chunk: Buffer) => (size += chunk.length))
          await closed
          return size
        }
        resolve({ status: response.statusCode, bytes })
      })
    }
  )
  if (isComplete) client.end(body)
  else client.write(body)
  return answer
}

const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

/** The processes of git for the hosted repository. */
const gitProcesses = (pid: number) => commands(pid).filter((line) => line.includes("/git/hosted-"))

it("ends a clone and a push that run, and leaves no process and no file", { timeout: TIMEOUT }, async () => {
  const world = await setUp()
  const { clone, folder, name, serving } = world
  const head = git(clone, ["rev-parse", "HEAD"])
  const want = Buffer.from(`${packet(`want ${head} side-band-64k ofs-delta\n`)}0000${packet("done\n")}`)
  const download = await post(world, "git-upload-pack", want, true)
  expect(download.status).toBe(200)
  const zero = "0".repeat(40)
  const line = packet(`${zero} ${head} refs/heads/new\0report-status side-band-64k`)
  const upload = post(world, "git-receive-pack", Buffer.from(`${line}0000PACK\0\0\0\x02\0\0\0\x05`), false)
  const ended = upload.then(
    ({ status }) => status,
    () => "closed"
  )
  await vi.waitFor(() => expect(gitProcesses(serving.pid).join()).toMatch(/receive-pack/), 10_000)
  expect(gitProcesses(serving.pid).join()).toMatch(/upload-pack/)

  expect((await request(serving, "DELETE", `/repos/${name}`)).status).toBe(204)
  expect(await download.bytes()).toBeLessThan(24_000_000)
  expect([404, 200, "closed"]).toContain(await ended)
  await vi.waitFor(() => expect(gitProcesses(serving.pid)).toEqual([]), 5_000)
  expect(existsSync(folder)).toBe(false)
  expect(readdirSync(join(folder, ".."))).toEqual([])
  expect((await runGit(clone, "push", cloneUrl(serving, name), "HEAD:other")).stderr).toMatch(/not found/i)
  expect(existsSync(folder)).toBe(false)
})

it("asks before a deletion, and keeps a folder of --repos", { timeout: TIMEOUT }, async () => {
  const { mine, name, root, serving } = await setUp()
  const { tongs } = shell(root)
  const env = { TONGS_TOKEN: serving.token, TONGS_URL: serving.url }
  const target = (repository: string) => ["repositories", "delete", repository]
  const refused = await tongs(target(name), { env })
  expect(refused.stderr).toContain(`This would delete a repository: ${name}, which is irreversible.`)
  expect(refused.code).not.toBe(0)
  expect((await request(serving, "GET", `/repos/${name}`)).status).toBe(200)
  const done = await tongs([...target(name), "--yes"], { env })
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("The repository is deleted.")])
  expect((await request(serving, "GET", `/repos/${name}`)).status).toBe(404)

  const before = tree(mine)
  const kept = await tongs([...target(`${name.split("/")[0]}/mine`), "--yes"], { env })
  expect(kept.stderr).toContain("A folder outside of the forge's data folder keeps its files")
  expect(tree(mine)).toEqual(before)
})
