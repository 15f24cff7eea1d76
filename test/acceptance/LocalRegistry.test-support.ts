/** A local npm registry with this workspace's packages, in front of the configured registry. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The published packages, made by `npm run pack`. */
const packages = fileURLToPath(new URL("../../dist-packages/", import.meta.url))

/** Not a dependency of the tests: it installs 65 MB. One of its plugins asks for a tag that not every registry has. */
const verdaccio = { dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } }

/** Variables that a machine needs to reach its registry. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i

/** Variables of an empty home that uses the registry. `path` are folders before those of the system. */
export const environment = (home: string, registry: string, ...path: ReadonlyArray<string>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name))),
  HOME: home,
  PATH: [...path, "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
  npm_config_registry: registry,
  npm_config_loglevel: "error",
  npm_config_update_notifier: "false",
  npm_config_audit: "false"
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

/** Installs and starts the registry in a folder. Returns its URL, and a function that ends it. */
export const startRegistry = async (folder: string): Promise<{ readonly url: string; readonly stop: () => void }> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...verdaccio }))
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--loglevel=error"], { cwd: folder })
  const { stdout } = await run("npm", ["config", "get", "registry"], { cwd: folder })
  const url = `http://127.0.0.1:${await freePort()}/`
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

/** Publishes the packages as the release does. Returns their names and the sizes of their files. */
export const publish = async (url: string, home: string): Promise<ReadonlyMap<string, number>> => {
  const token = `--//${new URL(url).host}/:_authToken=none`
  const env = environment(home, url)
  const script = () => run(process.execPath, [join(packages, "../scripts/publish.mjs"), token], { env })
  await script()
  const { stdout } = await script()
  return new Map(
    [...stdout.matchAll(/^(\S+) (\S+) is published already$/gm)].map(([, name = "", version = ""]) => {
      const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`
      return [name, statSync(join(packages, file)).size]
    })
  )
}
