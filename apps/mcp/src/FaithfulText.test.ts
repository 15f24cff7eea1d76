/** Tools show what files contain, and write files back with the same bytes. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { Forge } from "@tongs/core/client/Forge"
import * as FileText from "./files/FileText.ts"
import * as ReadMarks from "./files/ReadMarks.ts"
import * as SampleFiles from "./files/SampleFiles.test-support.ts"
import * as HostileText from "./text/HostileText.test-support.ts"
import * as Client from "./tools/Repository.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const queryCount = isLong ? 500 : 50
const SEED = 20_301

/** Ordinary files with hostile parts in several encodings, and hostile files, by path. */
const files: Readonly<Record<string, Uint8Array>> = Object.fromEntries([
  ...FastCheck.sample(SampleFiles.file, { seed: SEED, numRuns: isLong ? 1_000 : 100 }).map(
    (bytes, index) => [`ordinary/${index}.txt`, bytes] as const // pairs
  ),
  ...HostileText.closings
    .concat(Object.values(HostileText.texts), HostileText.openings)
    .slice(0, isLong ? 100 : 20)
    .map((text, index) => [`hostile/${index}.txt`, Buffer.from(`a\n${text.toWellFormed()}\nb\n`)] as const) // pairs
])

/** Returns the paths and numbered lines in the frame of an answer. The path is empty before the first path. */
const linesOf = (text: string) => {
  let path = ""
  const body = /<untrusted [^\n]*\n([^]*)\n<\/untrusted \d+>/.exec(text)?.[1] ?? ""
  return body.split("\n").flatMap((row) => {
    const [, number, line = ""] = /^(\d+)>?\t(.*)$/.exec(row) ?? []
    if (number !== undefined) return [{ path, number: Number(number), line }]
    path = /^(\S+\.txt)(?: \(.*\))?$/.exec(row)?.[1] ?? path
    return []
  })
}

const EDIT = " edited"

/** Returns bytes without the first edit, in the encoding of the edit. */
const withoutEdit = (bytes: Buffer): Buffer => {
  for (const edit of [Buffer.from(EDIT), Buffer.from(EDIT, "utf16le")]) {
    const at = bytes.indexOf(edit)
    if (at !== -1) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + edit.length)])
  }
  return bytes
}

layer(Client.repositoryOf({ ...files, "src/main.ts": "" }))(`files of all kinds, seed ${SEED}`, (it) => {
  it.effect(
    "are written back with the same bytes, or refused with a reason",
    () =>
      Effect.gen(function* () {
        const run = yield* Client.session({ allowWrites: true, confirm: "never" })
        const forge = yield* Forge
        const count = { same: 0, edited: 0, refused: 0 }
        for (const [index, [path, bytes]] of Object.entries(files).entries()) {
          const { next, text } = yield* run("read_file", { path })
          const lines = linesOf(text)
          if (next !== undefined || lines.length === 0) continue
          const branch = `branch-${index}`
          const commit = (file: object) => run("commit", { branch, message: "m", files: [{ path, ...file }] })
          const end = text.includes("Lines end with CRLF.") ? "\r\n" : "\n"
          const last = text.includes("The last line has no newline.") ? "" : end
          const whole = yield* commit({ text: lines.map(({ line }) => line).join(end) + last })
          assert.isTrue(whole.isError, `${path} is changed by its own text: ${whole.text}`)
          count[whole.text.includes("no file would change") ? "same" : "refused"] += 1

          const once = lines.find(({ line }) => line.length > 3 && text.split(line).length === 2)
          if (once === undefined) continue
          const edited = yield* commit({ edits: [{ old: once.line, new: once.line + EDIT }] })
          if (edited.isError) {
            assert.match(edited.text, /^Nothing was (?:committed|done)|was not edited/, path)
            count.refused += 1
            continue
          }
          count.edited += 1
          const found = yield* forge.contents.get({ owner: "root", repo: "hello", path, ref: branch })
          const now = Buffer.from("content" in found ? (found.content ?? "") : "", "base64")
          assert.isFalse(now.equals(bytes), path)
          assert.isTrue(withoutEdit(now).equals(bytes), path)
        }
        const total = Object.keys(files).length
        for (const part of Object.values(count)) assert.isAbove(part, total / 10, JSON.stringify(count))
      }),
    { timeout: 900_000 }
  )

  it.effect(
    `are found by ${queryCount} queries, with the lines that they have`,
    () =>
      Effect.gen(function* () {
        const run = yield* Client.session()
        const shown = new Map(
          Object.entries(files).map(([path, bytes]) => [
            path,
            FileText.decode(bytes, false)?.lines.map((line) => ReadMarks.show(line, (text) => text))
          ])
        )
        const words = [
          ...new Set([...shown.values()].flatMap((lines) => lines?.join(" ").match(/[\p{L}\p{N}]{3,12}/gu) ?? []))
        ]
        let hits = 0
        for (const query of FastCheck.sample(FastCheck.constantFrom(...words), { seed: SEED, numRuns: queryCount })) {
          for (const context of [0, 1]) {
            const { text } = yield* run("search_code", { query: `"${query}"`, context })
            for (const { line, number, path } of linesOf(text)) {
              const whole = shown.get(path)?.[number - 1]
              const expected = context === 0 ? whole?.replace(/^[ \t]+/, "") : whole
              if (line.includes("…")) continue
              hits += 1
              assert.strictEqual(line, expected, `${query}: ${path}:${number}`)
            }
          }
        }
        assert.isAbove(hits, queryCount)
      }),
    { timeout: 900_000 }
  )
})
