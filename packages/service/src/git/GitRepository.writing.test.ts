import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git, workTree } from "./Fixture.test-support.ts"
import { changesOf, hostilePaths, open, repositories } from "./GitRepository.test-support.ts"

layer(repositories)("GitRepository writing", (it) => {
  const person = (name: string, timezone: string) => ({
    name,
    email: `${name}@example.org`,
    seconds: 1_700_000_000,
    timezone
  })

  it.effect("writes commits with the same ids as git commit-tree", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      const tree = git(path, ["rev-parse", "HEAD^{tree}"])
      const repository = yield* open(path)
      const message = "霧笛 ünd 🎉\n\nno line feed at the end"
      for (const parents of [[], [head], [head, git(path, ["commit-tree", tree, "-m", "other"])]]) {
        const written = yield* repository
          .writeCommit({
            tree,
            parents,
            author: person("Test", "+0100"),
            committer: { ...person("Test", "+0100"), name: " Test, " },
            message
          })
          .pipe(Effect.map((oid) => git(path, ["cat-file", "commit", oid])))
        const args = [
          "-c",
          "user.email=Test@example.org",
          "commit-tree",
          tree,
          ...parents.flatMap((parent) => ["-p", parent]),
          "-F",
          "-"
        ]
        assert.strictEqual(written, git(path, ["cat-file", "commit", git(path, args, message)]))
      }
      assert.strictEqual(git(path, ["fsck", "--no-dangling", "--strict"]), "")
    })
  )

  it.effect("rejects commits that git would not write", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const head = git(path, ["rev-parse", "HEAD"])
      const tree = git(path, ["rev-parse", "HEAD^{tree}"])
      const repository = yield* open(path)
      const good = {
        tree,
        parents: [head],
        author: person("A", "+0000"),
        committer: person("A", "+0000"),
        message: "m"
      }
      for (const [bad, tag] of [
        [{ tree: head }, "InvalidObject"],
        [{ tree: "1".repeat(40) }, "ObjectMissing"],
        [{ tree: "HEAD^{tree}" }, "ObjectMissing"],
        [{ parents: [tree] }, "InvalidObject"],
        [{ parents: ["1".repeat(40)] }, "ObjectMissing"],
        [{ message: "a\0b" }, "InvalidObject"],
        [{ author: person("<>", "+0000") }, "InvalidObject"],
        [{ author: { ...person("A", "+0000"), seconds: -1 } }, "InvalidObject"],
        [{ committer: person("A", "Z") }, "InvalidObject"]
      ] as const) {
        assert.strictEqual(
          (yield* Effect.flip(repository.writeCommit({ ...good, ...bad }))).reason._tag,
          tag,
          JSON.stringify(bad)
        )
      }
    })
  )

  it.effect("writes the same blobs, nested trees and tags as git", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const repository = yield* open(path)
      const head = git(path, ["rev-parse", "HEAD"])
      const base = git(path, ["rev-parse", "HEAD^{tree}"])
      const oid = yield* repository.writeBlob(Uint8Array.of(0, 255, 10))
      assert.strictEqual(oid, git(path, ["hash-object", "--stdin"], Uint8Array.of(0, 255, 10)))
      const file = (at: string, blob: string | null = oid) => ({ path: at, mode: "100644" as const, oid: blob })
      const tree = yield* repository.writeTree([file("d/e/f.txt"), file("d.txt"), file("d0")], base)
      assert.strictEqual(
        git(path, ["ls-tree", "-r", "--name-only", tree]),
        ["a.txt", "d.txt", "d/e/f.txt", "d0"].join("\n")
      )
      const less = yield* repository.writeTree([file("d/e/f.txt", null), file("a.txt", null), file("d0/x")], tree)
      assert.strictEqual(git(path, ["ls-tree", "-r", "--name-only", less]), ["d.txt", "d0/x"].join("\n"))
      assert.strictEqual(yield* repository.writeTree([]), "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
      for (const name of [
        ...hostilePaths.filter((each) => each !== "a.txt/x"),
        "",
        ".git/config",
        "d/.GIT/x",
        "\ud800"
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(repository.writeTree([file(name)]))).reason._tag,
          "InvalidName",
          JSON.stringify(name)
        )
      }
      assert.strictEqual((yield* Effect.flip(repository.writeTree([file("x", head)]))).reason._tag, "InvalidObject")
      const tag = yield* repository.writeTag({
        object: head,
        type: "commit",
        name: "v1",
        tagger: person("T", "+0000"),
        message: "one\n"
      })
      assert.strictEqual((yield* repository.tag(tag))?.message, "one\n")
      assert.strictEqual(git(path, ["fsck", "--no-dangling"]), "")
    })
  )

  it.effect("keeps names that are not UTF-8 distinct and unchanged in new trees", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const blob = git(path, ["rev-parse", "HEAD:a.txt"])
      // Names in Latin-1, two of which would be equal if decoded as UTF-8.
      const names = ["caf\u00e9.txt", "caf\u00e8.txt", "caf\u00e9"]
      const listed = (input: ReadonlyArray<string>) => Buffer.from(input.map((each) => `${each}\0`).join(""), "latin1")
      const base = git(path, ["mktree", "-z"], listed(names.map((name) => `100644 blob ${blob}\t${name}`)))
      const repository = yield* open(path)
      const tree = yield* repository.writeTree([{ path: "caf\u00e9", mode: "100644", oid: blob }], base)
      const expected = [...names, "caf\u00c3\u00a9"].map((name) => `100644 blob ${blob}\t${name}`)
      assert.strictEqual(tree, git(path, ["mktree", "-z"], listed(expected)))

      const folder = git(path, ["mktree", "-z"], listed([`040000 tree ${base}\tn\u00e9`]))
      const head = git(path, ["commit-tree", "-m", "x", folder])
      const paths = (yield* repository.files(folder)).map((file) => file.path)
      assert.deepStrictEqual(paths.toSorted(), names.map((name) => `n\u00e9/${name}`).toSorted())
      for (const one of paths) assert.strictEqual((yield* repository.entryAt(head, one))?.path, one)
      assert.deepStrictEqual(
        (yield* changesOf(repository, head)).map((change) => change.path),
        paths
      )
    })
  )
})
