/** The flags of `tongs mcp`, and the configuration that it prints for clients. */
import { describe, expect, it } from "vitest"
import { shell } from "./TongsCommand.test-support.ts"

describe("wrong usage", () => {
  it.each([
    [["--toolsets", "nothing"], /Toolsets: .*git-refs/],
    [["--toolsets", ","], /Empty value for --toolsets/],
    [["--allow-writes", "--allow-owner", "octo/hello"], /the name of a user or organization/],
    [["--allow-writes", "--allow-repo", "hello"], /a repository as OWNER\/NAME/],
    [["--allow-owner", "octo"], /--allow-owner without --allow-writes.*\nAdd --allow-writes/],
    [
      ["--allow-repo", "octo/hello", "--dry-run"],
      /--allow-repo, --dry-run without --allow-writes.*\nAdd --allow-writes/
    ],
    [["--deadline", "0"], /a number of seconds from 1 to 3600/],
    [["--deadline", "soon"], /--deadline/]
  ])("%j exits 2 with a hint", async (args, hint) => {
    const { code, stderr, stdout } = await shell().tongs(["mcp", ...args])
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(hint)
  })
})
