/** Public repositories for ranking tests: two from the dependencies, and two from optional clones. */
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { git } from "@tongs/service/git/Fixture.test-support"

const require = createRequire(import.meta.url)

/** The package folder of a module. */
const folderOf = (module: string, from = require): string => {
  let folder = dirname(from.resolve(module))
  while (!existsSync(join(folder, "package.json")) || !existsSync(join(folder, "LICENSE"))) folder = dirname(folder)
  return folder
}

/** Effect-TS/effect and colinhacks/zod (MIT licence), from the dependencies. */
const packages = {
  effect: () => folderOf("effect"),
  zod: () => folderOf("zod", createRequire(require.resolve("@modelcontextprotocol/sdk/client")))
}

/** pallets/flask and junegunn/fzf, for Python and Go: clones in the folder of TONGS_TEST_CLONES. */
const clones = ["flask", "fzf"] as const // literal names

export type RepositoryName = keyof typeof packages | (typeof clones)[number]

const folderOfClones = process.env["TONGS_TEST_CLONES"]

export const fromPackages: ReadonlyArray<RepositoryName> = ["effect", "zod"]
export const fromClones: ReadonlyArray<RepositoryName> = folderOfClones === undefined ? [] : clones

/** Creates a repository for each in a folder. */
export const make = (repos: string): void => {
  for (const [name, source] of Object.entries(packages)) {
    const folder = source()
    const path = join(repos, name)
    mkdirSync(path, { recursive: true })
    // Sources without build results.
    for (const part of ["src", "README.md", "LICENSE", "package.json"]) {
      if (existsSync(join(folder, part))) cpSync(join(folder, part), join(path, part), { recursive: true })
    }
    git(path, ["init", "--quiet", "--initial-branch=main"])
    git(path, ["add", "."])
    git(path, ["commit", "--quiet", "-m", name])
  }
  for (const name of fromClones) {
    git(repos, ["clone", "--quiet", "--no-hardlinks", join(folderOfClones ?? "", name), join(repos, name)])
  }
}
