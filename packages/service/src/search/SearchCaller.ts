/** The caller of the running search. Each caller has its own limit of processes for regular expressions. */
import * as Context from "effect/Context"

/** Identifies the caller. Searches without one share a limit. */
export const SearchCaller = Context.Reference<string>("@tongs/service/search/SearchCaller", {
  defaultValue: () => "none"
})
