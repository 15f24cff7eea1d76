/** A local npm registry with this workspace's packages, in front of the configured registry. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { removeFolder } from "./TongsCommand.test-support.ts"

const run = promisify(execFile)

const root = join(import.meta.dirname, "../..")

/** The folder of the packed packages. */
const packages = join(root, "dist-packages")

/**
 * Not a dependency of the tests, because the package installs 65 MB. A plugin of verdaccio asks for a tag that not
 * every registry has.
 */
const verdaccio = { dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } }

/** Variables that a machine needs to reach a registry. */
const network = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i

/** Variables of an empty home that uses the registry. `path` are folders before the system's. */
export const environment = (home: string, registry: string, ...path: ReadonlyArray<string>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => network.test(name))),
  HOME: home,
  PATH: [...path, "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
  npm_config_registry: registry,
  npm_config_loglevel: "error",
  npm_config_update_notifier: "false",
  npm_config_audit: "false"
})

/** Lets a server listen on a free port of this machine. Returns the URL. */
export const listeningUrl = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return `http://127.0.0.1:${address.port}/`
}

/** Returns the URL of a free port. */
export const freeUrl = async (): Promise<string> => {
  const server = createServer()
  const url = await listeningUrl(server)
  server.close()
  await once(server, "close")
  return url
}

/** Installs and starts the registry in a folder. Returns the URL, and a function that ends the registry. */
const startRegistry = async (folder: string): Promise<{ readonly url: string; readonly stop: () => void }> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...verdaccio }))
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], {
    cwd: folder
  })
  const { stdout } = await run("npm", ["config", "get", "registry"], { cwd: folder })
  const url = await freeUrl()
  const config = {
    storage: join(folder, "storage"),
    uplinks: { outside: { url: stdout.trim(), cache: true } },
    packages: {
      tongs: { access: "$all", publish: "$all" },
      "@tongs/*": { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "outside" }
    },
    log: { type: "file", path: join(folder, "log"), level: "warn" }
  }
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config))
  const args = [join(folder, "node_modules/verdaccio/bin/verdaccio"), "--config", "config.yaml", "--listen", url]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" })
  const isReady = async () => (await fetch(`${url}-/ping`).catch(() => undefined))?.ok === true
  for (const deadline = Date.now() + 60_000; !(await isReady());) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("The registry did not start")
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, stop: () => void child.kill() }
}

/** Publishes the packed packages as the release does. */
const publish = async (url: string, home: string): Promise<void> => {
  const token = `--//${new URL(url).host}/:_authToken=none`
  const script = () =>
    run(process.execPath, [join(root, "scripts/publish.mjs"), token], { env: environment(home, url) })
  await script()
  // An interrupted release is repeated: the second run publishes nothing.
  const { stdout } = await script()
  if (/^(?!.* is published already$).+$/m.test(stdout)) throw new Error(`The packages are published twice:\n${stdout}`)
}

/** A registry with published packages. */
export interface Published {
  readonly url: string
  /** Paths of the packed files. */
  readonly files: ReadonlyArray<string>
  /** Creates an empty folder, which `close` removes. */
  readonly folder: () => string
  readonly close: () => void
}

/** Packs some packages, and publishes them to a new local registry. */
export const publishLocally = async (...names: ReadonlyArray<string>): Promise<Published> => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-published-"))
  const env = { ...process.env, GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "octo/tongs" }
  await run(process.execPath, ["scripts/packages.mjs", ...names], { cwd: root, env, maxBuffer: 1e8 })
  const registry = await startRegistry(join(folder, "registry"))
  const close = () => {
    registry.stop()
    removeFolder(folder)
  }
  try {
    await publish(registry.url, folder)
  } catch (error) {
    close()
    throw error
  }
  const files = readdirSync(packages).filter((name) => name.endsWith(".tgz"))
  return {
    url: registry.url,
    files: files.map((name) => join(packages, name)),
    folder: () => mkdtempSync(join(folder, "home-")),
    close
  }
}
