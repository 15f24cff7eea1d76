import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as Matcher from "./Matcher.ts"
import * as RankEvidence from "./RankEvidence.ts"
import * as Ranking from "./Ranking.ts"
import { PartialText } from "./text/PartialText.ts"

/** The rank of a file for a query. */
const rank = (q: string, path: string, text: string, facts: { isCopy?: boolean; importers?: number } = {}): number => {
  const query = Result.getOrThrow(CodeQueryParser.parse(q))
  const evidence = new RankEvidence.EvidenceCollector(query)
  const content = PartialText.ofWhole(text)
  const definitions = evidence.definitions(path, text)
  const matches = Matcher.make(query)({ fullName: "a/b", path, size: text.length, content, definitions })
  return Ranking.make(evidence.of({ path, ...facts }, content, matches?.inContent ?? [], definitions)).rank
}

const DEFINITION = "int tcp_rcv(int a)\n{\n\treturn run(a) + 1;\n}\n"
const CALLS = "void use(void)\n{\n\ttcp_rcv(1);\n\ttcp_rcv(2);\n}\n"

describe("EvidenceCollector", () => {
  it("ranks the definition before its uses for a text and for expressions", () => {
    for (const query of ["tcp_rcv", String.raw`/\btcp_rcv\b/`, String.raw`/\btcp_rcv\(/`, String.raw`/tcp_\w+\(/`])
      assert.isAbove(rank(query, "net/a.c", DEFINITION), rank(query, "net/b.c", CALLS) + 30, query)
  })

  it("counts a definition in full only if the expression matches its name", () => {
    const other = "int tcp_rcv_all(int a)\n{\n\ttcp_rcv(a);\n\treturn a + 1;\n}\n"
    assert.isAbove(
      rank(String.raw`/\btcp_rcv\(/`, "a.c", DEFINITION),
      rank(String.raw`/\btcp_rcv\(/`, "a.c", other) + 30
    )
  })

  it("ranks the original before copies and vendored files", () => {
    const original = rank("tcp_rcv", "net/a.c", DEFINITION)
    assert.isAbove(original, rank("tcp_rcv", "tools/net/a.c", DEFINITION, { isCopy: true }))
    assert.isAbove(original, rank("tcp_rcv", "vendor/net/a.c", DEFINITION))
  })

  it("ranks a definition higher if more files import it", () => {
    assert.isAbove(
      rank("tcp_rcv", "a.h", DEFINITION, { importers: 100 }),
      rank("tcp_rcv", "b.h", DEFINITION, { importers: 1 })
    )
    assert.strictEqual(rank("tcp_rcv", "a.c", CALLS, { importers: 100 }), rank("tcp_rcv", "a.c", CALLS))
  })

  it("reads the words of a query in names, folders and any order", () => {
    const text = "class Manager:\n    pass\n"
    assert.isAbove(rank("extension manager", "extension/manager.py", text), rank("extension manager", "a/b.py", text))
    const other = "int alloc_inode(int a)\n{\n\treturn run(a) + 1;\n}\n"
    assert.isAbove(
      rank("inode alloc", "a.c", other),
      rank("inode alloc", "a.c", other.replace("alloc_inode", "alloc_all_inode"))
    )
  })

  it("prefers the spelling of the query", () => {
    assert.isAbove(rank("Pool", "a.ts", "export class Pool {"), rank("Pool", "a.ts", "export class pool {"))
    assert.isAbove(
      rank("newPool", "a.ts", "const newPool = () => 1\n"),
      rank("newPool", "a.ts", "export const NewPool = () => 1\n")
    )
  })
})
