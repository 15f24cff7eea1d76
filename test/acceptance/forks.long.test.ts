import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { once } from "node:events"
import { startForge } from "@tongs/testing"
import { expect, it } from "vitest"

const MEGABYTE = 1024 * 1024
const FILES = 50
const FORKS = 100

/** Bytes of a folder on the disk. */
const sizeOf = (folder: string) =>
  Number(execFileSync("du", ["--summarize", "--block-size=1", folder]).toString().split("\t")[0])

/** Adds a commit of files that cannot be compressed. */
const addFiles = async (gitDir: string) => {
  // In a pack, without a search for similar files.
  const args = ["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--big-file-threshold=1m"]
  const git = spawn("git", args, { cwd: gitDir, stdio: ["pipe", "inherit", "inherit"] })
  const write = async (part: string | Buffer) => {
    if (!git.stdin.write(part)) await once(git.stdin, "drain")
  }
  for (let file = 1; file <= FILES; file++) {
    await write(`blob\nmark :${file}\ndata ${10 * MEGABYTE}\n`)
    await write(randomBytes(10 * MEGABYTE))
    await write("\n")
  }
  await write("commit refs/heads/main\ncommitter a <a@example.org> 1700000000 +0000\ndata 5\nlarge\n")
  for (let file = 1; file <= FILES; file++) await write(`M 100644 :${file} files/${file}.bin\n`)
  git.stdin.end("\n")
  await once(git, "close")
}

it("100 forks of a repository of 500 MB take less than 10 MB each", { timeout: 1_200_000 }, async () => {
  await using forge = await startForge()
  const upstream = await forge.repo("keeper/large", {})
  await addFiles(upstream.path)
  const data = join(upstream.path, "../../..")
  const before = sizeOf(data)
  expect(before).toBeGreaterThan(500 * MEGABYTE)
  const fork = async (login: string) => {
    const { token } = await forge.user(login)
    const begin = performance.now()
    for (;;) {
      const response = await fetch(`${forge.url}/repos/keeper/large/forks`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "user-agent": "test" }
      })
      const text = await response.text()
      if (response.status !== 503) expect(response.status, text).toBe(202)
      if (response.status === 202) return performance.now() - begin
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  const first = await fork("user-1")
  const others: Array<number> = []
  for (let number = 2; number <= FORKS; number++) others.push(await fork(`user-${number}`))
  // The upstream repository drops its copies of the shared objects in the background.
  await expect.poll(() => sizeOf(data) - before, { timeout: 120_000, interval: 500 }).toBeLessThan(FORKS * MEGABYTE)
  const each = (sizeOf(data) - before) / FORKS
  console.log(
    `first fork ${Math.round(first)} ms, others ${Math.round(others.reduce((a, b) => a + b, 0) / others.length)} ms, ` +
      `${Math.round(each / 1024)} KB for each fork, ${Math.round(before / MEGABYTE)} MB before`
  )
  const fsck = (gitDir: string) => execFileSync("git", ["fsck", "--full"], { cwd: gitDir, stdio: "pipe" })
  fsck(upstream.path)
  fsck(
    execFileSync("find", [join(data, "repositories/user-1"), "-maxdepth", "1", "-name", "*.git"])
      .toString()
      .trim()
  )
})
