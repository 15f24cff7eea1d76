import { assert, describe, it } from "@effect/vitest"
import * as ManifestReader from "./ManifestReader.ts"

const keys = (path: string, text: string) => ManifestReader.read(path, text).map(({ key, name }) => `${key} ${name}`)

describe("ManifestReader", () => {
  it("reads the packages of each ecosystem", () => {
    const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
      ["a/package.json", '{"name": "@acme/lamp", "author": {"name": "other"}}', ["npm:@acme/lamp @acme/lamp"]],
      [
        "go.mod",
        "// x\nmodule github.com/acme/lamp/v2 // y\n\ngo 1.22\n",
        ["go:github.com/acme/lamp/v2 github.com/acme/lamp/v2"]
      ],
      ["pyproject.toml", '[project]\nname = "Acme_Lamp"\n', ["python:acme-lamp Acme_Lamp"]],
      [
        "pyproject.toml",
        '[tool.poetry]\nname = "beautifulsoup4"\npackages = [{ include = "bs4" }, { include = "soup", from = "src" }]\n',
        ["python:beautifulsoup4 beautifulsoup4", "python:bs4 beautifulsoup4", "python:soup beautifulsoup4"]
      ],
      [
        "pyproject.toml",
        '[project]\nname = "acme"\n[tool.hatch.build.targets.wheel]\npackages = ["src/lamp"]\n',
        ["python:acme acme", "python:lamp acme"]
      ],
      [
        "setup.cfg",
        "[metadata]\nname = acme-lamp\n\n[options]\npackages =\n    acme_lamp\n    lamp.core\n[other]\nname = no\n",
        ["python:acme-lamp acme-lamp", "python:lamp acme-lamp"]
      ],
      [
        "setup.py",
        "from setuptools import setup\n\nsetup(name='PyYAML', packages=['yaml'])\n",
        ["python:pyyaml PyYAML", "python:yaml PyYAML"]
      ],
      ["Cargo.toml", '[package]\nname = "acme-lamp"\n\n[dependencies]\nserde = "1"\n', ["cargo:acme_lamp acme-lamp"]],
      ["Cargo.toml", '[package]\nname = "acme-lamp"\n[lib]\nname = "lamp"\n', ["cargo:lamp acme-lamp"]],
      ["Cargo.toml", '[workspace]\nmembers = ["a"]\n', []],
      [
        "pom.xml",
        "<project><!-- <groupId>no</groupId> --><parent><groupId>com.acme</groupId><artifactId>all</artifactId></parent><dependencies><dependency><groupId>org.other</groupId></dependency></dependencies><artifactId>lamp</artifactId></project>",
        ["maven:com.acme com.acme:lamp"]
      ],
      ["build.gradle.kts", 'plugins { java }\n\ngroup = "com.acme.lamp"\n', ["maven:com.acme.lamp com.acme.lamp"]],
      ["build.gradle", "allprojects {\n  group 'com.acme'\n}\n", ["maven:com.acme com.acme"]]
    ]
    for (const [path, text, expected] of cases) assert.deepStrictEqual(keys(path, text), expected, text)
  })

  it("reads whether a package is private, and the entry of a crate", () => {
    assert.deepStrictEqual(ManifestReader.read("package.json", '{"name": "a", "private": true}')[0]?.isPrivate, true)
    const [crate] = ManifestReader.read(
      "Cargo.toml",
      '[package]\nname = "a"\npublish = false\n[lib]\npath = "lamp.rs"\n'
    )
    assert.deepStrictEqual([crate?.isPrivate, crate?.entry], [true, "lamp.rs"])
  })

  it("reads nothing from invalid manifests", () => {
    for (const [path, text] of [
      ["package.json", "{"],
      ["package.json", "null"],
      ["package.json", '{"name": 1}'],
      ["Cargo.toml", "[package"],
      ["pyproject.toml", "project = 1"],
      ["setup.py", "name = 'x'"],
      ["pom.xml", "<project/>"],
      ["go.mod", ""],
      ["package.json", JSON.stringify({ name: "x".repeat(300) })]
    ] as const)
      assert.deepStrictEqual(ManifestReader.read(path, text), [], text)
  })
})
