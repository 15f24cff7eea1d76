/** Makes the published packages from the built workspace, in `dist-packages`. Needs Node 24; see `pack.mjs`. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { build as bundleProgram } from "rolldown"
import { bundle } from "../apps/cli/bundle/Bundle.ts"
import { bundledPackages, notices } from "./notices.mjs"
import { root } from "./workspace.mjs"

const target = join(root, "dist-packages")
const cli = join(root, "apps/cli")
const explorer = join(root, "apps/explorer")

/** The libraries that are published beside the program. */
const libraries = ["packages/core", "packages/client"]

/** @param {string} folder */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * Bundles the program into a folder. Returns the folders of the packages that it contains.
 * @param {string} dist
 */
const program = async (dist) => {
  /** @type {Set<string>} */
  const folders = new Set()
  const page = join(target, "page")
  const vite = await import(pathToFileURL(createRequire(join(explorer, "package.json")).resolve("vite")).href)
  await vite.build({
    root: explorer,
    logLevel: "warn",
    build: { outDir: page, emptyOutDir: true },
    plugins: [bundledPackages(folders)],
    worker: { plugins: () => [bundledPackages(folders)] }
  })
  await bundleProgram(bundle({ here: cli, dist, page, plugins: [bundledPackages(folders)] }))
  rmSync(page, { recursive: true })
  const service = createRequire(join(root, "packages/service/package.json"))
  return folders.add(join(service.resolve("openpgp"), "../../.."))
}

/** The manifest of the program: everything is bundled but the keychain library, which has a binary for each platform. */
const programManifest = () => {
  const { bin, description, engines, keywords, license, name, type, version } = manifestOf(cli)
  const connection = createRequire(join(root, "packages/connection/package.json"))
  const keyring = "@napi-rs/keyring"
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    bin,
    files: ["dist", "THIRD-PARTY-NOTICES.md"],
    engines,
    optionalDependencies: { [keyring]: connection(`${keyring}/package.json`).version }
  }
}

const packProgram = async () => {
  const folder = join(target, "tongs")
  const folders = await program(join(folder, "dist"))
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(programManifest(), undefined, 2)}\n`)
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.md"), notices(folders))
  cpSync(join(cli, "README.md"), join(folder, "README.md"))
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  pack("npm", ["pack", "--loglevel=error", "--pack-destination", target], folder)
}

/**
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {string} cwd
 */
const pack = (command, args, cwd) => {
  execFileSync(command, args, { cwd, shell: process.platform === "win32", stdio: ["ignore", "ignore", "inherit"] })
  const { name, version } = manifestOf(cwd)
  const file = join(target, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)
  console.log(`${relative(root, file)} ${(statSync(file).size / 1e6).toFixed(2)} MB`)
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target)
await packProgram()
for (const library of libraries) {
  const folder = join(root, library)
  if (!existsSync(join(folder, "package.json"))) continue
  const { packageManager } = manifestOf(root)
  // pnpm replaces the versions of the catalog.
  pack("npx", ["--yes", packageManager, "pack", "--pack-destination", target], folder)
}
