import { assert, describe, it } from "@effect/vitest"
import { FileTable } from "./FileTable.ts"
import * as IndexDatabase from "./IndexDatabase.ts"

/** Creates a table of files with the paths, which must ascend. */
const make = (paths: ReadonlyArray<string>): FileTable => {
  const database = IndexDatabase.openEmpty()
  database.exec("INSERT INTO repositories (id, git_dir) VALUES (1, 'a.git'); BEGIN")
  const document = database.prepare("INSERT INTO documents (id, oid, size, outline) VALUES (?, ?, 1, '')")
  const file = database.prepare("INSERT INTO files (repository, path, document, size) VALUES (1, ?, ?, 1)")
  for (const [at, path] of paths.entries()) {
    document.run(at + 1, `${at}`.padStart(40, "0"))
    file.run(path, at + 1)
  }
  database.exec("COMMIT")
  return new FileTable(database, 1, "commit")
}

const numbersOf = (table: FileTable, part: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  table.withPart(part).forEach((file) => found.push(file))
  return found
}

describe("FileTable", () => {
  it("finds the paths with a part as a search of every path does", () => {
    const folders = ["drivers/net", "fs", "include/linux", "Kernel/ÄÖ", "tools/testing/selftests"]
    const names = ["vfs_read", "Makefile", "entry-common", "x", "内核"]
    const all = Array.from({ length: 12_000 }, (_, at) => {
      const folder = folders[at % folders.length] ?? ""
      return `${folder}/part${(at * 7919) % 997}/${names[(at * 31) % names.length] ?? ""}${at}.c`
    })
    const paths = all.toSorted((a, b) => (Buffer.from(a) < Buffer.from(b) ? -1 : 1))
    assert.isAbove(paths.join("\n").length, 1 << 18)
    const table = make(paths)
    assert.strictEqual(table.length, paths.length)
    for (const part of [
      "vfs_read",
      "VFS_READ11",
      "fs",
      "c",
      "part99/x",
      "内核",
      "äö/part1",
      "nowhere",
      "ts/part7/m",
      ""
    ]) {
      const expected = Array.from({ length: table.length }, (_, file) => file).filter((file) =>
        table.path(file).toLowerCase().includes(part.toLowerCase())
      )
      assert.deepStrictEqual(numbersOf(table, part), expected, part)
    }
  })

  it("finds the last and the first path of a table with few large paths", () => {
    const paths = ["a", "b", "c"].map((letter) => `${letter}/${letter.repeat(100_000)}.txt`)
    const table = make(paths)
    assert.deepStrictEqual(numbersOf(table, "aaa.txt"), [0])
    assert.deepStrictEqual(numbersOf(table, "ccc.txt"), [2])
    assert.deepStrictEqual(numbersOf(table, ".txt"), [0, 1, 2])
  })
})
