/**
 * Where things are in this workspace, and the stamps that say whether it changed.
 *
 * Everything under `scripts/` that runs before the dependencies are there is plain JavaScript for Node 20, with no
 * dependency of its own.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder that holds the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node 24 that comes as a dependency; the program and the tools run on it, whatever started us. */
export const node = join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node")

/** The bundled `tongs`. */
export const program = join(root, "apps/cli/dist/tongs.js")

const installStampFile = join(root, "node_modules/.tongs-install")
const buildStampFile = join(root, "apps/cli/dist/.tongs-build")

/**
 * What an installation holds: `program` is what `npm start` needs, `everything` adds what only the tests need.
 * @typedef {"program" | "everything"} Extent
 */

/**
 * The packages' folders, absolute and in order: those that `pnpm-workspace.yaml` names.
 * @returns {Array<string>}
 */
export const packages = () =>
  [
    ...["packages", "apps"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name))
    ),
    join(root, "test")
  ]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .sort((a, b) => (a < b ? -1 : 1))

/**
 * A digest of all that decides which dependencies are installed: the lockfile, the manifests and the platform.
 * Contents, not times: a clone gives every file a new time.
 */
export const dependencies = () => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
  const manifests = [root, ...packages()].map((folder) => join(folder, "package.json"))
  for (const file of [join(root, "pnpm-lock.yaml"), join(root, "pnpm-workspace.yaml"), ...manifests]) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest("hex")
}

/**
 * A digest of the sources that the program is built from, by size and time: a thousand `stat`s take milliseconds, and a
 * wrong "changed" costs only a cached build.
 */
export const sources = () => {
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
  for (const folder of ["packages", "apps"]) walk(join(root, folder))
  for (const file of ["package.json", "pnpm-lock.yaml", "tsconfig.base.json", "turbo.json"]) add(join(root, file))
  return hash.digest("hex")
}

/** @param {string} file */
const read = (file) => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** @param {Extent} extent */
export const isInstalled = (extent) => {
  const [digest, installed] = read(installStampFile).split(" ")
  return digest === dependencies() && (installed === "everything" || installed === extent) && existsSync(node)
}

/** @param {Extent} extent */
export const markInstalled = (extent) => writeFileSync(installStampFile, `${dependencies()} ${extent}`)

/** @param {string} digest of {@link sources} */
export const isBuilt = (digest) => read(buildStampFile) === digest && existsSync(program)

/** @param {string} digest of {@link sources}, taken before the build read them */
export const markBuilt = (digest) => {
  mkdirSync(dirname(buildStampFile), { recursive: true })
  writeFileSync(buildStampFile, digest)
}
