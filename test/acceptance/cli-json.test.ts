/** `--fields` and `--jq` of the built program. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, renameSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { program, shell, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

it("selects fields and runs jq in the bundle", async () => {
  const { tongs } = shell()
  const names = await tongs(["--demo", "branches", "list", "--fields", "name", "--jq", ".[:2][].name"])
  expect([names.code, names.stderr]).toEqual([0, ""])
  expect(names.stdout.toString().trim().split("\n")).toHaveLength(2)
  const found = await tongs(["--demo", "search", "lamp", "--jq", ".items | map(.path) | length > 0"])
  expect(found.stdout.toString()).toBe("true\n")
  const unknown = await tongs(["--demo", "branches", "list", "--fields", "nme"])
  expect(unknown).toMatchObject({
    code: 2,
    stderr: 'tongs: Unknown field "nme".\nAvailable fields:\n  commit\n  name\n  protected\n'
  })
})

it(
  "ends an endless expression with SIGINT",
  async () => {
    const { tongs } = shell()
    const within = ["timeout", "--preserve-status", "--signal=INT", "4"]
    const ran = await tongs(["--demo", "auth", "status", "--jq", "last(range(1e15))"], { within })
    expect(ran).toMatchObject({ code: 130, stderr: "" })
  },
  TIMEOUT
)

it("contains jq with its licence, and needs it only for --jq", () => {
  const dist = join(temporaryFolder(), "dist")
  cpSync(dirname(program), dist, { recursive: true })
  expect(existsSync(join(dist, "jq/LICENSE"))).toBe(true)
  const codeOf = (...args: ReadonlyArray<string>) =>
    spawnSync(process.execPath, [join(dist, "tongs.js"), ...args], { env: { HOME: dist } }).status
  expect(codeOf("auth", "status", "--jq", ".")).toBe(0)
  for (const file of ["jq-thread.js", "jq"]) {
    renameSync(join(dist, file), join(dist, "moved"))
    expect([codeOf("auth", "status", "--json"), codeOf("auth", "status", "--jq", ".")]).toEqual([0, 1])
    renameSync(join(dist, "moved"), join(dist, file))
  }
})
