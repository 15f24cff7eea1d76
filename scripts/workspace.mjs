/** Paths in this workspace, and the stamps that record which sources were installed and built. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node 24 from the dependencies, for the program and all tools. */
export const node = join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node")

/** The built `tongs`. */
export const program = join(root, "apps/cli/dist/tongs.js")

const installStamp = join(root, "node_modules/.tongs-install")
const buildStamp = join(root, "apps/cli/dist/.tongs-build")
const pageStamp = join(root, "node_modules/.tongs-page")

/**
 * The packages to install or build: the packages that `npm start` needs, or all.
 * @typedef {"program" | "everything"} Extent
 */

/**
 * A digest of the lockfile, the manifests and the platform. Digests the contents, because a clone changes all file
 * times.
 */
const dependencies = () => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
  const folders = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  )
  const manifests = ["", "test", ...folders.sort()].map((folder) => join(folder, "package.json"))
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

/**
 * A digest of the sizes and times of source files. Reading times takes milliseconds, and a false change costs only a
 * build.
 * @param {ReadonlyArray<string>} folders
 */
const digestOf = (folders) => {
  const hash = createHash("sha256")
  /** @param {string} path */
  const add = (path) => {
    const { mtimeMs, size } = statSync(path)
    hash.update(`${relative(root, path)}\0${size}\0${mtimeMs}\0`)
  }
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".")) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) add(path)
    }
  }
  for (const folder of folders) walk(join(root, folder))
  for (const file of ["package.json", "pnpm-lock.yaml", "tsconfig.base.json", "tsconfig.build.json", "turbo.json"])
    add(join(root, file))
  return hash.digest("hex")
}

export const sources = () => digestOf(["packages", "apps"])

/** A digest of the sources of the code-search page, or undefined if the page is up to date. */
export const pageToBuild = () => {
  const digest = digestOf(["packages/core", "packages/syntax", "apps/explorer"])
  return read(pageStamp) === digest && existsSync(join(root, "apps/explorer/dist/index.html")) ? undefined : digest
}

/** @param {string} stamp */
const read = (stamp) => (existsSync(stamp) ? readFileSync(stamp, "utf8") : "")

/**
 * The extent to install for `extent`. Keeps a complete installation, because contributors use the tools between starts.
 * @param {Extent} extent
 * @returns {Extent}
 */
export const extentOf = (extent) => (read(installStamp).endsWith(" everything") ? "everything" : extent)

/** @param {Extent} extent */
export const isInstalled = (extent) => {
  const [digest, installed] = read(installStamp).split(" ")
  return digest === dependencies() && (installed === "everything" || installed === extent) && existsSync(node)
}

/** @param {Extent} extent */
export const markInstalled = (extent) => writeFileSync(installStamp, `${dependencies()} ${extent}`)

/** @param {string} digest of {@link sources} */
export const isBuilt = (digest) => read(buildStamp) === digest && existsSync(program)

/** @param {string} digest of {@link sources} from before the build */
export const markBuilt = (digest) => {
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, digest)
}

/** @param {string} digest of {@link pageToBuild} */
export const markPageBuilt = (digest) => writeFileSync(pageStamp, digest)
