/** The first start without a data folder: in unwritable places, and several at a time. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { temporaryFolder, shell, program } from "./TongsCommand.test-support.ts"

describe("the demonstration", () => {
  it("is created by one of several concurrent starts, or by another if that one dies", async () => {
    const { home, tongs } = shell()
    const args = ["--demo", "--json", "users", "me"]
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: "ignore"
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const isGone = once(child, "exit")
    const forges = join(home, ".cache/tongs/demo")
    const names = () => (existsSync(forges) ? readdirSync(forges) : [])
    await vi.waitFor(() => expect(names()).toHaveLength(1), { timeout: 60_000, interval: 5 })
    const others = [tongs(args), tongs(args)]
    child.kill("SIGKILL")
    await isGone
    for (const { code, stderr, stdout } of await Promise.all(others)) {
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^(tongs: warning: Waiting for another process to create the demonstration[^\n]*\n)?$/)
      ])
      expect(JSON.parse(stdout.toString()).login).toBe("ada")
    }
    expect(names()).toHaveLength(1)
  })
})

describe("a data folder that cannot be created", () => {
  it("is reported at once with the reason", async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, "file"), "")
    symlinkSync(join(root, "nothing"), join(root, "link"))
    const { tongs } = shell(root)
    const cases: ReadonlyArray<readonly [data: string, code: number, output: string]> = [
      ["file", 1, "file is a file, not a folder. Check the folder's permissions"],
      ["link", 1, "link is a broken symbolic link. Check the folder's permissions"],
      ["", 2, "Empty value for --data"],
      ...(process.platform === "linux" ? [["/proc/none", 1, "/proc does not allow new folders."] as const] : []) // a row
    ]
    for (const [data, code, output] of cases) {
      const ran = await tongs(["users", "me", "--data", data])
      expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(output)])
    }
  })

  it("is reported by doctor", async () => {
    const { home, tongs } = shell()
    writeFileSync(join(home, "file"), "")
    const { stdout } = await tongs(["doctor"], { env: { TONGS_DATA: "~/file/data" } })
    expect(stdout.toString()).toContain(`Cannot write to ${join(home, "file/data")}.`)
  })
})
