/** Commands of gh that create, change and delete repositories. */
import { expect, it } from "vitest"
import { hasGh } from "./GhCommand.test-support.ts"
import { openSession } from "./GhSession.test-support.ts"

/** Lines of shell code, and the output of each. */
const lines: ReadonlyArray<readonly [line: string, output: string | RegExp]> = [
  ["gh repo create made --private --description 'By gh'", /\/olive\/made\n$/],
  ["gh repo create files --public --add-readme --license mit --gitignore Node", /\/olive\/files\n$/],
  ["gh api repos/olive/files/contents --jq '[.[].name] | sort[]'", ".gitignore\nLICENSE\nREADME.md\n"],
  ["gh repo create copy --public --template harbor/hello", /\/olive\/copy\n$/],
  ["gh repo view olive/copy --json templateRepository --jq .templateRepository.name", "hello\n"],
  ["gh api repos/olive/copy/commits --jq '[.[].commit.message]'", '["Initial commit"]\n'],
  [
    "gh repo edit olive/made --enable-wiki=false --enable-issues=false --delete-branch-on-merge --enable-squash-merge=false --template",
    /^$|olive\/made/
  ],
  [
    "gh repo view olive/made --json hasIssuesEnabled,hasWikiEnabled,deleteBranchOnMerge,squashMergeAllowed,isTemplate --jq '[.[]] | map(tostring) | join(\" \")'",
    /^(?=.*true.*true)(?=.*false.*false.*false).*\n$/
  ],
  ["gh issue create --repo olive/made --title x --body y 2>&1 || true", /disabled issues/],
  ["gh repo rename --repo olive/made renamed --yes 2>&1", /olive\/renamed|^$/],
  ["gh api repos/olive/renamed --jq .has_issues", "false\n"],
  ["gh repo archive olive/renamed --yes", ""],
  ["gh api repos/olive/renamed --jq .archived", "true\n"],
  ["gh repo list olive --json nameWithOwner --jq '[.[].nameWithOwner] | sort[]'", /olive\/copy\nolive\/files\n/],
  ["gh repo delete olive/renamed --confirm 2> /dev/null", ""],
  ["gh api repos/olive/renamed 2> /dev/null --jq .message || true", /Not Found/]
]

it.skipIf(!hasGh)(
  "gh creates, edits, renames, archives and deletes repositories",
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
