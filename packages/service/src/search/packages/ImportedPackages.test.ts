import { assert, describe, it } from "@effect/vitest"
import * as ImportedPackages from "./ImportedPackages.ts"

describe("ImportedPackages", () => {
  it("names the packages that an import can mean", () => {
    const cases: ReadonlyArray<readonly [string, string, string | undefined, ReadonlyArray<string>]> = [
      ["a.ts", "@acme/lamp/draw", "x", ["npm:@acme/lamp"]],
      ["a.cjs", "lodash/fp", "x", ["npm:lodash"]],
      ["a.ts", "./lamp", "x", []],
      ["a.ts", "@/lamp", "x", []],
      ["a.ts", "~/lamp", "x", []],
      ["a.ts", "#lamp", "x", []],
      ["a.ts", "/lamp", "x", []],
      ["a.ts", "node:fs", "x", []],
      ["a.ts", "fs/promises", "x", []],
      ["a.ts", "https://acme.example/lamp", "x", []],
      [
        "a.go",
        "github.com/acme/lamp/v2/draw",
        "*",
        [
          "go:github.com/acme/lamp/v2/draw",
          "go:github.com/acme/lamp/v2",
          "go:github.com/acme/lamp",
          "go:github.com/acme",
          "go:github.com"
        ]
      ],
      ["a.py", "acme_lamp.draw", "*", ["python:acme-lamp-draw", "python:acme-lamp"]],
      ["a.py", "google.cloud", "storage", ["python:google-cloud-storage", "python:google-cloud", "python:google"]],
      ["a.py", "json", "loads", []],
      ["a.py", "..draw", "x", []],
      ["a.rs", "acme_lamp::draw", "Shape", ["cargo:acme_lamp"]],
      ["a.rs", "std::io", "Read", []],
      ["a.rs", "crate::draw", "Shape", []],
      ["A.java", "com.acme.lamp.Shape", "Shape", ["maven:com.acme.lamp", "maven:com.acme"]],
      ["a.c", "lamp.h", undefined, []]
    ]
    for (const [path, target, imported, expected] of cases) {
      assert.deepStrictEqual(ImportedPackages.keysOf(path, { target, imported }), expected, target)
    }
  })
})
