/**
 * Copies the workspace, and multiplies the groups of the contract. Each copy of a group has another name, other paths
 * and one more member in each shape, so that neither the shapes nor the names of the copies are the same.
 */
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

const GROUPS = "packages/core/src/contract/groups"
const API = "packages/core/src/contract/Api.ts"
const FEATURES = "packages/service/src/features/Features.ts"

/** The sources of the programs. */
const folders = ["packages", "apps", "scripts", "test"]
const files = ["*.json", "LICENSE"]

/** Copies the workspace without the packages' builds. Installed packages are shared. */
const copyWorkspace = (from: string, to: string) => {
  for (const part of [...folders, ...globSync(files, { cwd: from })])
    cpSync(join(from, part), join(to, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== "dist" || path.includes("node_modules") || path.endsWith("explorer/dist")
    })
  symlinkSync(join(from, "node_modules"), join(to, "node_modules"))
}

/** Changes each letter of a name, so that each copy of a group has a different noun: `gitRefs` to `lnyWjkx`. */
const renamed = (name: string, copy: number): string =>
  name.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter < "a" ? 65 : 97
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + copy * 5) % 26))
  })

const copyOfGroup = (source: string, noun: string, copy: number): string => {
  let members = 0
  return source
    .replaceAll(/ from "\.\.\//g, ` from "../../`)
    .replaceAll(/ from "\.\/(?!\.)/g, ` from "../`)
    .replaceAll(/Group\.make\("(\w+)"/g, (_, name: string) => `Group.make("${renamed(name, copy)}"`)
    .replaceAll(/(["`])\/(?=[a-z:]|")/g, `$1/${noun}/`)
    .replaceAll(`/${noun}/"`, `/${noun}"`)
    .replaceAll(/identifier: "(\w+)"/g, `identifier: "$1${copy}"`)
    .replaceAll(
      "Schema.Struct({",
      () => `Schema.Struct({ ${noun}_${(members += 1)}: Schema.optionalKey(Schema.String),`
    )
}

/** The number of operations that a file declares. */
const operationsIn = (source: string): number =>
  source.match(/HttpApiEndpoint\.(get|post|put|patch|delete)\(/g)?.length ?? 0

/**
 * Adds copies of groups until there are `operations`. Returns the names of the copies by the name of the original
 * group.
 */
const multiply = (folder: string, operations: number): Readonly<Record<string, ReadonlyArray<string>>> => {
  const names: Record<string, Array<string>> = {}
  const imports: Array<string> = []
  const added: Array<string> = []
  const files = globSync("*.ts", { cwd: join(folder, GROUPS), exclude: ["*.test.ts"] })
    .toSorted()
    .map((file) => ({ file, source: readFileSync(join(folder, GROUPS, file), "utf8") }))
  let count = files.reduce((sum, { source }) => sum + operationsIn(source), 0)
  for (let copy = 2; count < operations; copy++) {
    mkdirSync(join(folder, GROUPS, `copy${copy}`))
    for (const { file, source } of files) {
      const groups = [...source.matchAll(/export class (\w+) extends Group\.make\("(\w+)"/g)]
      if (groups.length === 0 || count >= operations) continue
      count += operationsIn(source)
      const noun = renamed(basename(file, ".ts"), copy).toLowerCase()
      writeFileSync(join(folder, GROUPS, `copy${copy}`, file), copyOfGroup(source, noun, copy))
      for (const [, type = "", name = ""] of groups) {
        imports.push(`import { ${type} as ${type}${copy} } from "./groups/copy${copy}/${file}"`)
        const renamedGroup = renamed(name, copy)
        added.push(`${renamedGroup}: ${type}${copy}`)
        ;(names[name] ??= []).push(renamedGroup)
      }
    }
  }
  const api = readFileSync(join(folder, API), "utf8")
  writeFileSync(
    join(folder, API),
    `${imports.join("\n")}\n${api.replace("\n}\n", () => `,\n  ${added.join(",\n  ")}\n}\n`)}`
  )
  return names
}

/** Lets the handlers of a group answer for its copies. */
const addHandlers = (folder: string, names: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const features = readFileSync(join(folder, FEATURES), "utf8")
  const added = `groups.flat().flatMap((one) => [one, ...((${JSON.stringify(names)})[one.group] ?? []).map((group) => ({ ...one, group }))])`
  writeFileSync(
    join(folder, FEATURES),
    features.replace("groups.flat()", () => added)
  )
}

/**
 * Writes a copy of the workspace into `to`, with about `operations` operations in the contract, by copies of groups.
 */
export const write = (from: string, to: string, operations: number): void => {
  copyWorkspace(from, to)
  addHandlers(to, multiply(to, operations))
}
