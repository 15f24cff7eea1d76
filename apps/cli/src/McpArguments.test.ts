import { assert, describe, it } from "@effect/vitest"
import * as McpArguments from "./McpArguments.ts"

describe("McpArguments.parse", () => {
  it("reads the usual flags, in both spellings", () => {
    assert.deepInclude(McpArguments.parse([])?.options, {
      allowWrites: false,
      confirm: "ask",
      dryRun: false,
      structured: false,
      deadline: 45
    })
    const parsed = McpArguments.parse([
      "--allow-writes",
      "--allow-owner",
      "octo",
      "--allow-owner=mona",
      "--allow-repo=a/b",
      "--confirm=never",
      "--dry-run",
      "--structured",
      "--deadline",
      "20",
      "--profile=work",
      "--repos=a",
      "--repos",
      "b",
      "--index-branch=release-*"
    ])
    assert.deepInclude(parsed?.options, {
      allowWrites: true,
      allowOwners: ["octo", "mona"],
      allowRepositories: ["a/b"],
      confirm: "never",
      dryRun: true,
      structured: true,
      deadline: 20
    })
    assert.deepStrictEqual(parsed?.flags, {
      profile: "work",
      url: undefined,
      data: undefined,
      repos: ["a", "b"],
      indexBranches: ["release-*"]
    })
  })

  it("leaves everything else to the command-line parser", () => {
    for (const args of [
      ["--help"],
      ["-h"],
      ["--http", "0"],
      ["--print-config", "claude"],
      ["--toolsets", "commits"],
      ["--demo"],
      ["--unknown"],
      ["word"],
      ["--", "word"],
      ["--deadline", "0"],
      ["--deadline", "1.5"],
      ["--deadline=1", "--deadline=2"],
      ["--confirm", "perhaps"],
      ["--repos", ""],
      ["--repos"],
      ["--allow-writes=true"],
      ["--no-allow-writes"],
      ["--allow-writes", "--allow-owner", "a/b"],
      ["--allow-writes", "--allow-repo", "a"],
      ["--dry-run"],
      ["--allow-owner", "octo"]
    ]) {
      assert.isUndefined(McpArguments.parse(args), args.join(" "))
    }
  })
})
