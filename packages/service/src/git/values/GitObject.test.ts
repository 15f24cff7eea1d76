import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { folder, git } from "../Fixture.test-support.ts"
import * as GitObject from "./GitObject.ts"
import { encodeCommit, encodeTree } from "./ObjectEncoding.ts"

const OID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

const commitText = (lines: ReadonlyArray<string>, message: string): Buffer =>
  Buffer.from([`tree ${OID}`, "author A <a@b> 1 +0000", "committer A <a@b> 1 +0000", ...lines, "", message].join("\n"))

const Text = Schema.String.pipe(Schema.check(Schema.isPattern(/^[a-zA-Z\u00e4-\u4eff]{1,20}$/)))
const Person = Schema.Struct({
  name: Text,
  email: Text,
  seconds: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))),
  timezone: Schema.Literals(["+0000", "+0130", "-1100", "-0000"])
})
const AnyCommit = Schema.Struct({
  tree: Schema.Literal(OID),
  parents: Schema.Array(Schema.Literal(OID)),
  author: Person,
  committer: Person,
  message: Text
})
const Entries = Schema.Record(Text, Schema.Literals(["100644", "100755", "120000", "040000", "160000"]))

describe("GitObject", () => {
  it.prop("round-trips commits", [AnyCommit], ([commit]) => {
    assert.deepStrictEqual(GitObject.parseCommit(encodeCommit(commit, "sha1")), commit)
  })

  it.prop("round-trips trees", [Entries], ([modes]) => {
    const entries = Object.entries(modes).map(([name, mode]) => ({
      mode,
      type: GitObject.typeOfMode(mode),
      name,
      oid: OID
    }))
    const parsed = GitObject.parseTree(encodeTree(entries), "sha1")
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    assert.deepStrictEqual([...parsed].sort(byName), [...entries].sort(byName))
  })

  it("extracts a multi-line signature and the signed payload", () => {
    const signature = "-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----"
    const unsigned = commitText([], "hello\n")
    const signed = GitObject.parseCommit(commitText([`gpgsig ${signature.replaceAll("\n", "\n ")}`], "hello\n"))
    assert.deepStrictEqual(signed.signature, { signature, payload: unsigned.toString() })
    assert.strictEqual(signed.message, "hello\n")
  })

  it("round-trips a signature", () => {
    const commit = GitObject.parseCommit(commitText([], "m"))
    const signature = "-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----"
    for (const given of [signature, `${signature}\n`, signature.replaceAll("\n", "\r\n")]) {
      const { encoding: _, signature: __, ...unsigned } = commit
      assert.deepStrictEqual(GitObject.parseCommit(encodeCommit({ ...unsigned, signature: given }, "sha1")).signature, {
        signature,
        payload: encodeCommit(unsigned, "sha1").toString()
      })
    }
  })

  it("decodes declared, undeclared and unknown encodings", () => {
    const text = (header: ReadonlyArray<string>, bytes: Uint8Array) =>
      GitObject.parseCommit(Buffer.concat([commitText(header, ""), bytes])).message
    assert.strictEqual(text(["encoding ISO-8859-1"], Uint8Array.of(0xfc)), "ü")
    assert.strictEqual(text([], Uint8Array.of(0xfc)), "ü")
    assert.strictEqual(text(["encoding no-such"], Buffer.from("ü")), "ü")
    assert.strictEqual(text(["encoding Shift_JIS"], Uint8Array.of(0x93, 0x94)), "灯")
  })

  it("tolerates malformed commits", () => {
    for (const author of [
      "author",
      "author X",
      "author <>",
      "author A <a> b> 12",
      "author A <a@b> 99999999999999999999 +0000"
    ]) {
      const parsed = GitObject.parseCommit(Buffer.from(`tree ${OID}\n${author}\n\nx`))
      assert.isTrue(Number.isFinite(parsed.author.seconds), author)
      assert.strictEqual(parsed.message, "x")
    }
    assert.strictEqual(GitObject.parseCommit(Buffer.alloc(0)).message, "")
  })

  it("parses tags with and without tagger and signature", () => {
    const tag = (lines: ReadonlyArray<string>) =>
      GitObject.parseTag(Buffer.from([`object ${OID}`, "type tree", "tag v1", ...lines].join("\n")))
    assert.deepStrictEqual(tag(["", "old\n"]), { object: OID, type: "tree", name: "v1", message: "old\n" })
    const signature = "-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n"
    const signed = tag(["tagger A <a@b> 5 -0130", "", `m\n${signature}`])
    assert.strictEqual(signed.message, "m\n")
    assert.strictEqual(signed.signature?.signature, signature)
    assert.isTrue(signed.signature?.payload.endsWith("\n\nm\n"))
  })

  it("converts a time zone to minutes from UTC", () => {
    assert.deepStrictEqual(["+0130", "-1100", "-0000", "nonsense"].map(GitObject.timezoneMinutes), [90, -660, 0, 0])
  })

  it.effect("encodes a tree as git mktree does", () =>
    Effect.gen(function* () {
      const path = yield* folder
      git(path, ["init", "--quiet"])
      const blob = git(path, ["hash-object", "-w", "--stdin"], "x")
      const tree = git(path, ["mktree"], `100644 blob ${blob}\tx\n`)
      // The folder `a` sorts as `a/`, after `a.b` and before `a0`.
      const entries = [
        { mode: "040000", type: "tree" as const, name: "a", oid: tree },
        { mode: "100644", type: "blob" as const, name: "a0", oid: blob },
        { mode: "100755", type: "blob" as const, name: "a.b", oid: blob },
        { mode: "120000", type: "blob" as const, name: "ü", oid: blob }
      ]
      const listed = entries.map(({ mode, name, oid, type }) => `${mode} ${type} ${oid}\t${name}\n`).join("")
      assert.strictEqual(
        git(path, ["hash-object", "-t", "tree", "--stdin"], encodeTree(entries)),
        git(path, ["mktree"], listed)
      )
    })
  )
})
