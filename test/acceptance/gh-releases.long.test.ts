/** Commands of gh for releases. */
import { expect, it } from "vitest"
import { hasGh } from "./GhCommand.test-support.ts"
import { openSession } from "./GhSession.test-support.ts"

/** Lines of shell code, and the output of each. */
const lines: ReadonlyArray<readonly [line: string, output: string | RegExp]> = [
  ["printf one > one.txt && printf two > two.txt", ""],
  ["gh release create v9 one.txt#First --notes 'All ships' --title Ninth", /\/harbor\/hello\/releases\/tag\/v9\n$/],
  ["gh release view v9 --json tagName,name,body,isDraft --jq '[.[]] | map(tostring) | join(\" \")'", /All ships/],
  ["gh api repos/harbor/hello/git/ref/tags/v9 --jq .object.sha", /^[0-9a-f]{40}\n$/],
  ["gh release create v10 --draft --notes ''", /untagged-/],
  ["gh release list", /v10.*Draft[\s\S]*Ninth.*Latest.*v9/],
  ["gh release upload v9 two.txt 2>&1", /Successfully uploaded 1 asset|^$/],
  ["gh release upload v9 two.txt 2>&1 || true", /already exists|asset under the same name/],
  ["gh release view v9 --json assets --jq '[.assets[] | .name + \" \" + .label]'", '["one.txt First","two.txt "]\n'],
  ["mkdir down && gh release download v9 --dir down && cat down/one.txt down/two.txt", "onetwo"],
  ["gh release download v9 --archive=tar.gz --dir down && tar -tzf down/*.tar.gz | head -1", /hello/],
  ["gh release edit v9 --prerelease --title Tenth", /v9\n$/],
  ["gh api repos/harbor/hello/releases/latest --jq .tag_name", "v1\n"],
  ["gh release edit v10 --draft=false", /v10\n$/],
  ["gh release view --json tagName --jq .tagName", "v10\n"],
  ["gh release create v11 --generate-notes", /tag\/v11\n$/],
  ["gh release view v11 --json body --jq .body", /\*\*Full Changelog\*\*: https:\/\/.*\/compare\/v10\.\.\.v11/],
  ["gh release delete-asset v9 two.txt --yes 2>&1", /Deleted|^$/],
  ["gh release delete v9 --yes --cleanup-tag 2>&1", /Deleted|^$/],
  ["gh api repos/harbor/hello/git/ref/tags/v9 --jq .message 2> /dev/null || true", /Not Found/]
]

it.skipIf(!hasGh)(
  "gh creates, edits, lists, downloads and deletes releases",
  async () => {
    const { run } = await openSession()
    for (const [line, output] of lines) {
      const { stderr, stdout } = await run(line)
      const expected = typeof output === "string" ? output : expect.stringMatching(output)
      expect.soft([line, stdout], stderr).toEqual([line, expected])
    }
  },
  180_000
)
