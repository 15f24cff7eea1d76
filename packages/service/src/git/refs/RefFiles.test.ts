/** Compares the references read from files with the output of `git for-each-ref`. */
import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git, manyCommits } from "../Fixture.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"

/** Random numbers below `limit`, always the same for a seed. */
const randomOf = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

/** The readable references in the order of git. */
const expectedOf = (path: string) => {
  const types = new Map<string, string>()
  const lines = git(path, ["for-each-ref", "--format=%(refname)%00%(objectname)"]).split("\n").filter(Boolean)
  const input = [...new Set(lines.map((line) => line.split("\0")[1] ?? ""))].flatMap((oid) => [oid, `${oid}^{}`])
  for (const line of git(path, ["cat-file", "--batch-check"], `${input.join("\n")}\n`).split("\n")) {
    const [oid = "", type = ""] = line.split(" ")
    types.set(oid, type)
  }
  const peeled = git(path, ["cat-file", "--batch-check=%(objectname)"], `${input.join("\n")}\n`).split("\n")
  const targets = new Map(input.map((name, at) => [name, peeled[at]]))
  return lines.flatMap((line) => {
    const [name = "", oid = ""] = line.split("\0")
    const type = types.get(oid) ?? "missing"
    if (type === "missing") return []
    return [{ name, oid, type, ...(type === "tag" ? { peeled: targets.get(`${oid}^{}`) } : {}) }]
  })
}

const names = ["a", "b", "dir/a", "dir/b/c", "é", "z.x", "-x", "@x", "A"]

/** Creates a repository with commits, a blob, and tags of tags. */
const makeObjects = (path: string, objectFormat: string) => {
  git(path, ["init", "--quiet", "--bare", "--initial-branch=main", `--object-format=${objectFormat}`])
  manyCommits(path, "main", 8)
  const commits = git(path, ["rev-list", "main"]).split("\n")
  const blob = git(path, ["hash-object", "-w", "--stdin"], "x")
  git(path, ["tag", "-a", "-m", "one", "one", "main"])
  git(path, ["tag", "-a", "-m", "two", "two", "one"])
  git(path, ["tag", "-a", "-m", "blob", "blob", blob])
  const tags = ["one", "two", "blob"].map((name) => git(path, ["rev-parse", name]))
  return { commits, anything: [...commits, blob, ...tags] }
}

/** Changes the references once, by git or by writing files as a broken program does. */
const change = (path: string, random: (limit: number) => number, objects: ReturnType<typeof makeObjects>) => {
  const one = <A>(values: ReadonlyArray<A>): A => values[random(values.length)] as A // oxlint-disable-line typescript/no-unsafe-type-assertion -- never empty
  const name = `${one(["refs/heads", "refs/tags", "refs/notes", "refs"])}/${one(names)}`
  const attempt = (...args: ReadonlyArray<string>) => {
    try {
      git(path, args)
    } catch {
      // Names that conflict, or a broken reference.
    }
  }
  const write = (file: string | Buffer, content: string | Buffer) => {
    try {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(file, content)
    } catch {
      // A folder has this name.
    }
  }
  const oid = one(objects.anything)
  const other = `refs/heads/${one(names)}`
  switch (random(16)) {
    case 0:
    case 1:
    case 2:
      return attempt("update-ref", `refs/heads/${one(names)}`, one(objects.commits))
    case 3:
    case 4:
      return attempt("update-ref", "--no-deref", name, name.startsWith("refs/heads") ? one(objects.commits) : oid)
    case 5:
    case 6:
      return attempt("update-ref", "--no-deref", "-d", name)
    case 7:
    case 8:
      return attempt("pack-refs", "--all")
    case 9:
      return attempt("pack-refs", "--all", "--no-prune")
    case 10:
      return attempt("symbolic-ref", name, other)
    case 11:
      return write(
        join(path, name),
        one([
          `${oid}\n`,
          `${oid.toUpperCase()} junk`,
          `${oid}junk\n`,
          oid,
          `${oid}\0junk`,
          "",
          "\n",
          oid.slice(1),
          `${"0".repeat(oid.length)}\n`,
          `${"1".repeat(oid.length)}\n`,
          `ref:${other}`,
          `ref: \t${other} \n\n`,
          `ref: ${other}\0x`,
          "ref: refs/heads/..",
          "ref: ",
          `ref: ${name}\n`,
          ` ${oid}\n`
        ])
      )
    case 12:
      return write(join(path, "refs/heads", one(["x.lock", ".hidden", "a..b", "b~1", "end.", "c d"])), `${oid}\n`)
    case 13:
      return write(Buffer.concat([Buffer.from(join(path, "refs/heads/")), Buffer.from([0x78, 0xff, 0x79])]), `${oid}\n`)
    case 14: {
      const header = readdirSync(path).includes("packed-refs") ? "" : "# pack-refs with: peeled fully-peeled sorted \n"
      return appendFileSync(join(path, "packed-refs"), `${header}${one(objects.commits)} refs/zz/${one(names)}\n`)
    }
    default:
      try {
        // Each target exists, because git treats a dangling link as a broken reference.
        symlinkSync(one([other, "b", join(path, "outside"), "nowhere"]), join(path, "refs/notes", one(names)))
      } catch {
        // The file exists.
      }
  }
}

/** False if `packed-refs` is not sorted or has a name twice, which git never writes. */
const isComparable = (path: string) => {
  const packed = readdirSync(path).includes("packed-refs") ? readFileSync(join(path, "packed-refs"), "latin1") : ""
  const lines = packed.split("\n").filter((line) => line.includes(" refs/"))
  const found = lines.map((line) => line.slice(line.indexOf(" ")))
  return found.every((name, at) => at === 0 || (found[at - 1] ?? "") < name)
}

layer(GitRepositories.layer)("references read from files", (it) => {
  describe("equal those of git", () => {
    const count = process.env["TONGS_LONG_TESTS"] === undefined ? 1 : 10
    for (const [seed, objectFormat] of Array.from(
      { length: count },
      (_, seed) => [seed, seed < count * 0.65 ? "sha1" : "sha256"] as const
    )) {
      it.effect(`in random repository ${seed} (${objectFormat})`, () =>
        Effect.gen(function* () {
          const random = randomOf(seed)
          const path = yield* folder
          const objects = makeObjects(path, objectFormat)
          mkdirSync(join(path, "outside/deep"), { recursive: true })
          writeFileSync(join(path, "outside/deep/x"), `${objects.commits[0]}\n`)
          const repository = yield* (yield* GitRepositories).open(path)
          for (let step = 0; step < 40; step++) {
            change(path, random, objects)
            if (!isComparable(path)) rmSync(join(path, "packed-refs"))
            assert.deepStrictEqual([...(yield* repository.refs())], expectedOf(path), `step ${step}`)
          }
        })
      )
    }
  })

  it.effect("of a linked work tree are those of its repository", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { commits } = makeObjects(path, "sha1")
      const other = join(yield* folder, "other")
      git(path, ["worktree", "add", "-q", "-b", "side", other])
      git(other, ["update-ref", "refs/bisect/bad", commits[1] ?? ""])
      git(other, ["update-ref", "refs/heads/new", commits[2] ?? ""])
      const repository = yield* (yield* GitRepositories).open(other)
      assert.deepStrictEqual([...(yield* repository.refs())], expectedOf(path))
      assert.strictEqual(yield* repository.head, "side")
    })
  )

  it.effect("are absent in no snapshot and never older than before, while git moves and packs them", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { commits } = makeObjects(path, "sha1")
      const order = commits.toReversed()
      git(path, ["update-ref", "refs/heads/moved", order[0] ?? ""])
      const repository = yield* (yield* GitRepositories).open(path)
      const script = order
        .flatMap((oid) => [`git update-ref refs/heads/moved ${oid}`, "git pack-refs --all", "git pack-refs --all"])
        .join("\n")
      const child = spawn("sh", ["-ec", script], { cwd: path, stdio: "ignore" })
      const seen = new Set<number>()
      let last = 0
      while (child.exitCode === null) {
        const refs = yield* repository.refs()
        const at = order.indexOf(refs.find(({ name }) => name === "refs/heads/moved")?.oid ?? "absent")
        assert.isAtLeast(at, last)
        assert.isTrue(refs.some(({ name }) => name === "refs/heads/main"))
        last = at
        seen.add(at)
        yield* Effect.promise(() => setImmediate())
      }
      assert.strictEqual(child.exitCode, 0)
      assert.isAbove(seen.size, 2)
      assert.deepStrictEqual([...(yield* repository.refs())], expectedOf(path))
    })
  )

  it.effect("fail as in git if packed-refs is damaged", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { commits } = makeObjects(path, "sha1")
      const repository = yield* (yield* GitRepositories).open(path)
      for (const damage of ["junk\n", `${commits[0]} refs/heads/x`, `${commits[0]}refs/heads/x\n`, "^1\n"]) {
        writeFileSync(join(path, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${damage}`)
        assert.throws(() => git(path, ["for-each-ref"]))
        assert.strictEqual((yield* Effect.flip(repository.refs())).reason._tag, "Unreadable", damage)
      }
      rmSync(join(path, "packed-refs"))
      assert.deepStrictEqual([...(yield* repository.refs())], expectedOf(path))
    })
  )
})
