/** Installs the dependencies and builds the program. Like all imports, runs on Node 20 without dependencies. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { failureOf } from "./advice.mjs"
import { locked } from "./lock.mjs"
import { Failure, run, say } from "./run.mjs"
import {
  extentOf,
  isBuilt,
  isInstalled,
  markBuilt,
  markInstalled,
  markPageBuilt,
  node,
  pageToBuild,
  root,
  sources
} from "./workspace.mjs"

/**
 * Arguments and size in MB of an installation on Linux: `download` without any cache, `folder` in `node_modules`.
 * The program trusts the lockfile as it trusts the sources: checking the age of each release takes longer than the
 * installation, and needs the registry even with a full cache. `npm test` checks the ages.
 */
const installations = {
  program: {
    args: ["--config.trust-lockfile=true", "--filter", "tongs-workspace", "--filter", "tongs...", "install", "--prod"],
    contents: "Node 24, pnpm and the packages of the program",
    download: 120,
    folder: 380
  },
  everything: {
    args: ["install"],
    contents: "Node 24, pnpm, the packages of the program and the tools of the tests",
    download: 475,
    folder: 1300
  }
}

/** Fails with `Failure` if Node is too old or git is missing. */
export const checkMachine = async () => {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    throw new Failure(
      `Tongs needs Node 20 or newer; this is ${process.version}. Install a newer one from https://nodejs.org and run this again.`
    )
  }
  if ((await run("looking for git", "git", ["--version"])).code !== 0) {
    throw new Failure("No git on the PATH. Install it (https://git-scm.com/downloads) and run this again.")
  }
}

/**
 * Installs from the lockfile, unless already installed. Throws `Failure`.
 * @param {import("./workspace.mjs").Extent} wanted
 */
export const install = (wanted) =>
  locked(async () => {
    if (isInstalled(wanted)) return
    const extent = extentOf(wanted)
    const { args, contents, download, folder } = installations[extent]
    say(`tongs: fetching ${contents}: up to ${download} MB, ${folder} MB in node_modules`)
    const result = await pnpm("installing dependencies", [
      ...args,
      "--prefer-offline",
      "--frozen-lockfile",
      "--reporter",
      "append-only"
    ])
    if (result.code !== 0) throw failureOf("Installing the dependencies failed", result.output)
    markInstalled(extent)
  })

/**
 * Builds the program or all packages. Skips the program if the sources have not changed since the last build.
 * @param {import("./workspace.mjs").Extent} extent
 */
export const build = (extent) =>
  locked(async () => {
    const digest = sources()
    if (extent === "program" && isBuilt(digest)) return { code: 0, output: "" }
    const result = await (extent === "program" ? buildProgram() : turbo("building", ["build"]))
    if (result.code === 0) markBuilt(digest)
    return result
  })

/** Builds the changed code-search page, then the program with the page, without turbo, which `npm start` lacks. */
const buildProgram = async () => {
  const digest = pageToBuild()
  if (digest !== undefined) {
    const page = await tool("building the code-search page", "apps/explorer", "vite/bin/vite.js", ["build"])
    if (page.code !== 0) return page
    markPageBuilt(digest)
  }
  return tool("building", "apps/cli", "rolldown/bin/cli.mjs", ["--config", "rolldown.config.ts"])
}

/**
 * Runs a file of a package's dependency in the package.
 * @param {string} title
 * @param {string} folder of the package
 * @param {string} file in the package's `node_modules`
 * @param {ReadonlyArray<string>} args
 */
const tool = (title, folder, file, args) =>
  run(title, node, [join(root, folder, "node_modules", file), ...args], { cwd: join(root, folder) })

/**
 * Runs turbo tasks. pnpm puts turbo on the PATH.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
const turbo = (title, args) =>
  pnpm(title, ["exec", "turbo", "run", ...args, "--output-logs=errors-only", "--log-order=grouped"])

/**
 * Runs the pnpm version of `package.json` with npx.
 * @param {string} title
 * @param {ReadonlyArray<string>} args
 */
const pnpm = (title, args) => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return run(title, "npx", ["--yes", packageManager, ...args], {
    env: {
      CI: "true",
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      // Overrides `npm --silent start`, which would hide the reason for a failure.
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      // The versions are exact, so that a cached package needs no registry.
      npm_config_prefer_offline: "true",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_retry_maxtimeout: "5000"
    }
  })
}
