/** Test forges in parallel processes and threads see nothing of each other, and leave nothing. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isLong } from "../LongTests.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"
import { type Mode, type Report, run } from "./TestForgeProcess.test-support.ts"

/** Command lines of all processes of this machine that mention a path. */
const processesWith = (path: string): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8")]
      } catch {
        return []
      }
    })
    .filter((line) => line.includes(path))

const expectNothingLeft = async (folder: string) => {
  await expect.poll(() => processesWith(folder)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
}

describe.runIf(existsSync("/proc/self/fd"))("test forges", () => {
  it("are separate in processes and threads, and leave nothing", async () => {
    const folder = temporaryFolder()
    // A process with threads runs the tests in two threads.
    const modes: ReadonlyArray<Mode> = isLong
      ? ["tests", "tests", "tests", "tests", "threads", "threads"]
      : ["tests", "threads"]
    const tests = isLong ? 125 : 10
    const results = await Promise.all(modes.map((mode, index) => run(mode, folder, String(index), tests)))
    for (const { code, stderr, stdout } of results) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const { after, before, during }: Report = JSON.parse(stdout)
      expect(after.sockets).toBeLessThanOrEqual(before.sockets)
      expect(after.children).toBe(0)
      expect(after.active).toEqual(before.active)
      // A process for objects, one for references, the thread or process of the code index.
      expect(during.children).toBeLessThanOrEqual(6)
      expect(during.sockets - before.sockets).toBeLessThanOrEqual(60)
    }
    await expectNothingLeft(folder)
  })

  it("leave a folder if their process is killed, which the next start removes", async () => {
    const folder = temporaryFolder()
    expect(await run("kill", folder)).toMatchObject({ signal: "SIGKILL" })
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await run("tests", folder)).toMatchObject({ code: 0, stderr: "" })
    await expectNothingLeft(folder)
  })

  it("let a process end that does not close them", async () => {
    const folder = temporaryFolder()
    const { code, stderr, stdout } = await run("forget", folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toContain("1 forge was not closed")
    await expectNothingLeft(folder)
  })
})
