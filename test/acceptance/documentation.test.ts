/** Each code block of the documentation works as it stands: of a third of the pages, or all in `npm run test:long`. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { sample } from "../LongTests.test-support.ts"
import { blocksOf, openShell } from "./DocumentBlocks.test-support.ts"

const root = join(import.meta.dirname, "../..")
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
]

describe("the blocks of", () => {
  for (const document of sample(documents)) {
    const blocks = blocksOf(document)
    if (blocks.length === 0) continue
    it(document, async () => {
      const { run } = await openShell()
      for (const block of blocks) {
        await expect(
          run(block).then(
            () => "works",
            (error: unknown) => `line ${block.line}: ${String(error)}`
          )
        ).resolves.toBe("works")
      }
    })
  }
})
