/** `npm start` in new clones of this repository's last commit: time, size, and failures of network and file system. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { environment } from "./LocalRegistry.test-support.ts"
import { removeFolder } from "./TongsCommand.test-support.ts"

/** Megabytes of packages beyond Node. */
const MAX_MEGABYTES = 200

const repository = join(import.meta.dirname, "../..")
const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim()

/** No proxy listens there. */
const dead = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, "http://127.0.0.1:9"])
)

const isRoot = process.getuid?.() === 0

/** True if a file system can be mounted for one process. */
const canMount = isRoot && spawnSync("unshare", ["-m", "true"]).status === 0

/** A user without rights in the clones of the user root. */
const NOBODY = 65_534

let folder = ""
let home = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tongs-clones-"))
  chmodSync(folder, 0o755)
  home = mkdtempSync(join(folder, "home-"))
})
afterAll(() => removeFolder(folder))

const clone = (name: string) => {
  const path = join(folder, name)
  execFileSync("git", ["clone", "--quiet", repository, path])
  return path
}

interface Where {
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
  readonly uid?: number
}

/** Runs `npm start -- --version` with the Node of the system. */
const start = async (cwd: string, where: Where = {}) => {
  const env = { ...environment(where.home ?? home, registry), ...where.env }
  const started = performance.now()
  const id = where.uid === undefined ? {} : { uid: where.uid, gid: where.uid }
  const child = spawn("npm", ["start", "--", "--version"], { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...id })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  const [code] = await once(child, "close")
  return { code: Number(code), output, seconds: (performance.now() - started) / 1000 }
}

/** Megabytes of the files in a folder. Counts hard links once, and does not follow symbolic links. */
const megabytesOf = (path: string, counted = new Set<number>()): number => {
  let megabytes = 0
  for (const entry of readdirSync(path)) {
    const child = lstatSync(join(path, entry))
    if (child.isDirectory()) megabytes += megabytesOf(join(path, entry), counted)
    else if (child.isFile() && !counted.has(child.ino)) megabytes += child.size / 1e6
    counted.add(child.ino)
  }
  return megabytes
}

it("installs only what the program needs, and says how much it fetches", async () => {
  const path = clone("first")
  const { code, output, seconds } = await start(path)
  expect(output).toContain("tongs: fetching Node 24, pnpm and the packages of the program: up to")
  expect([code, output]).toEqual([0, expect.stringMatching(/\ntongs \d/)])
  const modules = join(path, "node_modules")
  const node = megabytesOf(realpathSync(join(modules, "node")))
  const all = megabytesOf(modules)
  expect(all - node).toBeLessThan(MAX_MEGABYTES)
  const tools = readdirSync(join(modules, ".pnpm")).filter((name) =>
    /^(oxlint|turbo|typescript|vitest|knip)@/.test(name)
  )
  expect(tools).toEqual([])
  const again = await start(path)
  expect(again.code).toBe(0)
  console.log(
    `npm start in a new clone and an empty home: ${seconds.toFixed(1)} s, ${all.toFixed(0)} MB in node_modules, ` +
      `of which Node ${node.toFixed(0)} MB; again ${again.seconds.toFixed(1)} s`
  )
})

it("works in a second clone without network", async () => {
  const { code, output, seconds } = await start(clone("second"), { env: dead })
  expect([code, output]).toEqual([0, expect.stringMatching(/\ntongs \d/)])
  console.log(`npm start in a second clone without network: ${seconds.toFixed(1)} s`)
})

it("reports a registry that cannot be reached", async () => {
  const { code, output } = await start(clone("offline"), { home: mkdtempSync(join(folder, "empty-")), env: dead })
  expect(code).toBe(1)
  expect(output).toMatch(
    /tongs: Installing the dependencies failed: .*\nCannot reach the package registry\. Connect to/
  )
  expect(output).not.toMatch(/^ +at /m)
})

it.skipIf(!isRoot)("reports a clone that is not writable, and runs in it if it is built (needs root)", async () => {
  const other = mkdtempSync(join(folder, "nobody-"))
  chmodSync(other, 0o777)
  const { code, output } = await start(clone("unwritable"), { home: other, uid: NOBODY })
  expect(code).toBe(1)
  expect(output).toMatch(/tongs: Cannot install or build in .*EACCES.*\nA folder is not writable\. Make this checkout/)
  const built = await start(join(folder, "first"), { home: other, uid: NOBODY })
  expect([built.code, built.output]).toEqual([0, expect.stringMatching(/\ntongs \d/)])
})

it.skipIf(!canMount).for([120, 250])("reports a full disk of %d MB (needs root and unshare)", async (size) => {
  const disk = mkdtempSync(join(folder, "disk-"))
  const script = `mount -t tmpfs -o size=${size}m tmpfs "$1" && git clone --quiet "$2" "$1/clone" && cd "$1/clone" &&
    HOME="$1" exec npm start -- --version`
  const child = spawn("unshare", ["-m", "sh", "-c", script, "sh", disk, repository], {
    env: { ...environment(disk, registry), PATH: `/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin` },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const [code] = await once(child, "close")
  expect(code).toBe(1)
  expect(stderr).toMatch(/tongs: Installing the dependencies failed.*[\s\S]*The disk is full\. Free about 1 GB/)
  expect(existsSync(join(disk, "clone"))).toBe(false)
})
