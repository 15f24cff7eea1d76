import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as EmailPatch from "./EmailPatch.ts"
import { git, workTree } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import { GitRepositories } from "../GitRepositories.ts"
import type { GitRepository } from "../GitRepository.ts"

const patchOf = Effect.fnUntraced(function* ({ changes, commit }: GitRepository, oid: string) {
  const found = yield* commit(oid)
  if (found === undefined) return assert.fail(`${oid} is not a commit`)
  return Buffer.concat(yield* Stream.runCollect(changes.patch(oid, found))).toString()
})

const LONG =
  "a subject of more than seventy-eight characters, which git breaks at its spaces, and again and again, for as long as it goes on"

/** Author and message of commits, as input of `git fast-import`. */
const commits: ReadonlyArray<readonly [person: string, message: string]> = [
  ["Plain <p@example.org> 1700000000 +0000", "first\n\nbody\n"],
  ["Zoë Ünïcode <z@example.org> 1700000000 -0330", "ascii subject\n"],
  ['Dr. "A", B \\ C <q@example.org> 1600000000 +1400', "subject\nof two lines\n\n\n\nbody  \n\ttab\n\n\n"],
  ["x".repeat(80) + " <long@example.org> 1 +0000", LONG],
  ["ü".repeat(40) + " <encoded@example.org> 0 -0000", `ü ${LONG}\n`],
  [". <dot@example.org> 1700000000 +0100", "=?q?= in  the subject\n\nbødy with \u001b\n\n---\ndiff --git a/x b/x\n"],
  ["Tabs <t@example.org> 1700000000 +0100", `one\ttwo ${"x".repeat(100)} ${"y".repeat(60)}\tend\n`],
  ["Wide <w@example.org> 1700000000 +0100", "漢字".repeat(30)],
  [" <none@example.org> 1700000000 +0100", "\n\n  leading blank lines  \n\n"],
  ["Empty <e@example.org> 1700000000 +0100", ""]
]

layer(Layer.merge(GitRepositories.layer, Git.layer))("EmailPatch", (it) => {
  it.effect("matches git format-patch except for the signature", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const blob = (content: string) => `data ${Buffer.byteLength(content)}\n${content}\n`
      const stream = commits.map(([person, message], index) =>
        [
          `commit refs/heads/patches\nauthor ${person}\ncommitter ${person}\n${blob(message)}`,
          `M 100644 inline dir/näme-${"x".repeat(70)}\n${blob(`${index}\n`)}`,
          `M 100755 inline new-${index}\n${blob("line\n".repeat(index * 40))}`,
          ...(index > 0 ? [`D new-${index - 1}\n`] : []),
          `M 100644 inline binary\n${blob(`\0${index}`)}`
        ].join("")
      )
      git(path, ["fast-import", "--quiet"], stream.join("\n"))
      const latin = Buffer.from("subject é\n\nbody é\n", "latin1")
      const parent = git(path, ["rev-parse", "patches"])
      const encoded = git(
        path,
        ["-c", "i18n.commitEncoding=ISO-8859-1", "commit-tree", "main^{tree}", "-p", parent],
        latin
      )
      const repository = yield* (yield* GitRepositories).open(path)
      const oids = [...git(path, ["rev-list", "patches"]).split("\n"), encoded]
      for (const oid of oids) {
        const expected = `${git(path, ["format-patch", "--stdout", "-1", "--root", oid])}\n`
        assert.strictEqual(yield* patchOf(repository, oid), expected.replace(/-- \n\S+\n\n$/, EmailPatch.FOOTER))
      }
      assert.lengthOf(oids, commits.length + 1)
    })
  )

  it.effect("compares a merge with its first parent, and prints an empty commit", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      git(path, ["checkout", "-q", "-b", "side"])
      writeFileSync(join(path, "side.txt"), "side\n")
      git(path, ["add", "side.txt"])
      git(path, ["commit", "-q", "-m", "side"])
      git(path, ["checkout", "-q", "main"])
      git(path, ["commit", "-q", "--allow-empty", "-m", "empty"])
      git(path, ["merge", "-q", "--no-ff", "-m", "merge", "side"])
      const repository = yield* (yield* GitRepositories).open(path)
      const merge = yield* patchOf(repository, git(path, ["rev-parse", "HEAD"]))
      assert.match(merge, /Subject: \[PATCH\] merge\n\n---\n side.txt \| 1 \+\n[^]*\+side\n-- \n/)
      const empty = yield* patchOf(repository, git(path, ["rev-parse", "HEAD~1"]))
      assert.isTrue(empty.endsWith(`Subject: [PATCH] empty\n\n${EmailPatch.FOOTER}`))
    })
  )
})
