import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runner } from "../../CommandRunner.test-support.ts"
import { rows } from "./GhTable.ts"

const tongs = runner(() => assert.fail("a request"))

it("has the rows of the guide", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../../docs/guides/from-gh.md"), "utf8")
  const cells = guide.split("\n").flatMap((line) => {
    const row = /^\| (`gh .*?) +\| (.*?) +\|$/.exec(line)
    return row === null ? [] : [[row[1], row[2]]]
  })
  assert.deepStrictEqual(
    cells,
    rows.map((row) => [...row])
  )
})

for (const [line, expected] of [
  ["repo list", "  gh repo list\n    tongs repositories mine --affiliation owner --sort pushed\n"],
  ["repo delete octo/hello", "  gh repo delete O/R\n    tongs repositories delete O/R, which asks unless --yes\n"],
  ["repo view octo/hello --json name", "  gh repo view O/R\n    tongs repositories get O/R\n"],
  ["--demo pr list", "  gh pr\n    tongs pulls; or gh itself: tongs run -- gh pr list\n"],
  ["issue", "or gh itself: tongs run -- gh issue list\n"],
  ["release create v1", "tongs api 'repos/{owner}/{repo}/releases'\n"],
  ["run view 7", "tongs api 'repos/{owner}/{repo}/actions/runs'\n"],
  ["run download 7", "tongs artifacts download O/R ID -o FILE (the zip file)\n"],
  ["browse", "tongs repositories get --web, or --jq .html_url for its address; tongs explore to read the files\n"],
  ["ssh-key delete 7", "tongs keys mine, create, delete\n"],
  ["completion -s bash", "tongs --completions bash: the files of the scripts\n"],
  ["extension --help", "none; aliases of your shell, the config file\n"],
  ["help repo", "  gh repo sync O/R\n    tongs branches merge-upstream O/R --branch main\n"]
] as const) {
  it.effect(`answers gh ${line}`, () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs(...line.split(" "))
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(
        stderr,
        /^tongs: (Unknown command "[a-z-]+"|"tongs run -- COMMAND" runs a program)\. What gh has under this name:\n/
      )
      assert.include(stderr, expected)
      assert.notInclude(stderr, "Did you mean")
    })
  )
}

it.effect("does not answer for commands of tongs, and unknown words", () =>
  Effect.gen(function* () {
    assert.notInclude((yield* tongs("auth", "nothing")).stderr, "gh has")
    assert.notInclude((yield* tongs("brnches")).stderr, "gh has")
  })
)
