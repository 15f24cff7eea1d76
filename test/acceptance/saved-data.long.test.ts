/**
 * The data folder, config file and budget store that an earlier version wrote (November 2026). Never edit these files.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import { type ForgeProcess, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { shell } from "./TongsCommand.test-support.ts"

const saved = (name: string) => readFileSync(new URL(`saved-data/${name}`, import.meta.url), "utf8")

const write = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { mode: 0o600 })
}

const restore = (path: string, sql: string) => {
  mkdirSync(dirname(path), { recursive: true })
  // The tables in a dump are in alphabetical order.
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  database.exec(sql)
  database.close()
}

/** Restores the data folder, in which files have absolute paths, and whose repositories are kept as text. */
const restoreData = (root: string) => {
  const data = join(root, "data")
  for (const [name, bytes] of Object.entries<string>(JSON.parse(saved("files.json")))) {
    write(join(data, name), Buffer.from(bytes, "base64"))
  }
  for (const name of ["forge", "requests"]) {
    restore(join(data, `${name}.db`), saved(`${name}.sql`).replaceAll("{data}", data))
  }
  for (const name of ["ada/lamp", "north-pier/lighthouse"]) {
    const path = join(data, "repositories", `${name}.git`)
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path])
  }
  const lamp = join(data, "repositories", "ada", "lamp.git")
  execFileSync("git", ["-C", lamp, "fast-import", "--quiet"], { input: saved("lamp.fast-export") })
}

const serveSaved = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  restoreData(root)
  const forge = await serve(root)
  return { forge, root }
}

const ada = (forge: ForgeProcess) => {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await request({ ...forge, token: "saved-token-of-ada" }, method, path, body)
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
    return response.json
  }
  return { get: (path: string) => send("GET", path), send }
}

/** The key of a credential's budget. */
const scopeOf = (host: string, token: string) =>
  `${host}#${createHash("sha256").update(`tongs ${host} ${token}`).digest("hex").slice(0, 16)}`

it("opens a saved data folder with everything in it", async () => {
  const { forge } = await serveSaved()
  const { get } = ada(forge)
  const names = async (path: string, name: string) => (await get(path)).map((one: Record<string, unknown>) => one[name])
  expect(await get("/user")).toMatchObject({ login: "ada", name: "Ada Fenwick" })
  expect(await names("/user/repos", "full_name")).toEqual(["ada/lantern", "north-pier/lighthouse"])
  expect(await names("/repos/ada/lantern/branches", "name")).toEqual(["beam", "main"])
  expect(await names("/repos/ada/lantern/commits", "sha")).toEqual(["71c01b10848f4e4815006ef4959ad05c0af782f5"])
  expect(await names("/repos/ada/lantern/events", "type")).toEqual([
    "CreateEvent",
    "WatchEvent",
    "CreateEvent",
    "CreateEvent"
  ])
  const [hook] = await get("/repos/ada/lantern/hooks")
  expect(hook).toMatchObject({ events: ["push"], config: { url: "https://bells.example/push", secret: "********" } })
  expect(await names(`/repos/ada/lantern/hooks/${hook.id}/deliveries`, "event")).toEqual(["push"])
  expect(await names("/repos/ada/lantern/comments", "body")).toEqual(["Loud **enough**."])
  expect(await names("/repos/ada/lantern/pulls/comments", "body")).toEqual(["Five kilometres?"])
  expect(await names("/user/keys", "title")).toEqual(["laptop"])
  expect(await names("/user/blocks", "login")).toEqual(["ben"])
  expect(await names("/orgs/north-pier/rulesets", "name")).toEqual(["protect main"])
  const { artifacts } = await get("/repos/ada/lantern/actions/artifacts")
  expect(artifacts).toMatchObject([{ name: "report", expired: false }])
  const headers = { authorization: "Bearer saved-token-of-ada", "user-agent": "test" }
  const archive = await fetch(`${forge.url}/repos/ada/lantern/actions/artifacts/${artifacts[0].id}/zip`, { headers })
  expect(
    Buffer.from(await archive.arrayBuffer())
      .subarray(0, 2)
      .toString()
  ).toBe("PK")
  // The repository answers under the former name, too.
  expect(await get("/repos/ada/lamp")).toMatchObject({ full_name: "ada/lantern" })
})

it("writes to a saved data folder", async () => {
  const { forge } = await serveSaved()
  const { get, send } = ada(forge)
  const object = { ref: "refs/heads/fog", sha: "71c01b10848f4e4815006ef4959ad05c0af782f5" }
  await send("POST", "/repos/ada/lantern/git/refs", object)
  expect((await get("/repos/ada/lantern/branches")).map(({ name }: { name: string }) => name)).toContain("fog")
  expect((await get("/repos/ada/lantern/events"))[0]).toMatchObject({ payload: { ref: "fog" } })
  await send("PATCH", "/repos/ada/lantern/comments/1", { body: "Brighter" })
  await send("POST", "/user/repos", { name: "foghorn", auto_init: true })
  expect(await get("/repos/ada/foghorn")).toMatchObject({ default_branch: "main" })
})

it("reads a saved config file, and shares a saved budget store", async () => {
  const { forge, root } = await serveSaved()
  const { home, tongs } = shell(root)
  const config = saved("config.json").replaceAll("{url}", forge.url).replaceAll("{data}", join(root, "data"))
  write(join(home, ".config", "tongs", "config.json"), config)
  const now = Date.now()
  // Counters of requests have slots of half a second; this one is two seconds ago.
  const slot = Math.floor(now / 500) - 4
  const budgets = saved("budgets.sql")
    .replaceAll("{scope}", scopeOf(new URL(forge.url).host, "saved-token-of-ada"))
    .replaceAll("{reset}", String(Math.ceil(now / 1_000) * 1_000 + 1_800_000))
    .replaceAll("{tick}", String(slot))
    .replaceAll("{now}", String(now))
  const store = join(home, ".local", "state", "tongs", "limits.sqlite")
  restore(store, budgets)

  const { code, stderr, stdout } = await tongs(["--profile", "saved", "api", "/user"])
  expect([code, stderr]).toEqual([0, ""])
  expect(JSON.parse(String(stdout))).toMatchObject({ login: "ada" })

  const database = new DatabaseSync(store)
  const rows = database.prepare("SELECT body FROM budgets").all()
  database.close()
  expect(rows).toHaveLength(1)
  expect(JSON.parse(String(rows[0]?.body)).meters).toContainEqual(["GET /user", [slot, 1, expect.any(Number), 1]])
})
