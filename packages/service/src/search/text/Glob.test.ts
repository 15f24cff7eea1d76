import { assert, it } from "@effect/vitest"
import * as Glob from "./Glob.ts"

it.each([
  ["src/*.ts", ["src/a.ts", "SRC/B.TS"], ["src/x/a.ts", "src/a.tsx", "a.ts"]],
  ["**/*.ts", ["a.ts", "x/y/a.ts"], ["a.tsx"]],
  ["src/**", ["src/a", "src/x/y"], ["src", "a/src/b"]],
  ["a?c.{md,txt}", ["abc.md", "axc.txt"], ["ac.md", "abc.js", "a/c.md"]],
  ["{*.c,lib/*.h}", ["a.c", "lib/b.h"], ["b.h", "lib/a.c"]],
  ["a.b(c)+[d]", ["a.b(c)+[d]"], ["axb(c)+[d]"]]
])("%s matches whole paths", (glob, matching, others) => {
  const pattern = Glob.toRegExp(glob)
  for (const path of matching) assert.isTrue(pattern.test(path), path)
  for (const path of others) assert.isFalse(pattern.test(path), path)
})
