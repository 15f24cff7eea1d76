/** The files that the targets of imports can mean, most likely first. Whether they exist is checked later. */
import * as PathText from "@tongs/core/text/PathText"

/** Maximum number of folders above a file in which an included file is searched. */
const MAX_FOLDERS = 12

/** Resolves `.` and `..` of a path from a folder. Undefined above the top folder. */
export const join = (folder: string, target: string): string | undefined => {
  const names = folder === "" ? [] : folder.split("/")
  for (const name of target.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined
    } else if (name !== "." && name !== "") names.push(name)
  }
  return names.join("/")
}

const scriptExtensions = ["ts", "tsx", "d.ts", "js", "jsx", "mts", "mjs", "cts", "cjs"]

/** Returns the files that a path without or with an extension can mean in TypeScript and JavaScript. */
export const scriptFiles = (base: string): ReadonlyArray<string> => {
  const [, stem = base, extension] = /^(.*)\.([cm]?[jt]sx?)$/.exec(base) ?? []
  const written =
    extension === undefined ? [] : [base, `${stem}.${extension.replace("j", "t")}`, `${stem}.d.ts`, `${stem}.tsx`]
  return [
    ...written,
    ...scriptExtensions.map((end) => `${base}.${end}`),
    ...["ts", "tsx", "js", "d.ts", "mjs"].map((end) => `${base}/index.${end}`)
  ]
}

/** Returns the files that a Python module can be: `..a.b` from a file, or `a.b` from any folder above it. */
export const pythonFiles = (from: string, target: string): ReadonlyArray<string> => {
  const [, dots = "", names = ""] = /^(\.*)(.*)$/.exec(target) ?? []
  const tail = names.replaceAll(".", "/")
  const folders = foldersAbove(from)
  const bases = dots === "" ? [...folders, "src", "lib"] : [folders[dots.length - 1]]
  return bases.flatMap((folder) => {
    if (folder === undefined) return []
    const base = [folder, tail].filter((part) => part !== "").join("/")
    return base === "" ? [] : [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`]
  })
}

/** Returns the folders of a file, from its own to the top. */
export const foldersAbove = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let at = PathText.folderOf(path); folders.length < MAX_FOLDERS; at = PathText.folderOf(at)) {
    folders.push(at)
    if (at === "") break
  }
  if (folders.at(-1) !== "") folders.push("")
  return folders
}

/** Returns the files that an `#include` can mean. `./` marks a name in quotes. */
export const includedFiles = (from: string, target: string): ReadonlyArray<string> => {
  const isQuoted = target.startsWith("./")
  const name = isQuoted ? target.slice(2) : target
  const folders = foldersAbove(from)
  const here = isQuoted ? folders.slice(0, 1) : []
  const machine = /^(?:tools\/)?arch\/[^/]+/.exec(from)?.[0] ?? "arch/x86"
  const root = from.startsWith("tools/") ? ["tools/include", "tools/include/uapi", "tools/lib"] : []
  const system = name.startsWith("asm/")
    ? [`${machine}/include`, `${machine}/include/uapi`, `${machine}/include/generated`]
    : [...root, "include", "include/uapi"]
  const generic = name.startsWith("asm/")
    ? [join("include/asm-generic", name.slice(4)), join("include/uapi/asm-generic", name.slice(4))]
    : []
  const others = folders.flatMap((folder) => [
    folder,
    folder === "" ? "src" : `${folder}/include`,
    folder === "" ? "lib" : `${folder}/src`
  ])
  const all = [...here, ...system, ...others].map((folder) => join(folder, name))
  return [...new Set([...all, ...generic].filter((path) => path !== undefined && path !== ""))].flatMap(
    (path) => path ?? []
  )
}

/** Returns the files that a Rust path can mean, each with the number of names of the path that lead to it. */
export const rustFiles = (from: string, target: string): ReadonlyArray<readonly [string, number]> => {
  const names = target.split("::").filter((name) => name !== "")
  const own = from.replace(/\.rs$/, "").replace(/\/(?:mod|lib|main)$/, "")
  const at = from.lastIndexOf("src/")
  const root = at === -1 ? PathText.folderOf(from) : from.slice(0, at + 3)
  let folder = ""
  let first = 1
  switch (names[0]) {
    case "crate":
      folder = root
      break
    case "self":
      folder = own
      break
    case "super": {
      folder = own
      for (first = 0; names[first] === "super"; first++) folder = folder === root ? root : PathText.folderOf(folder)
      break
    }
    case undefined:
      return [[from, 0]]
    default: {
      // A module of this file, or a crate of the workspace.
      const crate = names[0]
      const workspace = root
        .replace(/(?:^|\/)src$/, "")
        .split("/")
        .slice(0, -1)
        .join("/")
      const crates = [workspace, "", "crates"].flatMap((above) => {
        const name = above === "" ? "" : `${above}/`
        return [`${name}${crate}/src`, `${name}${crate.replaceAll("_", "-")}/src`]
      })
      return [...new Set([own, ...crates])].flatMap((base) => modulesBelow(base, names, base === own ? 0 : 1))
    }
  }
  return modulesBelow(folder, names, first)
}

const modulesBelow = (
  folder: string,
  names: ReadonlyArray<string>,
  first: number
): ReadonlyArray<readonly [string, number]> => {
  const found: Array<readonly [string, number]> = []
  for (let count = names.length; count >= first; count--) {
    const base = [folder, ...names.slice(first, count)].filter((part) => part !== "").join("/")
    found.push([`${base}.rs`, count], [`${base}/mod.rs`, count])
    if (count === first) found.push([`${base}/lib.rs`, count], [`${base}/main.rs`, count])
  }
  return found
}

/** Returns the files that a Java class can be, in the folder of its package below the root of a file. */
export const javaFiles = (from: string, ownPackage: string, target: string): ReadonlyArray<string> => {
  const tail = ownPackage === "" ? "" : ownPackage.replaceAll(".", "/")
  const folder = PathText.folderOf(from)
  const root = folder === tail ? "" : folder.endsWith(`/${tail}`) ? folder.slice(0, -tail.length) : undefined
  if (root === undefined) return []
  const names = target.split(".")
  const roots = [root, root.replace("src/test/", "src/main/"), root.replace("src/main/", "src/test/")]
  return [...new Set(roots)].flatMap((one) => [
    `${one}${names.join("/")}.java`,
    // A class inside another class.
    ...(names.length > 1 ? [`${one}${names.slice(0, -1).join("/")}.java`] : [])
  ])
}
