/**
 * The packages in the form for users: published to a local registry, then run by npx and installed in an empty home.
 */
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { environment, type Published, publishLocally } from "./LocalRegistry.test-support.ts"
import { lintPackages } from "./OutsideProject.test-support.ts"

const run = promisify(execFile)

/** Time from nothing to the overview of the demonstration (seconds). */
const MAX_SECONDS = 10

/** The Node that runs this test, which is the one for `tongs`. */
const node24 = dirname(process.execPath)

let published: Published

beforeAll(async () => {
  published = await publishLocally("tongs")
}, 600_000)

afterAll(() => published.close())

const megabytesOf = (path: string) =>
  Number(execFileSync("du", ["-s", "--apparent-size", "-B1000", path], { encoding: "utf8" }).split("\t")[0]) / 1000

const packagesIn = (modules: string) => readdirSync(modules).filter((name) => !name.startsWith("."))

it("npx tongs shows the demonstration in an empty home in less than 10 s", async () => {
  for (const times of ["first", "second"]) {
    const empty = published.folder()
    const env = environment(empty, published.url, node24)
    const start = performance.now()
    const { stdout } = await run("npx", ["--yes", "tongs", "--demo", "--plain"], { cwd: empty, env })
    const seconds = (performance.now() - start) / 1000
    expect(stdout).toContain("north-pier/lighthouse")
    expect(seconds).toBeLessThan(MAX_SECONDS)
    const again = performance.now()
    await run("npx", ["--yes", "tongs", "--demo", "--plain"], { cwd: empty, env })
    const cached = (performance.now() - again) / 1000
    console.log(
      `npx tongs --demo --plain in an empty home, ${times} time: ${seconds.toFixed(1)} s, again ${cached.toFixed(1)} s; ` +
        `package ${(statSync(published.files[0] ?? "").size / 1e6).toFixed(1)} MB, npm's folder ${megabytesOf(join(empty, ".npm")).toFixed(1)} MB`
    )
  }
})

it("npm install --global tongs installs one package and the keychain library of the platform", async () => {
  const prefix = published.folder()
  // npm reads the global configuration, for example certificates, from the prefix.
  const env = environment(prefix, published.url, node24)
  const start = performance.now()
  await run("npm", ["install", "--global", "--prefix", prefix, "tongs"], { cwd: prefix, env })
  const seconds = (performance.now() - start) / 1000
  const modules = join(prefix, "lib/node_modules")
  expect(packagesIn(modules)).toEqual(["tongs"])
  const nested = join(modules, "tongs/node_modules")
  expect(existsSync(nested) ? packagesIn(nested) : ["@napi-rs"]).toEqual(["@napi-rs"])
  const notices = readFileSync(join(modules, "tongs/THIRD-PARTY-NOTICES.md"), "utf8")
  for (const name of ["- effect ", "- react ", "- openpgp ", "SIL Open Font License", "markdown-it-footnote "]) {
    expect(notices.toLowerCase()).toContain(name.toLowerCase())
  }
  expect(readFileSync(join(modules, "tongs/dist/openpgp/LICENSE"), "utf8")).toContain("GNU LESSER GENERAL PUBLIC")
  expect(readFileSync(join(modules, "tongs/dist/openpgp/GPL-3.0.txt"), "utf8")).toContain("GNU GENERAL PUBLIC")
  // npm's shims for Windows start the program of this line.
  expect(readFileSync(join(modules, "tongs/dist/tongs.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/)
  const { stdout } = await run(join(prefix, "bin/tongs"), ["--demo", "users", "me", "--json"], { cwd: prefix, env })
  expect(stdout).toContain('"ada"')
  console.log(
    `npm install --global tongs: ${seconds.toFixed(1)} s, ${megabytesOf(modules).toFixed(1)} MB with the keychain library`
  )
})

it("has no problem for publint and attw", () => lintPackages(published))

it("starts without optional dependencies", async () => {
  const empty = published.folder()
  const env = environment(empty, published.url, node24)
  await run("npm", ["install", "--global", "--omit=optional", "--prefix", empty, "tongs"], { cwd: empty, env })
  const { stdout } = await run(join(empty, "bin/tongs"), ["--demo", "auth", "status"], {
    cwd: empty,
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" }
  })
  expect(stdout).not.toBe("")
})

for (const version of [18, 20, 22]) {
  it(`reports Node ${version}, and the printed line works`, async () => {
    const old = published.folder()
    mkdirSync(join(old, "bin"))
    await run("npm", ["install", "--prefix", old, `node@${version}`, "tongs"], {
      cwd: old,
      env: environment(old, published.url, node24)
    })
    const oldNode = join(old, "node_modules/node/bin")
    const env = environment(old, published.url, oldNode)
    const failed: unknown = await run(join(old, "node_modules/.bin/tongs"), ["--demo", "search", "fog horn"], {
      cwd: old,
      env
    }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 1, stdout: "" })
    const stderr = String(Object(failed).stderr)
    expect(stderr).toContain(`tongs needs Node 24 or newer, and this is Node ${version}.`)
    const line = stderr.split("\n").find((text) => text.startsWith("  npx ")) ?? ""
    expect(line.trim()).toBe("npx -p node@24 -p tongs tongs --demo search 'fog horn'")
    // The npm of this machine does not support Node 18.
    if (version === 18) return
    const { stdout } = await run("sh", ["-c", line], {
      cwd: published.folder(),
      env: { ...env, npm_config_yes: "true" }
    })
    expect(stdout).toContain("fog horn")
  })
}
