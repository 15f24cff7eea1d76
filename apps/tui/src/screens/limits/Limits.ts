/** The rate limits of the credential. Changes with every request. */
import * as Effect from "effect/Effect"
import * as Atom from "effect/reactivity/Atom"
import * as Source from "../../content/Source.ts"
import type { Screen } from "../Screen.ts"
import * as LimitsDocument from "./LimitsDocument.ts"
import * as RateLimits from "./RateLimits.ts"

/** Maximum number of organizations to show. */
const MAX_ORGANIZATIONS = 10

/** The screen of the rate limits. */
export const screen: Screen = {
  id: "limits",
  label: "rate limits",
  required: [],
  title: () => "rate limits",
  open: (environment) => {
    const organizations = Atom.keepAlive(Atom.make<ReadonlyArray<string>>([]))
    const limits = RateLimits.atom(environment)
    // The limits need no request, so a failure of this request is not shown.
    const base = Source.fromEffect(
      environment,
      (forge, options) =>
        forge.organizations
          .listForAuthenticatedUser({}, { ...options, priority: "background", perPage: MAX_ORGANIZATIONS })
          .first.pipe(
            Effect.map(({ items }) =>
              environment.registry.set(
                organizations,
                items.map(({ login }) => login)
              )
            ),
            Effect.ignore
          ),
      () => LimitsDocument.make(undefined)
    )
    const document = Atom.make((get) => LimitsDocument.make(get(limits), get(organizations)))
    const state = Atom.make((get): Source.LoadState => {
      const { defect } = get(base.state)
      return { ...loaded, content: get(document), defect }
    })
    return { ...base, state }
  }
}

const loaded: Source.LoadState = {
  content: undefined,
  confirmedAt: Infinity,
  isStale: false,
  isLoading: false,
  failure: undefined,
  retryAt: undefined,
  defect: undefined,
  loadingSince: undefined
}
