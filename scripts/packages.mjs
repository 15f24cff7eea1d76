/**
 * `node scripts/packages.mjs [NAME…]`: makes the published packages with these names, or all, from the built workspace,
 * in `dist-packages`. Needs Node 24; see `pack.mjs`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { build as bundleProgram } from "rolldown"
import { bundle } from "../apps/cli/bundle/Bundle.ts"
import { bundledPackages, mappedModules, notices, programNotices } from "./notices.mjs"
import { root } from "./workspace.mjs"

const target = join(root, "dist-packages")
const cli = join(root, "apps/cli")
const explorer = join(root, "apps/explorer")

/**
 * The name that npm and pnpm give to the file of a package.
 * @param {{ name: string, version: string }} manifest
 */
const fileOf = ({ name, version }) => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`

/** The libraries to publish beside the program. */
const libraries = ["packages/core", "packages/client", "packages/testing"]

/** @param {string} folder */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * Bundles the program into a folder. Returns the folders of the bundled packages.
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
  const jq = createRequire(join(cli, "package.json")).resolve("jq-web")
  return folders.add(join(service.resolve("openpgp"), "../../..")).add(join(jq, ".."))
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

/** The source repository, which `npm publish --provenance` compares with the repository of the publishing workflow. */
const repository = () => {
  const { GITHUB_REPOSITORY, GITHUB_SERVER_URL } = process.env
  return GITHUB_REPOSITORY === undefined
    ? {}
    : { repository: { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } }
}

/**
 * Leaves out the conditions of this workspace, and the paths that resolve only under these conditions.
 * @param {Record<string, string | Record<string, unknown>>} exports
 */
const publicExports = (exports) =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      if (typeof target === "string") return [[path, target]]
      const conditions = Object.entries(target).filter(([name]) => !name.startsWith("@tongs/"))
      return conditions.length === 0 ? [] : [[path, Object.fromEntries(conditions)]]
    })
  )

/**
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {string} cwd
 */
const execute = (command, args, cwd) =>
  execFileSync(command, args, { cwd, shell: process.platform === "win32", stdio: ["ignore", "ignore", "inherit"] })

/**
 * Writes the manifest of a package into the package folder, and packs the folder.
 * @param {string} folder
 * @param {{ name: string, version: string }} manifest
 */
const pack = (folder, manifest) => {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, ...repository() }, undefined, 2)}\n`)
  execute("npm", ["pack", "--loglevel=error", "--pack-destination", target], folder)
  const file = join(target, fileOf(manifest))
  console.log(`${relative(root, file)} ${(statSync(file).size / 1e6).toFixed(2)} MB`)
}

const packProgram = async () => {
  const folder = join(target, "tongs")
  const folders = await program(join(folder, "dist"))
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.md"), programNotices(folders))
  cpSync(join(cli, "README.md"), join(folder, "README.md"))
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  pack(folder, programManifest())
}

/**
 * True if modules of a dependency are in the built files of the library, so that users need not install the dependency.
 * @param {string} library
 * @param {ReadonlyArray<string>} modules
 * @param {string} name
 */
const contains = (library, modules, name) => {
  const folder = join(realpathSync(join(root, library, "node_modules", name)), "/")
  return modules.some((path) => path.startsWith(folder))
}

/** @param {string} library */
const packLibrary = (library) => {
  const { packageManager } = manifestOf(root)
  // pnpm replaces the versions of the catalog and adds the licence.
  execute("npx", ["--yes", packageManager, "pack", "--pack-destination", target], join(root, library))
  const file = fileOf(manifestOf(join(root, library)))
  execute("tar", ["-xzf", file], target)
  rmSync(join(target, file))
  const folder = join(target, basename(library))
  renameSync(join(target, "package"), folder)
  const modules = mappedModules(join(root, library, "dist"))
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.md"), notices(modules))
  const { dependencies = {}, devDependencies: _, exports, files, scripts: __, ...manifest } = manifestOf(folder)
  pack(folder, {
    ...manifest,
    files: [...files, "THIRD-PARTY-NOTICES.md"],
    exports: publicExports(exports),
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => !contains(library, modules, name)))
  })
}

const names = process.argv.slice(2)

/** @param {string} folder */
const isWanted = (folder) => names.length === 0 || names.includes(manifestOf(folder).name)

rmSync(target, { recursive: true, force: true })
mkdirSync(target)
if (isWanted(cli)) await packProgram()
for (const library of libraries) if (isWanted(join(root, library))) packLibrary(library)
