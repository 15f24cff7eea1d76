import { assert, it } from "@effect/vitest"
import * as GitHubPaths from "./GitHubPaths.ts"

for (const [path, page] of [
  ["/octo/hello", "tree?repo=octo/hello"],
  ["/octo/hello/issues", "issues?repo=octo/hello"],
  ["/octo/hello/issues/7", "issue?repo=octo/hello&number=7"],
  ["/octo/hello/pulls", "pulls?repo=octo/hello"],
  ["/octo/hello/pull/7", "pull?repo=octo/hello&number=7"],
  ["/octo/hello/pull/7/commits", "pull?repo=octo/hello&number=7&tab=commits"],
  ["/octo/hello/pull/7/commits/0f1c", "commit?repo=octo/hello&ref=0f1c"],
  ["/octo/hello/pull/7/files", "pull?repo=octo/hello&number=7&tab=files"],
  ["/octo/hello/pull/7/changes", "pull?repo=octo/hello&number=7&tab=files"],
  ["/octo/hello/pull/7/checks", "pull?repo=octo/hello&number=7&tab=checks"],
  ["/octo/hello/pull/7/checks/1", undefined],
  ["/octo/hello/pull/7/edit", undefined],
  ["/octo/hello/pull/new", undefined],
  ["/octo/hello/pulls/7", undefined],
  ["/octo/hello/commit/0f1c", "commit?repo=octo/hello&ref=0f1c"],
  ["/octo/hello/compare/main...fix/a%20b", "compare?repo=octo/hello&base=main&head=fix/a+b"],
  ["/octo/hello/blob/main/src/a%23.ts", "file?repo=octo/hello&path=src/a%23.ts&ref=main"],
  ["/octo/hello/tree/main", "tree?repo=octo/hello&ref=main"],
  ["/octo/a%26b%0d%0ax/issues/7", "issue?repo=octo/a%26b%0D%0Ax&number=7"],
  ["/octo/hello/issues/7/edit", undefined],
  ["/octo/hello/issues/new", undefined],
  ["/octo/hello/issues/0", undefined],
  ["/octo/hello/pull", undefined],
  ["/octo/hello/wiki", undefined],
  ["/octo/hello/compare/main", undefined],
  ["/octo", undefined],
  ["//octo", undefined],
  ["/", undefined],
  ["/octo/%E0%A4%A/issues/7", undefined]
] as const) {
  it(`knows the page of ${path}`, () => assert.strictEqual(GitHubPaths.pageOf(path), page))
}
