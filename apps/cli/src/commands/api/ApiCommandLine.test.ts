import { assert, it } from "@effect/vitest"
import * as ApiCommandLine from "./ApiCommandLine.ts"

const normalized = (line: string) => ApiCommandLine.normalize(line.split(" ")).join(" ")

it("accepts the forms of flags that gh accepts", () => {
  for (const [line, expected] of [
    ["api -XPOST user", "api --method=POST user"],
    ["api -X=POST user", "api --method=POST user"],
    ["api -X GET -X POST user", "api --method=POST user"],
    ["api -fa=b -f c=d -F=e=1 x", "api --raw-field=a=b --raw-field=c=d --field=e=1 x"],
    ["api --jq -1 x", "api --jq=-1 x"],
    ["api -iq .a x", "api --include --jq=.a x"],
    ["api -i --include x", "api --include x"],
    ["api --paginate=false x", "api x"],
    ["api --input - x", "api --input=- x"],
    ["api x -- -i", "api x -- -i"],
    ["api x -X", "api x --method"]
  ] as const)
    assert.strictEqual(normalized(line), expected)
})

it("leaves global flags, unknown flags and other commands unchanged", () => {
  for (const line of [
    "--url http://forge.test --no-color api user --log-level debug",
    "--profile api serve -i",
    "search api -i",
    "api -z user",
    "api -h"
  ])
    assert.strictEqual(normalized(line), line)
})
