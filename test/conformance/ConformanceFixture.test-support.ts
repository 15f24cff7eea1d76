/** Writes a fixture file with data for all operations of the contract. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commit, git } from "@tongs/service/git/Fixture.test-support"

/** Values that git or the clock decide, by the placeholder in paths and bodies, for example `{commit}`. */
export type Placeholders = Readonly<Record<string, string>>

/** Replaces placeholders by values. */
export const substitute = (text: string, names: Placeholders) => text.replace(/\{\w+\}/g, (name) => names[name] ?? name)

/** Writes the file and the repository into a new folder in `root`. `receiver` is the URL of the webhooks. */
export const write = (
  root: string,
  receiver: string
): { readonly file: string; readonly path: string; readonly names: Placeholders } => {
  const folder = join(root, "world")
  mkdirSync(folder)
  const path = repository(folder)
  const rev = (name: string) => git(path, ["rev-parse", name])
  const today = new Date().toISOString().slice(0, 10)
  const names = {
    "{commit}": rev("main"),
    "{parent}": rev("main~1"),
    "{clash}": rev("clash"),
    "{danish}": rev("greet-danish"),
    "{tree}": rev("main^{tree}"),
    "{blob}": rev("main:README.md"),
    "{tag}": rev("v1"),
    "{receiver}": receiver,
    "{today}": today
  }
  writeFileSync(join(folder, "report.txt"), "all is well\n")
  const file = join(folder, "conformance-fixture.json")
  writeFileSync(file, substitute(readFileSync(new URL("conformance-fixture.json", import.meta.url), "utf8"), names))
  return { file, path, names }
}

/** Creates a repository with folders, a symbolic link, branches and both kinds of tags. */
const repository = (folder: string) => {
  const path = join(folder, "hello")
  git(folder, ["init", "--quiet", "--initial-branch=main", path])
  const license = "ISC License\n\nPermission to use, copy, modify, and/or distribute this software for any purpose\n"
  const files = {
    "README.md": "# Hello\n\nships\n",
    LICENSE: `${license}with the above copyright notice is hereby granted.\n`,
    "src/README.md": "# Sources\n",
    "src/greet.ts": "export const greet = 'ahoy'\n",
    ".github/workflows/ci.yml": "name: CI\non: [push, workflow_dispatch]\njobs: {}\n"
  }
  commit(path, files, "Greet")
  git(path, ["reset", "--quiet", "--hard"])
  git(path, ["branch", "side"])
  git(path, ["branch", "old"])
  for (const name of ["guarded", "guarded-2", "guarded-3", "guarded-4", "guarded-5"]) git(path, ["branch", name])
  symlinkSync("README.md", join(path, "link"))
  git(path, ["add", "link"])
  commit(path, { "docs/manual.md": "Ahoy, 世界\n", "docs/CODEOWNERS": "* @olive @nobody\n" }, "Write a manual")
  git(path, ["reset", "--quiet", "--hard"])
  // A commit whose merge with main is a conflict.
  git(path, ["checkout", "--quiet", "-b", "clash", "main~1"])
  commit(path, { "docs/manual.md": "Goodbye\n" }, "Write another manual")
  git(path, ["reset", "--quiet", "--hard"])
  // The heads of pull requests.
  for (const [language, base] of [
    ["danish", "main"],
    ["finnish", "main"],
    ["late", "main~1"],
    ["swedish", "main"]
  ]) {
    git(path, ["checkout", "--quiet", "-b", `greet-${language}`, base ?? ""])
    commit(path, { [`src/${language}.ts`]: `export const ${language} = 'ahoy'\n` }, `Greet in ${language}`)
    git(path, ["reset", "--quiet", "--hard"])
  }
  git(path, ["checkout", "--quiet", "main"])
  git(path, ["tag", "-a", "-m", "The first season", "v1"])
  git(path, ["tag", "light"])
  return path
}
