/** The first line that a search shows is the definition of the name, also below many other matches in the file. */
import { cpSync, globSync, mkdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as ReadyIndex from "./ReadyIndex.test-support.ts"

const root = join(import.meta.dirname, "../..")

/** Sources of this repository with long files and common names. */
const folders = ["packages/core/src", "packages/service/src", "apps/cli/src"]

const make = (repos: string): void => {
  const path = join(repos, "sources")
  mkdirSync(path, { recursive: true })
  for (const folder of folders) cpSync(join(root, folder), join(path, folder), { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  git(path, ["add", "."])
  git(path, ["commit", "--quiet", "-m", "sources"])
}

interface Definition {
  readonly name: string
  readonly path: string
  readonly line: number
}

/**
 * Selects random names of two parts or more with only one declaration in the corpus, not counting types of GraphQL, no
 * file of this name, and at least two more uses in the file of the declaration.
 */
const draw = (count: number): ReadonlyArray<Definition> => {
  const declared = new Map<string, Array<Definition & { readonly isDrawn: boolean }>>()
  const paths = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root }
  )
    // The texts in this file are sources of the demonstration, whose lines are no definitions.
    .filter((path) => basename(path) !== "DemonstrationSteps.ts")
    .toSorted()
  const files = new Set(paths.map((path) => basename(path, ".ts").toLowerCase()))
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8")
    for (const [index, line] of text.split("\n").entries()) {
      const [, indent = "", name] =
        /^(\s*)(?:export )?(?:const|class|function|interface|type(?! \w+ (?:\{|implements))) ([A-Za-z]*[a-z][A-Z]\w+)\b/.exec(
          line
        ) ?? []
      if (name === undefined) continue
      const uses = text.split(new RegExp(`\\b${name}\\b`)).length - 2
      const isDrawn = indent === "" && uses >= 2 && !files.has(name.toLowerCase()) && !path.endsWith(".test.ts")
      declared.set(name, [...(declared.get(name) ?? []), { name, path, line: index + 1, isDrawn }])
    }
  }
  const unique = [...declared.values()].flatMap((found) =>
    found.length === 1 ? found.filter(({ isDrawn }) => isDrawn) : []
  )
  return unique.filter((_, index) => index % Math.floor(unique.length / count) === 0).slice(0, count)
}

layer(Forge.layer(make), { excludeTestServices: true })("lines of definitions", (it) => {
  it.effect("are the first that a search shows, for 24 of 25 names", () =>
    Effect.gen(function* () {
      yield* ReadyIndex.wait
      const { get } = yield* Forge.TestForge
      const names = draw(25)
      assert.lengthOf(names, 25)
      for (const context of [0, 1]) {
        const missed: Array<string> = []
        for (const { line, name, path } of names) {
          const { text } = yield* get(`/tongs/search?q=${name}&context=${context}&deadline=60000`)
          const events = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
          const [best] = events.filter(({ _tag }) => _tag === "File").sort((a, b) => b.rank - a.rank)
          const lines = best?.chunks[0]?.lines ?? []
          const first =
            context === 0 ? lines[0] : lines.find(({ symbol }: { readonly symbol?: string }) => symbol !== undefined)
          if (best?.path !== path || first?.number !== line)
            missed.push(`${name}: ${best?.path}:${first?.number} instead of ${path}:${line}`)
        }
        assert.isAtMost(missed.length, 1, `context ${context}: ${missed.join("; ")}`)
      }
    })
  )
})
