import { assert, it } from "@effect/vitest"
import * as ScopeNote from "./ScopeNote.ts"
import { entryOf } from "../call/Tool.ts"

it("says which scope the token lacks for the private items of a list", () => {
  const note = (id: string, granted: ReadonlyArray<string> | undefined) =>
    ScopeNote.of(entryOf(id), { grantedScopes: () => granted })
  assert.deepStrictEqual(note("repositories.listForAuthenticatedUser", ["user"]), [
    "May be incomplete: the token lacks the scope repo, so private items are left out."
  ])
  assert.deepStrictEqual(note("repositories.listForAuthenticatedUser", ["repo"]), [])
  // The forge has not answered yet, or the token has permissions instead of scopes.
  assert.deepStrictEqual(note("repositories.listForAuthenticatedUser", undefined), [])
  // A repository whose list the forge returned is visible as a whole.
  assert.deepStrictEqual(note("branches.list", []), [])
})
